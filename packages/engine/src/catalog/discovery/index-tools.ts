import { ChunkCache } from '../chunk-cache.ts';
import { type PackedTools, ToolPack } from '../tool-pack.ts';
import { buildIndex } from './build-index.ts';
import type { IndexData } from './index-data.ts';
import { searchableTools } from './searchable-tool.ts';

/** Makes the index of packed tools. It takes a while: 25,000 tools take a second of computing. */
export async function indexTools(packed: PackedTools): Promise<IndexData> {
  const pack = await ToolPack.open(packed, new ChunkCache());
  return buildIndex(searchableTools(pack.tools()));
}
