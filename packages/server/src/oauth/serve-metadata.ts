import { ExecutorError } from '@executor/protocol';
import type { Hono } from 'hono';
import { addressedOf } from './addressed.ts';
import { mcpMetadataPath, type ProtectedResource, resourceMetadataPath } from './protected-resource.ts';

/** The documents by which a client finds out how to get a token; where no authorization server is configured, that it needs a key. */
export function serveMetadata(app: Hono, resource: ProtectedResource | undefined): void {
  for (const path of [resourceMetadataPath, mcpMetadataPath]) {
    app.get(path, async (http) => http.json(await required(resource).metadata(addressedOf(http))));
  }
  // Clients of 2025-03-26 look for it here, and not at the authorization server itself.
  app.get('/.well-known/oauth-authorization-server', async (http) =>
    http.json(await required(resource).server.metadata()),
  );
}

function required(resource: ProtectedResource | undefined): ProtectedResource {
  if (resource !== undefined) return resource;
  throw new ExecutorError(
    'notFound',
    'This server trusts no OAuth authorization server: MCP clients need a key (`executor keys create NAME`). MCP_AUTHORIZATION_SERVER names one.',
  );
}
