import { setTimeout as sleep } from 'node:timers/promises';
import { type ExecutionEvent, isFinished } from '@executor/protocol';
import { isAway, type SteadyServer } from './steady-server.ts';

interface FollowOptions {
  id: string;
  onEvent: (event: ExecutionEvent) => void;
  signal: AbortSignal;
  /** Only what comes after this event. */
  after?: string | undefined;
}

/** Tells each event of a run once, in order, until the run has finished or the signal says to stop; over restarts of the server. */
export async function followJournal(
  server: SteadyServer,
  { id, onEvent, signal, after }: FollowOptions,
): Promise<void> {
  let last = after;
  let finished = false;
  while (!signal.aborted) {
    const stream = server.client.executions.events(
      { id, after: last },
      { signal: AbortSignal.any([signal, server.moved]) },
    );
    try {
      for await (const event of stream) {
        last = event.id;
        onEvent(event);
        if (endings.has(event.type)) return;
      }
      // The stream of a run that had finished before it began is whole.
      if (finished) return;
      finished = isFinished((await server.client.executions.get({ id }, { signal })).status);
      if (!finished) await sleep(pauseMs, undefined, { signal });
    } catch (error) {
      if (signal.aborted) return;
      if (!isAway(error)) throw error;
      await server.comeBack(signal).catch(() => undefined);
    }
  }
}

const pauseMs = 250;
const endings = new Set(['execution.completed', 'execution.failed', 'execution.cancelled']);
