import type { IndexData } from '../catalog/discovery/index-data.ts';
import type { PackedTools } from '../catalog/tool-pack.ts';

/**
 * Makes the index that tools are found by. It computes for a while, so whoever implements it does that where nobody waits: on another thread.
 * It must never change what it is given, and throws where no index can be made of it.
 */
export interface Indexer {
  index(tools: PackedTools): Promise<IndexData>;
}
