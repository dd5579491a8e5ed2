import { parentPort, workerData } from 'node:worker_threads';

/** The thread's only message. */
export type ParsedInThread = { type: 'value'; value: unknown } | { type: 'invalid'; message: string };

parentPort?.postMessage(parse(workerData as Uint8Array));

function parse(bytes: Uint8Array): ParsedInThread {
  try {
    return { type: 'value', value: JSON.parse(new TextDecoder().decode(bytes)) };
  } catch (error) {
    return { type: 'invalid', message: (error as Error).message };
  }
}
