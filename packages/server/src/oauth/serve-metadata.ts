import { ExecutorError } from '@executor/protocol';
import type { Hono } from 'hono';

import { mcpMetadataPath, type ProtectedResource, resourceMetadataPath } from './protected-resource.ts';
import { addressOf } from './request-address.ts';

/** Serves the metadata with which a client gets a token. Without an authorization server, the error says that it needs a key. */
export function serveMetadata(app: Hono, resource: ProtectedResource | undefined): void {
  for (const path of [resourceMetadataPath, mcpMetadataPath]) {
    app.get(path, async (http) => http.json(await required(resource).metadata(addressOf(http))));
  }
  // Clients of 2025-03-26 look for the metadata here instead of at the authorization server.
  app.get('/.well-known/oauth-authorization-server', async (http) =>
    http.json(await required(resource).server.metadata()),
  );
}

function required(resource: ProtectedResource | undefined): ProtectedResource {
  if (resource !== undefined) return resource;
  throw new ExecutorError(
    'notFound',
    'This server has no OAuth authorization server. MCP clients need a key (`executor keys create NAME`). To use OAuth, set MCP_AUTHORIZATION_SERVER.',
  );
}
