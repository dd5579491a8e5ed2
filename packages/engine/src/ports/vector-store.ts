/**
 * Vectors that language models have computed of texts. They belong to no workspace: a vector says nothing about who has
 * the text, and all processes share it. It is found by the model and the hash of its text.
 */
export interface VectorStore {
  /** The known vectors, by hash. Finding a vector uses it. */
  find(model: string, hashes: readonly string[]): Promise<Map<string, Int8Array>>;
  /** Two processes may have computed the same vector. One of them is kept. */
  save(model: string, vectors: ReadonlyMap<string, Int8Array>): Promise<void>;
  /**
   * Deletes vectors that nobody has used for so many days, and those that were used longest ago if there are more than
   * `most`. Deletes at most `limit` of them and returns their number.
   */
  removeUnused(unused: { days: number; most: number; limit: number }): Promise<number>;
}
