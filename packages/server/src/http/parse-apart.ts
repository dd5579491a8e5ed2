import { Worker } from 'node:worker_threads';
import { ExecutorError } from '@executor/protocol';
import type { ParsedApart } from './json-worker.ts';

/** Parses JSON; throws a `SyntaxError` where it is none. The bytes are gone afterwards. */
export type ParseApart = (bytes: Uint8Array<ArrayBuffer>) => Promise<unknown>;

/** A large document as a JSON string is some hundred megabytes on the way. */
const memoryMb = 1_024;

/**
 * On a thread of its own, because everybody would wait: parsing 13 MB takes a tenth of a second. It ends with its work, and its memory
 * with it.
 */
export function jsonParser(program: URL): ParseApart {
  return (bytes) =>
    new Promise((resolve, reject) => {
      const thread = new Worker(program, {
        workerData: bytes,
        transferList: [bytes.buffer],
        resourceLimits: { maxOldGenerationSizeMb: memoryMb },
      });
      thread.once('message', (parsed: ParsedApart) => {
        if (parsed.type === 'value') resolve(parsed.value);
        else reject(new SyntaxError(parsed.message));
      });
      thread.once('error', (cause) => reject(tooMuch(cause)));
      thread.once('exit', () => reject(tooMuch()));
    });
}

function tooMuch(cause?: unknown): ExecutorError {
  return new ExecutorError('payloadTooLarge', 'The body takes more memory to be read than it may.', {
    cause,
  });
}
