import { createDiscovery } from '@executor/discovery';
import { toolTexts } from '../src/catalog/tool-text.ts';
import type { IndexData } from '../src/ports/discovery.ts';
import type { PackedTools } from '../src/ports/source.ts';

export const discovery = createDiscovery();

/** Indexes tools as the engine does by default. */
export async function indexTools(tools: PackedTools): Promise<IndexData> {
  return discovery.index(await toolTexts(tools));
}
