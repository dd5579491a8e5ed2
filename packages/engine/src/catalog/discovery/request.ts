import type { Meaning } from './concepts.ts';
import type { Query } from './query.ts';

/** A request, read and understood. */
export interface Request extends Meaning {
  query: Query;
  /** Whether whoever asks may know of a tool, by its number. */
  isSeen(tool: number): boolean;
}
