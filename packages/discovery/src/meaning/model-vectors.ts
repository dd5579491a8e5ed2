import type { TextVector } from '@executor/engine';

/** The vectors that a language model has computed of the tools of a source. Only their directions count. */
export class ModelVectors {
  readonly #dimensions: number;
  readonly #bytes: Int8Array;
  readonly #lengths: Float32Array;

  constructor(vectors: readonly TextVector[]) {
    this.#dimensions = vectors[0]?.length ?? 0;
    this.#bytes = new Int8Array(vectors.length * this.#dimensions);
    this.#lengths = Float32Array.from(vectors, lengthOf);
    for (const [position, vector] of vectors.entries()) this.#bytes.set(vector, position * this.#dimensions);
  }

  /** The cosine of the angle between the vector of a tool and another one. */
  similarity(tool: number, vector: TextVector, length: number): number {
    const start = tool * this.#dimensions;
    const bytes = this.#bytes;
    // Two sums of 32-bit integers do not wait for each other.
    let even = 0;
    let odd = 0;
    for (let position = 0; position < vector.length; position += 2) {
      even = (even + Math.imul(vector[position] as number, bytes[start + position] as number)) | 0;
      odd = (odd + Math.imul(vector[position + 1] as number, bytes[start + position + 1] as number)) | 0;
    }
    return (even + odd) / ((this.#lengths[tool] as number) * length || 1);
  }
}

export function lengthOf(vector: TextVector): number {
  let sum = 0;
  for (const value of vector) sum += value * value;
  return Math.sqrt(sum);
}
