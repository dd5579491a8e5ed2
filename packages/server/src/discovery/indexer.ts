import { Worker } from 'node:worker_threads';
import { type Discovery, type IndexData, type Indexer, type PackedTools, toolTexts } from '@executor/engine';
import type { IndexedInThread, IndexJob } from './index-worker.ts';

const memoryMb = 1_024;
/** Indexing 50,000 tools takes some seconds. A longer job would delay the other sources. */
const maxMs = 60_000;

/** Smaller packs are indexed on this thread, because starting a thread would take longer. */
const smallBytes = 16 * 1024;

interface IndexerAssets {
  /** The program of the thread. */
  indexWorker: URL;
  wordVectors: URL;
  /** Whether a language model computes vectors of texts. */
  hasModel?: boolean;
}

/**
 * Builds each index on a new thread, whose memory is freed afterwards. Indexes are built one at a time, so that a start with many sources
 * does not occupy all cores.
 */
export function threadIndexer(discovery: Discovery, assets: IndexerAssets, deadlineMs = maxMs): Indexer {
  let last: Promise<unknown> = Promise.resolve();
  return {
    async index(tools) {
      if (bytesOf(tools) < smallBytes) return discovery.index(await toolTexts(tools));
      const made = last.then(() => indexInThread(assets, tools, deadlineMs));
      last = made.catch(() => {});
      return made;
    },
  };
}

function bytesOf(tools: PackedTools): number {
  return tools.reduce((bytes, piece) => bytes + piece.length, 0);
}

function indexInThread(
  { indexWorker, wordVectors, hasModel = false }: IndexerAssets,
  tools: PackedTools,
  deadlineMs: number,
): Promise<IndexData> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(indexWorker, {
      workerData: { tools, wordVectors: wordVectors.href, hasModel } satisfies IndexJob,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    // The thread does not keep a stopping server alive.
    thread.unref();
    const late = setTimeout(() => {
      reject(new Error(`Indexing the tools took longer than ${deadlineMs / 1_000} seconds.`));
      void thread.terminate();
    }, deadlineMs).unref();
    thread.once('message', (message: IndexedInThread) => {
      if (message.type === 'index') resolve(message.index);
      else reject(new Error(message.message));
    });
    thread.once('error', reject);
    thread.once('exit', () => {
      clearTimeout(late);
      reject(new Error('The indexing thread ended unexpectedly.'));
    });
  });
}
