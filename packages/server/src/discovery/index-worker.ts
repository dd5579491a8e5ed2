import { parentPort, workerData } from 'node:worker_threads';
import { createDiscovery } from '@executor/discovery';
import { type IndexData, type PackedTools, toolTexts } from '@executor/engine';

/** What the thread indexes. */
export interface IndexJob {
  tools: PackedTools;
  wordVectors: string;
  /** Whether a language model computes vectors of texts. */
  hasModel: boolean;
}

/** The thread's only message. */
export type IndexedInThread = { type: 'index'; index: IndexData } | { type: 'failed'; message: string };

const { tools, wordVectors, hasModel } = workerData as IndexJob;
try {
  const discovery = createDiscovery({ vectorsFile: new URL(wordVectors), hasModel });
  const index = discovery.index(await toolTexts(tools));
  parentPort?.postMessage({ type: 'index', index } satisfies IndexedInThread);
} catch (error) {
  parentPort?.postMessage({ type: 'failed', message: (error as Error).message } satisfies IndexedInThread);
}
