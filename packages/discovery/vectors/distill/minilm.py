"""The sentence-embedding model all-MiniLM-L6-v2 in numpy: texts in, vectors of length 1 out."""
import json
import re
import struct
import unicodedata

import numpy as np


class MiniLM:
    def __init__(self, folder):
        tokenizer = json.load(open(f'{folder}/tokenizer.json'))
        self.vocabulary = tokenizer['model']['vocab']
        with open(f'{folder}/model.fp16.safetensors', 'rb') as file:
            size = struct.unpack('<Q', file.read(8))[0]
            header = json.loads(file.read(size))
            data = file.read()
        self.weights = {}
        for name, about in header.items():
            if name == '__metadata__' or about['dtype'] != 'F16':
                continue
            start, end = about['data_offsets']
            values = np.frombuffer(data[start:end], dtype=np.float16).astype(np.float32)
            self.weights[name] = values.reshape(about['shape'])

    def pieces(self, text):
        """The numbers of the word pieces of a text."""
        text = unicodedata.normalize('NFD', text.lower())
        text = ''.join(letter for letter in text if unicodedata.category(letter) != 'Mn')
        numbers = []
        for word in re.findall(r'[^\W_]+|[^\w\s]|_', text):
            numbers.extend(self.word_pieces(word))
        return numbers

    def word_pieces(self, word):
        numbers, start = [], 0
        while start < len(word):
            end = len(word)
            while end > start:
                piece = ('##' if start > 0 else '') + word[start:end]
                if piece in self.vocabulary:
                    break
                end -= 1
            if end == start:
                return [self.vocabulary['[UNK]']]
            numbers.append(self.vocabulary[piece])
            start = end
        return numbers

    def embed(self, lists, batch=64):
        """The vectors of lists of pieces."""
        out = np.zeros((len(lists), 384), dtype=np.float32)
        order = sorted(range(len(lists)), key=lambda at: len(lists[at]))
        first, last = self.vocabulary['[CLS]'], self.vocabulary['[SEP]']
        for start in range(0, len(order), batch):
            part = order[start : start + batch]
            texts = [[first, *lists[at][:62], last] for at in part]
            length = max(map(len, texts))
            ids = np.zeros((len(texts), length), dtype=np.int64)
            mask = np.zeros((len(texts), length), dtype=np.float32)
            for row, text in enumerate(texts):
                ids[row, : len(text)] = text
                mask[row, : len(text)] = 1
            out[part] = self.forward(ids, mask)
        return out

    def forward(self, ids, mask):
        w = self.weights
        size, length = ids.shape
        x = (
            w['embeddings.word_embeddings.weight'][ids]
            + w['embeddings.position_embeddings.weight'][None, :length]
            + w['embeddings.token_type_embeddings.weight'][0]
        )
        x = self.norm(x, 'embeddings.LayerNorm')
        hidden = (1 - mask)[:, None, None, :] * -1e9
        for layer in range(6):
            at = f'encoder.layer.{layer}.'
            heads = [
                self.dense(x, f'{at}attention.self.{part}').reshape(size, length, 12, 32).transpose(0, 2, 1, 3)
                for part in ('query', 'key', 'value')
            ]
            query, key, value = heads
            scores = query @ key.transpose(0, 1, 3, 2) / np.sqrt(32, dtype=np.float32) + hidden
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            scores /= scores.sum(-1, keepdims=True)
            mixed = (scores @ value).transpose(0, 2, 1, 3).reshape(size, length, 384)
            x = self.norm(x + self.dense(mixed, f'{at}attention.output.dense'), f'{at}attention.output.LayerNorm')
            inner = self.dense(x, f'{at}intermediate.dense')
            inner = 0.5 * inner * (1 + np.tanh(0.7978845608 * (inner + 0.044715 * inner * inner * inner)))
            x = self.norm(x + self.dense(inner, f'{at}output.dense'), f'{at}output.LayerNorm')
        mean = (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        return mean / np.linalg.norm(mean, axis=1, keepdims=True)

    def dense(self, x, name):
        return x @ self.weights[f'{name}.weight'].T + self.weights[f'{name}.bias']

    def norm(self, x, name):
        mean = x.mean(-1, keepdims=True)
        variance = ((x - mean) ** 2).mean(-1, keepdims=True)
        return (x - mean) / np.sqrt(variance + 1e-12) * self.weights[f'{name}.weight'] + self.weights[f'{name}.bias']
