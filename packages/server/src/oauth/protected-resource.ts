import type { Engine } from '@executor/engine';
import { type ErrorCode, ExecutorError, type Principal } from '@executor/protocol';

import type { AuthorizationServer } from './authorization-server.ts';
import { isOwnAddress, type RequestAddress } from './request-address.ts';
import { agentScope, verifyToken } from './verify-token.ts';

interface Options {
  server: AuthorizationServer;
  clients: Engine['oauthClients'];
  /** The server's public URL. Without it, the address of the request counts. */
  publicUrl: string | undefined;
}

/** Where a protected resource names its authorization server (RFC 9728), without and with the resource's path. */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource';
export const mcpMetadataPath = `${resourceMetadataPath}/mcp`;

/**
 * `/mcp` as a resource of an OAuth authorization server. Its name is `publicUrl`, or else the address of a request from this machine. If
 * that address could belong to another server, the resource has no name; otherwise a token for that server would be accepted here.
 */
export class ProtectedResource {
  readonly server: AuthorizationServer;
  readonly #clients: Engine['oauthClients'];
  readonly #publicUrl: string | undefined;

  constructor({ server, clients, publicUrl }: Options) {
    this.server = server;
    this.#clients = clients;
    this.#publicUrl = publicUrl;
  }

  /** Verifies a token and returns its agent. */
  async admit(token: string, address: RequestAddress): Promise<Principal> {
    const base = this.#baseOf(address);
    if (base === undefined) throw new ExecutorError('unauthenticated', nameless(address));
    const identity = await verifyToken(token, { server: this.server, resource: `${base}/mcp` });
    return this.#clients.admit(identity);
  }

  async metadata(address: RequestAddress): Promise<Record<string, unknown>> {
    const base = this.#baseOf(address);
    if (base === undefined) throw new ExecutorError('notFound', nameless(address));
    return {
      resource: `${base}/mcp`,
      resource_name: 'Executor',
      authorization_servers: [await this.server.name()],
      scopes_supported: [agentScope],
      bearer_methods_supported: ['header'],
    };
  }

  /** The `www-authenticate` header: how to get a token, and why the current one was rejected. */
  challenge(
    address: RequestAddress,
    refusal: { code: ErrorCode; message: string; hasCredential: boolean },
  ): string {
    const error = refusal.code === 'forbidden' ? 'insufficient_scope' : 'invalid_token';
    const base = this.#baseOf(address);
    const parameters = {
      realm: 'executor',
      // Without a base URL no token would be accepted, so the challenge does not ask for one.
      ...(base !== undefined && { resource_metadata: `${base}${mcpMetadataPath}`, scope: agentScope }),
      ...(refusal.hasCredential && {
        error,
        error_description: refusal.message.replace(/[^ !#-[\]-~]/g, "'"),
      }),
    };
    return `Bearer ${Object.entries(parameters)
      .map(([name, value]) => `${name}="${value}"`)
      .join(', ')}`;
  }

  #baseOf(address: RequestAddress): string | undefined {
    if (this.#publicUrl !== undefined) return this.#publicUrl;
    return isOwnAddress(address) ? new URL(`http://${address.host}`).origin : undefined;
  }
}

function nameless({ host }: RequestAddress): string {
  return `Tokens are not accepted for "${host}", because it may be the address of another server. Use the server's own address on its own machine, or set its public address with \`executor config set publicUrl URL\`.`;
}
