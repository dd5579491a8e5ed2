import { Worker } from 'node:worker_threads';
import { type IndexData, type Indexer, indexTools, type PackedTools } from '@executor/engine';
import type { IndexedApart } from './index-worker.ts';

const memoryMb = 1_024;
/** 50,000 tools take some seconds; what takes longer than this would keep the sources of everybody else waiting. */
const longestMs = 60_000;
/** So little is indexed long before a thread has started. Whoever opens a source has read as much of it on this thread already. */
const littleBytes = 16 * 1024;

/**
 * Makes indexes on a thread that ends with its work, and its memory with it. One after the other: a start with many sources must not keep
 * all cores from those who ask for something else.
 */
export function threadIndexer(program: URL, deadlineMs = longestMs): Indexer {
  let last: Promise<unknown> = Promise.resolve();
  return {
    index(tools) {
      if (bytesOf(tools) < littleBytes) return indexTools(tools);
      const made = last.then(() => indexApart(program, tools, deadlineMs));
      last = made.catch(() => {});
      return made;
    },
  };
}

function bytesOf(tools: PackedTools): number {
  return tools.reduce((bytes, piece) => bytes + piece.length, 0);
}

function indexApart(program: URL, tools: PackedTools, deadlineMs: number): Promise<IndexData> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(program, {
      workerData: tools,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    // A server that stops does not wait for it.
    thread.unref();
    const late = setTimeout(() => {
      reject(new Error(`The tools could not be indexed within ${deadlineMs / 1_000} seconds.`));
      void thread.terminate();
    }, deadlineMs).unref();
    thread.once('message', (said: IndexedApart) => {
      if (said.type === 'index') resolve(said.index);
      else reject(new Error(said.message));
    });
    thread.once('error', reject);
    thread.once('exit', () => {
      clearTimeout(late);
      reject(new Error('The thread that indexes tools ended before it was done.'));
    });
  });
}
