import { type Engine, listAudit } from '@executor/engine';
import { openApiDocument } from '@executor/protocol';
import type { Handlers } from '../handler.ts';

/** The server itself: whether it works, what it offers, what runs for it, what was done and how it is set. */
export function serverHandlers(
  { store, worker, workspaces, installation }: Engine,
  version: string,
): Pick<Handlers, 'health' | 'openapi' | 'workers' | 'audit' | 'settings'> {
  // Made when it is first asked for: it takes as long as the rest of a start.
  let openapi: ReturnType<typeof openApiDocument> | undefined;
  return {
    health: {
      get(_, { http }) {
        const available = store.isAvailable();
        if (!available) http.status(503);
        return {
          status: available ? 'ok' : 'degraded',
          name: 'executor',
          version,
          installationId: installation.id,
          database: available ? 'ok' : 'unavailable',
        };
      },
    },
    openapi: {
      get() {
        openapi ??= openApiDocument(version);
        return openapi;
      },
    },
    workers: { list: async () => ({ items: await worker.list() }) },
    audit: { list: (page, { principal }) => listAudit(store, principal, page) },
    settings: {
      get: (_, { principal }) => workspaces.settings(principal),
      update: (change, { principal }) => workspaces.changeSettings(principal, change),
    },
  };
}
