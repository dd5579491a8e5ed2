import type { IndexData } from './discovery.ts';
import type { PackedTools } from './source.ts';

/**
 * Builds the search index of a source. An implementation may take seconds of CPU, so it must run on another thread. It must never change
 * the packed tools, and throws if it cannot build an index of them.
 */
export interface Indexer {
  index(tools: PackedTools): Promise<IndexData>;
}
