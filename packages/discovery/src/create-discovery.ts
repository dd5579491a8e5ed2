import type { Discovery } from '@executor/engine';
import { buildIndex } from './index/build-index.ts';
import { OpenIndex, searchedSource } from './index/open-index.ts';
import type { ToolIndex } from './index/tool-index.ts';
import { WordVectors } from './meaning/word-vectors.ts';
import { requestTexts, searchSteps } from './search.ts';

interface DiscoveryOptions {
  /** The file of word vectors. Without it, only words are compared. */
  vectorsFile?: string | URL;
  /** Whether a language model computes vectors of texts. Without one, indexes keep no texts. */
  hasModel?: boolean;
  onProblem?(message: string, details: Record<string, unknown>): void;
}

/** Discovery by words, and by meaning if there is a file of word vectors. */
export function createDiscovery({
  vectorsFile,
  hasModel = false,
  onProblem,
}: DiscoveryOptions = {}): Discovery {
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
    index: (tools) => buildIndex(tools, wordVectors(), hasModel),
    open: (index) => new OpenIndex(index as ToolIndex),
    requestTexts: (sources, request) => requestTexts(sources.map(searchedSource), request),
    search: (sources, request, options) =>
      searchSteps(sources.map(searchedSource), request, options, wordVectors()),
  };
}
