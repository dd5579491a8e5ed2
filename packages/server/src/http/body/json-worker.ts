import { parentPort, workerData } from 'node:worker_threads';
import { compactJson, cutJson } from '@executor/engine';

/** What the thread does: it builds the value, writes the text in its shortest form, or cuts it. */
export type JsonJob = { bytes: Uint8Array } & (
  | { as: 'value' }
  | { as: 'text'; quoteLarge: boolean }
  | { as: 'cut'; maxBytes: number }
);

/** The thread's only message. */
export type ParsedInThread =
  | { type: 'value'; value: unknown }
  | { type: 'text'; bytes: Uint8Array }
  | { type: 'invalid'; message: string }
  | { type: 'tooDeep' };

const done = perform(workerData as JsonJob);
parentPort?.postMessage(done, done.type === 'text' ? [done.bytes.buffer as ArrayBuffer] : []);

function perform(job: JsonJob): ParsedInThread {
  try {
    if (job.as === 'text') return { type: 'text', bytes: compactJson(job.bytes, job) };
    const text = new TextDecoder().decode(job.bytes);
    if (job.as === 'value') return { type: 'value', value: JSON.parse(text) };
    return { type: 'text', bytes: new TextEncoder().encode(cutJson(text, job.maxBytes)) };
  } catch (error) {
    return error instanceof RangeError
      ? { type: 'tooDeep' }
      : { type: 'invalid', message: (error as Error).message };
  }
}
