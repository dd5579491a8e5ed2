import { Worker } from 'node:worker_threads';
import { type JsonReader, localJsonReader, mediumAnswerBytes, textOf } from '@executor/engine';
import { ExecutorError } from '@executor/protocol';
import type { JsonJob, ParsedInThread } from '../http/body/json-worker.ts';

/** The thread needs this besides the bytes, for long strings with escapes, and for the values of a text that it cuts. */
const memoryMb = 512;

/**
 * Reads large JSON on a thread, whose memory is freed afterwards. There is one thread at a time. The queue is short, because each text in it
 * holds a part of the memory for answers.
 */
export function threadJsonReader(program: URL): JsonReader {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (job: JsonJob) => {
    const text = last.then(() => readInThread(program, job));
    last = text.catch(() => {});
    return text;
  };
  return {
    read(bytes, options) {
      if (bytes.length <= mediumAnswerBytes) return localJsonReader.read(bytes, options);
      return inTurn({ bytes, as: 'text', ...options });
    },
    cut(bytes, maxBytes) {
      if (bytes.length <= mediumAnswerBytes) return localJsonReader.cut(bytes, maxBytes);
      return inTurn({ bytes, as: 'cut', maxBytes });
    },
  };
}

function readInThread(program: URL, job: JsonJob): Promise<string> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(program, {
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    thread.unref();
    thread.once('message', (done: ParsedInThread) => {
      if (done.type === 'text') resolve(textOf(done.bytes as Uint8Array<ArrayBuffer>));
      else if (done.type === 'invalid') reject(new SyntaxError(done.message));
      else reject(new RangeError('The JSON is nested too deeply.'));
    });
    thread.once('error', (cause) => reject(tooMuch(cause)));
    thread.once('exit', () => reject(tooMuch()));
  });
}

function tooMuch(cause?: unknown): ExecutorError {
  return new ExecutorError('payloadTooLarge', 'Reading the JSON takes too much memory.', { cause });
}
