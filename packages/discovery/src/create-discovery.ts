import type { Discovery } from '@executor/engine';
import { buildIndex } from './index/build-index.ts';
import { OpenIndex, searchedSource } from './index/open-index.ts';
import type { ToolIndex } from './index/tool-index.ts';
import { WordVectors } from './meaning/word-vectors.ts';
import { searchSteps } from './search.ts';

interface DiscoveryOptions {
  /** The file of word vectors. Without it, only words are compared. */
  vectorsFile?: string | URL;
  onProblem?(message: string, details: Record<string, unknown>): void;
}

/** Discovery by words, and by meaning if there is a file of word vectors. */
export function createDiscovery({ vectorsFile, onProblem }: DiscoveryOptions = {}): Discovery {
  let vectors: WordVectors | undefined;
  let isRead = vectorsFile === undefined;
  const wordVectors = () => {
    if (isRead) return vectors;
    isRead = true;
    try {
      vectors = WordVectors.read(vectorsFile as string | URL);
    } catch (error) {
      onProblem?.('the word vectors could not be read, so search compares only words', { error });
    }
    return vectors;
  };
  return {
    index: (tools) => buildIndex(tools, wordVectors()),
    open: (index) => new OpenIndex(index as ToolIndex),
    search: (sources, request, options) =>
      searchSteps(sources.map(searchedSource), request, options, wordVectors()),
  };
}
