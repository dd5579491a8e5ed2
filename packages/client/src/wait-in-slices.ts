import { type ErrorCode, type Execution, ExecutorError, isFinished } from '@executor/protocol';

interface Waiting {
  begin(waitMs: number): Promise<Execution>;
  goOn(id: string, waitMs: number): Promise<Execution>;
}

/** Shorter than the patience of common proxies (60 s) and of Node's fetch (300 s), which no option reaches in a browser. */
const sliceMs = 50_000;

/** An answer that comes this much before its time is one for a reason: the run has ended, needs a person, or the server stops. */
const earlyMs = (askedMs: number) => Math.min(1_000, askedMs / 2);

const passing = new Set<ErrorCode>(['noServer', 'timeout', 'tooManyWaits']);

/** Waits for a run in requests that are short enough to get through. */
export async function waitInSlices(waitMs: number, { begin, goOn }: Waiting): Promise<Execution> {
  const deadline = performance.now() + waitMs;
  let asked = Math.min(waitMs, sliceMs);
  let from = performance.now();
  let execution = await begin(asked);
  for (;;) {
    const now = performance.now();
    const left = Math.floor(deadline - now);
    if (isFinished(execution.status) || left <= 0 || now - from < asked - earlyMs(asked)) return execution;
    asked = Math.min(left, sliceMs);
    from = now;
    try {
      execution = await goOn(execution.id, asked);
    } catch (error) {
      // The run goes on without us: whoever waited needs its id more than to know that the server is away or full just now.
      if (error instanceof ExecutorError && passing.has(error.code)) return execution;
      throw error;
    }
  }
}
