import { ExecutorError, type Worker } from '@executor/protocol';
import type { Environment } from '../environment.ts';
import { createClient } from '../server/client.ts';
import { serverOf } from './answering-server.ts';
import { type Check, failed, type Installation, ok, warning } from './check.ts';

/** Reports the processes that run code, as the server lists them. Empty if no server runs. */
export async function checkWorkers(environment: Environment, installation: Installation): Promise<Check[]> {
  try {
    const server = serverOf(environment, installation);
    if (server === undefined) return [];
    const { items } = await createClient({ ...server, timeoutMs: 5_000 }).workers.list();
    if (items.length > 0) return items.map((worker) => describe(worker));
    return [
      warning(
        'worker',
        'no worker is alive, so new runs stay queued',
        `Start one: \`executor worker\`, or \`executor up\`.`,
      ),
    ];
  } catch (error) {
    if (!(error instanceof ExecutorError)) throw error;
    return [
      failed('worker', `the server did not answer the question: ${error.message}`, `See \`executor logs\`.`),
    ];
  }
}

function describe({ host, pid, running, concurrency, seenAt, draining }: Worker): Check {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(seenAt)) / 1000));
  const seen = seconds === 0 ? 'seen just now' : `seen ${seconds} s ago`;
  return ok(
    'worker',
    `process ${pid} on ${host}: ${running} of ${concurrency} runs, ${seen}${draining ? ', stopping' : ''}`,
  );
}
