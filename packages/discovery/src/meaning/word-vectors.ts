import { readFileSync } from 'node:fs';
import { partsOf } from '../text/terms.ts';
import { eachToken } from '../text/tokens.ts';

/**
 * Vectors of words and of pieces of words, which were distilled from a sentence-embedding model
 * (`vectors/README.md`). The vector of a text is the weighted mean of the vectors of its pieces. Texts with a similar
 * meaning have similar vectors, even if they share no word.
 */
export class WordVectors {
  readonly dimensions: number;
  readonly #pieces: ReadonlyMap<string, number>;
  readonly #vectors: Int8Array;
  /** The length of each vector. Frequent words have short vectors, so that they count less. */
  readonly #weights: Float32Array;
  readonly #known = new Map<string, readonly number[]>();

  private constructor(pieces: string[], weights: Float32Array, vectors: Int8Array) {
    this.dimensions = vectors.length / pieces.length;
    this.#pieces = new Map(pieces.map((piece, number) => [piece, number]));
    this.#weights = weights;
    this.#vectors = vectors;
  }

  /** Reads the file of vectors: the pieces separated by blanks, a line break, their weights, their vectors. */
  static read(file: string | URL): WordVectors {
    const bytes = readFileSync(file);
    const end = bytes.indexOf(10);
    const pieces = bytes.toString('utf8', 0, end).split(' ');
    const weights = new Float32Array(pieces.length);
    new Uint8Array(weights.buffer).set(bytes.subarray(end + 1, end + 1 + weights.byteLength));
    const start = end + 1 + weights.byteLength;
    const vectors = new Int8Array(bytes.buffer, bytes.byteOffset + start, bytes.length - start);
    return new WordVectors(pieces, weights, vectors);
  }

  /** The vector of a text, of length 1; undefined if it has no known word. */
  vectorOf(text: string): Float32Array | undefined {
    const sum = new Float32Array(this.dimensions);
    eachToken(text, (token) => {
      for (const word of partsOf(token)) for (const piece of this.#piecesOf(word)) this.#add(sum, piece);
    });
    const length = Math.hypot(...sum);
    return length === 0 ? undefined : sum.map((value) => value / length);
  }

  /** The same as bytes; zeros if it has no known word. */
  bytesOf(text: string): Int8Array {
    return Int8Array.from(this.vectorOf(text) ?? new Float32Array(this.dimensions), (value) =>
      Math.round(Math.max(-1, Math.min(1, value * byteScale)) * 127),
    );
  }

  #add(sum: Float32Array, piece: number): void {
    const weight = this.#weights[piece] as number;
    const start = piece * this.dimensions;
    for (let position = 0; position < sum.length; position++)
      sum[position] = (sum[position] as number) + weight * (this.#vectors[start + position] as number);
  }

  /** Cuts a word into the longest known pieces, from left to right. None if a part of it is unknown, or the word is too long. */
  #piecesOf(word: string): readonly number[] {
    if (word.length > maxWordChars) return [];
    const known = this.#known.get(word);
    if (known) return known;
    const pieces: number[] = [];
    for (let start = 0; start < word.length; ) {
      let end = word.length;
      let piece: number | undefined;
      for (; end > start && piece === undefined; end--)
        piece = this.#pieces.get(`${start > 0 ? '##' : ''}${word.slice(start, end)}`);
      if (piece === undefined) return [];
      pieces.push(piece);
      start = end + 1;
    }
    if (this.#known.size > maxKnown) this.#known.clear();
    this.#known.set(word, pieces);
    return pieces;
  }
}

/** The values of a vector of length 1 are small. Larger ones are cut. */
export const byteScale = 3;
const maxKnown = 1 << 14;
/** Longer words are encoded bytes, keys or links. */
const maxWordChars = 40;
