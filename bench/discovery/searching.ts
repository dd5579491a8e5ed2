import { createDiscovery } from '@executor/discovery';
import type { PackedTools, SearchedSource, ToolText } from '@executor/engine';
import { toolTexts } from '@executor/engine';
import { vectorsFile } from '../../packages/discovery/build.ts';

export { search } from '../../packages/discovery/test/searched-tools.ts';

/** Discovery as the product uses it. */
export const discovery = createDiscovery({ vectorsFile });

/** Indexes a source. */
export function searched(
  { namespace, name, texts }: { namespace: string; name: string; texts: ToolText[] },
  by = discovery,
): SearchedSource {
  return { namespace, name, index: by.open(by.index(texts)) };
}

export async function searchedPack(source: {
  namespace: string;
  name: string;
  packed: PackedTools;
}): Promise<SearchedSource> {
  return searched({ ...source, texts: await toolTexts(source.packed) });
}
