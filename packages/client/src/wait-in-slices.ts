import { type ErrorCode, type Execution, ExecutorError, isFinished } from '@executor/protocol';

interface WaitRequests {
  start(waitMs: number): Promise<Execution>;
  waitAgain(id: string, waitMs: number): Promise<Execution>;
}

/** Shorter than the timeouts of common proxies (60 s) and of Node's fetch (300 s). */
const sliceMs = 50_000;

/** A response this much before the end of its slice has a reason: the run has ended, needs a person, or the server stops. */
const earlyMs = (requestedMs: number) => Math.min(1_000, requestedMs / 2);

/** Errors after which the caller can wait again later. */
const temporary = new Set<ErrorCode>(['noServer', 'timeout', 'tooManyWaits', 'tooManyRequests']);

/** Waits for a run with several short requests, because proxies cut long ones. */
export async function waitInSlices(waitMs: number, { start, waitAgain }: WaitRequests): Promise<Execution> {
  const deadline = performance.now() + waitMs;
  let requestedMs = Math.min(waitMs, sliceMs);
  let startedAt = performance.now();
  let execution = await start(requestedMs);
  for (;;) {
    const now = performance.now();
    const leftMs = Math.floor(deadline - now);
    if (isFinished(execution.status) || leftMs <= 0 || now - startedAt < requestedMs - earlyMs(requestedMs))
      return execution;
    requestedMs = Math.min(leftMs, sliceMs);
    startedAt = now;
    try {
      execution = await waitAgain(execution.id, requestedMs);
    } catch (error) {
      // The run continues. Its id is more useful to the caller than a temporary error of the server.
      if (error instanceof ExecutorError && temporary.has(error.code)) return execution;
      throw error;
    }
  }
}
