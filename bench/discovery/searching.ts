import { createDiscovery } from '@executor/discovery';
import type { PackedTools, SearchedSource, SearchOptions, SearchOutcome, ToolText } from '@executor/engine';
import { toolTexts } from '@executor/engine';
import { vectorsFile } from '../../packages/discovery/build.ts';

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

/** Searches at once, without the pauses between steps. */
export function search(
  sources: SearchedSource[],
  request: string,
  options: SearchOptions,
  by = discovery,
): SearchOutcome {
  const steps = by.search(sources, request, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
