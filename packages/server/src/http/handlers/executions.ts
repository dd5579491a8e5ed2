import type { Engine } from '@executor/engine';
import type { Handlers } from '../handler.ts';
import type { ByteStream } from '../stream/bytes-response.ts';
import { streamOf } from '../stream/stream-of.ts';

/** Runs, their events and their artifacts. */
export function executionHandlers({
  artifacts,
  executions,
  store,
}: Engine): Pick<Handlers, 'executions' | 'events' | 'artifacts'> {
  return {
    executions: {
      create: (request, { principal, signal }) => executions.create(principal, request, signal),
      list: (query, { principal }) => executions.list(principal, query),
      get: ({ id }, { principal }) => executions.get(principal, id),
      calls: ({ id, ...page }, { principal }) => executions.calls(principal, id, page),
      events: ({ id, after, follow }, { principal, signal }) =>
        executions.events(principal, id, { after, follow }, signal),
      wait: ({ id, waitMs }, { principal, signal }) => executions.wait(principal, id, { waitMs }, signal),
      cancel: ({ id }, { principal }) => executions.cancel(principal, id),
      replay: ({ id }, { principal }) => executions.replay(principal, id),
    },
    events: {
      async list({ after, follow }, { principal, signal, beginAt }) {
        // The caller gets the id at which "from now on" begins, so that a stream cut off before its first event loses nothing.
        const from = after ?? (await store.executions.feedEnd(principal.workspaceId));
        beginAt(from);
        return executions.workspaceEvents(principal, { after: from, follow }, signal);
      },
    },
    artifacts: {
      async get({ id }, { principal }): Promise<ByteStream> {
        const { pieces, ...artifact } = await artifacts.open(principal, id);
        return { ...artifact, stream: (part) => streamOf(pieces(part)) };
      },
    },
  };
}
