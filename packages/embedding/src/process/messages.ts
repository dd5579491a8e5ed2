/** Messages to the process of a model. */
export interface ToModel {
  id: number;
  texts: readonly string[];
}

/** Messages from it. `megabytes` is its memory. */
export type FromModel =
  | { type: 'ready' }
  | { type: 'vectors'; id: number; vectors: Int8Array[]; megabytes: number }
  /** The model cannot be loaded. */
  | { type: 'unusable'; reason: string };
