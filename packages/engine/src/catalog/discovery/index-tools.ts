import type { PackedTools } from '../../ports/source.ts';
import { wordsIn } from '../tool-pack.ts';
import { buildIndex } from './build-index.ts';
import type { IndexData } from './index-data.ts';

/** Makes the index of packed tools. It computes for a while: 25,000 tools take half a second. */
export async function indexTools(packed: PackedTools): Promise<IndexData> {
  return buildIndex(await wordsIn(packed));
}
