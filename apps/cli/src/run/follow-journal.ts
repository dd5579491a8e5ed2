import { setTimeout as sleep } from 'node:timers/promises';
import { type ExecutionEvent, isFinished } from '@executor/protocol';
import { isAway, type SteadyServer } from './steady-server.ts';

interface FollowOptions {
  id: string;
  onEvent: (event: ExecutionEvent) => void;
  signal: AbortSignal;
  /** Only events after this one. */
  after?: string | undefined;
}

/** Reports each event of a run once, in order, also over restarts of the server, until the run has finished or the signal is aborted. */
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
      // The stream of a finished run is complete.
      if (finished) return;
      finished = isFinished((await server.client.executions.get({ id }, { signal })).status);
      if (!finished) await sleep(pauseMs, undefined, { signal });
    } catch (error) {
      if (signal.aborted) return;
      if (!isAway(error)) throw error;
      await server.waitForServer(signal).catch(() => undefined);
    }
  }
}

const pauseMs = 250;
const endings = new Set(['execution.completed', 'execution.failed', 'execution.cancelled']);
