import type { TextVector } from '@executor/engine';
import type { CatalogView } from '../ranking/catalog-view.ts';
import { tuning } from '../ranking/tuning.ts';
import { lengthOf } from './model-vectors.ts';
import { byteScale, type WordVectors } from './word-vectors.ts';

/** How similar the meanings of tools are to that of a text. */
export interface Meanings {
  /** The similarity of each tool. */
  similarities: Float32Array;
  /** A language model has compared them, so they are on its scale. */
  byModel: boolean;
}

/** Vectors that the meanings of a request are compared by. */
export interface MeaningVectors {
  words: WordVectors | undefined;
  /** The vectors that a language model has computed of texts of the request. */
  texts: ReadonlyMap<string, TextVector>;
}

/**
 * Compares the meaning of a text with those of all tools. If a language model has a vector of the text, both kinds of
 * vectors count. Word vectors stand for both in a source that the model has not read yet.
 */
export function meaningsOf(
  view: CatalogView,
  text: string,
  { words, texts }: MeaningVectors,
): Meanings | undefined {
  const similarities = words && wordSimilarities(view, text, words);
  const vector = texts.get(text);
  if (vector === undefined || view.sources.every(({ index }) => index.modelVectors === undefined))
    return similarities && { similarities, byModel: false };
  return { similarities: withModel(view, vector, similarities), byModel: true };
}

function withModel(
  view: CatalogView,
  vector: TextVector,
  byWords: Float32Array = new Float32Array(view.total),
): Float32Array {
  const { share, expected } = tuning.model;
  const length = lengthOf(vector);
  const found = new Float32Array(view.total);
  for (const [source, { index }] of view.sources.entries()) {
    const { modelVectors } = index;
    const offset = view.offsetOf(source);
    for (let tool = 0; tool < index.size; tool++) {
      const similarity = byWords[offset + tool] as number;
      found[offset + tool] = modelVectors
        ? (1 - share) * similarity + share * modelVectors.similarity(tool, vector, length)
        : expected * similarity;
    }
  }
  return found;
}

function wordSimilarities(view: CatalogView, text: string, vectors: WordVectors): Float32Array | undefined {
  const wanted = vectors.vectorOf(text);
  if (wanted === undefined) return undefined;
  const found = new Float32Array(view.total);
  for (const [source, { index }] of view.sources.entries()) {
    const { vectors: bytes } = index.data;
    if (bytes === undefined || bytes.length !== index.size * wanted.length) continue;
    const offset = view.offsetOf(source);
    for (let tool = 0; tool < index.size; tool++)
      found[offset + tool] = dot(wanted, bytes, tool * wanted.length) / (127 * byteScale);
  }
  return found;
}

/** How similar a word is to the most similar word in the names and summaries of tools. */
export function nearness(view: CatalogView, word: string, vectors: WordVectors): number {
  const wanted = vectors.vectorOf(word);
  if (wanted === undefined) return 0;
  let best = 0;
  for (const { index } of view.sources) {
    const { wordVectors = new Int8Array() } = index.data;
    for (let start = 0; start < wordVectors.length; start += wanted.length)
      best = Math.max(best, dot(wanted, wordVectors, start));
  }
  return best / (127 * byteScale);
}

/** Two sums that do not wait for each other take less time than one. The vectors have an even length. */
function dot(one: Float32Array, bytes: Int8Array, start: number): number {
  let even = 0;
  let odd = 0;
  for (let position = 0; position < one.length; position += 2) {
    even += (one[position] as number) * (bytes[start + position] as number);
    odd += (one[position + 1] as number) * (bytes[start + position + 1] as number);
  }
  return even + odd;
}
