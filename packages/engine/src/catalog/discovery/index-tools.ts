import { type PackedTools, searchedIn } from '../tool-pack.ts';
import { buildIndex } from './build-index.ts';
import type { IndexData } from './index-data.ts';
import { searchableTools } from './searchable-tool.ts';

/** Makes the index of packed tools. It takes a while: 25,000 tools take a second of computing. */
export async function indexTools(packed: PackedTools): Promise<IndexData> {
  const { rows, words } = await searchedIn(packed);
  return buildIndex(searchableTools(rows, words), words.texts);
}
