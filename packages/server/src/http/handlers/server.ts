import { type Engine, listAudit } from '@executor/engine';
import { nonceHeader, openApiDocument } from '@executor/protocol';
import type { Handlers } from '../handler.ts';

/** The server itself: health, OpenAPI document, workers, resources, audit and settings. */
export function serverHandlers(
  { store, worker, workspaces, installation, resources, quotas, requestProofs }: Engine,
  version: string,
): Pick<Handlers, 'health' | 'openapi' | 'workers' | 'resources' | 'audit' | 'settings'> {
  // Created at the first request, because it takes as long as the rest of the start.
  let openapi: ReturnType<typeof openApiDocument> | undefined;
  return {
    health: {
      get(_, { http }) {
        const available = store.isAvailable();
        if (!available) http.status(503);
        http.header(nonceHeader, requestProofs.nonce);
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
    resources: {
      list: async (_, { principal }) => ({
        items: [...resources.usage(), ...(await quotas.usage(principal.workspaceId))],
      }),
    },
    audit: { list: (page, { principal }) => listAudit(store, principal, page) },
    settings: {
      get: (_, { principal }) => workspaces.settings(principal),
      update: (change, { principal }) => workspaces.changeSettings(principal, change),
    },
  };
}
