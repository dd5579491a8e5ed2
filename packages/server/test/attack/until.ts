import { setTimeout as sleep } from 'node:timers/promises';

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
