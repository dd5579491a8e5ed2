import { parentPort } from 'node:worker_threads';
import { ChunkCache, PackContents, type PrintJob, type PrintOutcome, printPacked } from '@executor/engine';

/** `source` numbers the sources. Their tools are sent once. `forget` lists sources that are no longer needed. */
export interface ToPrintThread {
  source: number;
  tools?: PrintJob['tools'];
  forget: number[];
  job: Omit<PrintJob, 'tools'>;
}

const cache = new ChunkCache();
const sources = new Map<number, PackContents>();

parentPort?.on('message', ({ source, tools, forget, job }: ToPrintThread) => {
  for (const old of forget) sources.delete(old);
  const startedAt = performance.now();
  const printed = print(source, tools, job);
  const outcome: PrintOutcome = { ...(printed && { printed }), ms: performance.now() - startedAt };
  parentPort?.postMessage(outcome);
});

/** Undefined if the schemas cannot be read. */
function print(source: number, tools: ToPrintThread['tools'], job: ToPrintThread['job']) {
  try {
    const contents = sources.get(source) ?? new PackContents(tools ?? [], cache);
    sources.set(source, contents);
    return printPacked(contents, { ...job, tools: [] });
  } catch {
    return undefined;
  }
}
