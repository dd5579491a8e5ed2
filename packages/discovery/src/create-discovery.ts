import type { Discovery } from '@executor/engine';
import { buildIndex } from './index/build-index.ts';
import { OpenIndex, searchedSource } from './index/open-index.ts';
import type { ToolIndex } from './index/tool-index.ts';
import { WordVectors } from './meaning/word-vectors.ts';
import { searchSteps } from './search.ts';

/** Discovery by words, and by meaning if there is a file of word vectors. */
export function createDiscovery({ vectorsFile }: { vectorsFile?: string | URL } = {}): Discovery {
  let vectors: WordVectors | undefined;
  const wordVectors = () => {
    if (vectorsFile !== undefined) vectors ??= WordVectors.read(vectorsFile);
    return vectors;
  };
  return {
    index: (tools) => buildIndex(tools, wordVectors()),
    open: (index) => new OpenIndex(index as ToolIndex),
    search: (sources, request, options) =>
      searchSteps(sources.map(searchedSource), request, options, wordVectors()),
  };
}
