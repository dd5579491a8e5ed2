import { parentPort, workerData } from 'node:worker_threads';
import { type IndexData, indexTools, type PackedTools } from '@executor/engine';

/** The thread's only message. */
export type IndexedInThread = { type: 'index'; index: IndexData } | { type: 'failed'; message: string };

try {
  const index = await indexTools(workerData as PackedTools);
  parentPort?.postMessage({ type: 'index', index } satisfies IndexedInThread);
} catch (error) {
  parentPort?.postMessage({ type: 'failed', message: (error as Error).message } satisfies IndexedInThread);
}
