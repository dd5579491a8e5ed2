import { parentPort, workerData } from 'node:worker_threads';

/** What the thread says before it ends. */
export type ParsedApart = { type: 'value'; value: unknown } | { type: 'refused'; message: string };

parentPort?.postMessage(parse(workerData as Uint8Array));

function parse(bytes: Uint8Array): ParsedApart {
  try {
    return { type: 'value', value: JSON.parse(new TextDecoder().decode(bytes)) };
  } catch (error) {
    return { type: 'refused', message: (error as Error).message };
  }
}
