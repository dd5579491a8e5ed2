import type { CatalogView } from '../ranking/catalog-view.ts';
import { byteScale, type WordVectors } from './word-vectors.ts';

/** The similarity of each tool's meaning to that of a text. */
export function similarities(
  view: CatalogView,
  text: string,
  vectors: WordVectors,
): Float32Array | undefined {
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
