import { setTimeout as sleep } from 'node:timers/promises';
import { ExecutorError } from '@executor/protocol';

/** How long the test waits for an answer, so that the times show how long the server takes. */
export const patienceMs = 120_000;

/** Repeats a request until it has a result. */
export async function until<Result>(find: () => Promise<Result | undefined>): Promise<Result> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const result = await find();
    if (result !== undefined) return result;
    if (performance.now() > deadline) throw new Error(`This did not happen in time: ${find}`);
    await sleep(50);
  }
}

/** Sends a request with an idempotency key, and again if a busy machine did not finish it in time. */
export async function untilAnswered<Response>(send: () => Promise<Response>): Promise<Response> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await send();
    } catch (error) {
      const isLate =
        error instanceof ExecutorError && ['timeout', 'databaseUnavailable'].includes(error.code);
      if (!isLate || performance.now() > deadline) throw error;
      await sleep(200);
    }
  }
}
