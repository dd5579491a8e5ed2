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
    let sum = 0;
    for (let position = 0; position < vector.length; position++)
      sum += (vector[position] as number) * (this.#bytes[start + position] as number);
    return sum / ((this.#lengths[tool] as number) * length || 1);
  }
}

export function lengthOf(vector: TextVector): number {
  return Math.hypot(...vector);
}
