/**
 * Computes vectors of texts with a language model: similar texts have vectors of similar directions.
 *
 * An implementation must:
 * - compute outside of this process, with bounded memory, and end with this process;
 * - use no network;
 * - serve requests before background work, and the keys in turn;
 * - report a model that does not work by itself, once.
 */
export interface Embedder {
  /** Names the model and its version. Vectors of different models cannot be compared. */
  readonly model: string;
  /** One vector for each text. Undefined if the model does not work now, or the wait is too long. */
  embed(texts: readonly string[], job: EmbeddingJob): Promise<TextVector[] | undefined>;
}

/** A job for a request has an owner, the key that is charged. Background work waits as long as it takes. */
export type EmbeddingJob = { type: 'request'; owner: string; waitMs: number } | { type: 'background' };

/** A vector whose direction stands for the meaning of a text. Its length has no meaning. */
export type TextVector = Int8Array;
