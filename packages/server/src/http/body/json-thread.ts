import { Worker } from 'node:worker_threads';
import { ExecutorError } from '@executor/protocol';
import type { JsonJob, ParsedInThread } from './json-worker.ts';

/** Parses JSON and throws a `SyntaxError` if it is invalid. The bytes are moved to the thread and cannot be used afterwards. */
export type ParseInThread = (bytes: Uint8Array<ArrayBuffer>) => Promise<unknown>;

/** Parsing a large document as a JSON string takes some hundred megabytes. */
const memoryMb = 1_024;

/**
 * Parses each body on a new thread, because parsing 13 MB blocks the server's thread for a tenth of a second. The thread and its memory
 * are gone afterwards.
 */
export function jsonParser(program: URL): ParseInThread {
  return (bytes) =>
    new Promise((resolve, reject) => {
      const thread = new Worker(program, {
        workerData: { bytes, as: 'value' } satisfies JsonJob,
        transferList: [bytes.buffer],
        resourceLimits: { maxOldGenerationSizeMb: memoryMb },
      });
      thread.once('message', (parsed: ParsedInThread) => {
        if (parsed.type === 'value') resolve(parsed.value);
        else reject(parsed.type === 'invalid' ? new SyntaxError(parsed.message) : tooMuch());
      });
      thread.once('error', (cause) => reject(tooMuch(cause)));
      thread.once('exit', () => reject(tooMuch()));
    });
}

function tooMuch(cause?: unknown): ExecutorError {
  return new ExecutorError('payloadTooLarge', 'Parsing the body takes too much memory.', {
    cause,
  });
}
