import { parentPort, workerData } from 'node:worker_threads';
import { type IndexData, indexTools, type PackedTools } from '@executor/engine';

/** What the thread says before it ends. */
export type IndexedApart = { type: 'index'; index: IndexData } | { type: 'failed'; message: string };

try {
  const index = await indexTools(workerData as PackedTools);
  parentPort?.postMessage({ type: 'index', index } satisfies IndexedApart);
} catch (error) {
  parentPort?.postMessage({ type: 'failed', message: (error as Error).message } satisfies IndexedApart);
}
