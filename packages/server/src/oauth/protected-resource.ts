import type { Engine } from '@executor/engine';
import { type ErrorCode, ExecutorError, type Principal } from '@executor/protocol';
import { type Addressed, isOwnAddress } from './addressed.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { agentScope, verifyToken } from './verify-token.ts';

interface Options {
  server: AuthorizationServer;
  clients: Engine['oauthClients'];
  /** Where the server is reached, if not where its requests say. */
  publicUrl: string | undefined;
}

/** Where a protected resource tells which authorization server it trusts (RFC 9728), and where that is for a resource with a path. */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource';
export const mcpMetadataPath = `${resourceMetadataPath}/mcp`;

/**
 * `/mcp` as a resource of an OAuth authorization server. Its name is its address: `publicUrl`, or else what a request from this machine was
 * addressed to. Where that could be the name of another server too it has none: a token for that one would be taken here.
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

  /** The agent that a token stands for. */
  async admit(token: string, addressed: Addressed): Promise<Principal> {
    const base = this.#baseOf(addressed);
    if (base === undefined) throw new ExecutorError('unauthenticated', nameless(addressed));
    const identity = await verifyToken(token, { server: this.server, resource: `${base}/mcp` });
    return this.#clients.admit(identity);
  }

  async metadata(addressed: Addressed): Promise<Record<string, unknown>> {
    const base = this.#baseOf(addressed);
    if (base === undefined) throw new ExecutorError('notFound', nameless(addressed));
    return {
      resource: `${base}/mcp`,
      resource_name: 'Executor',
      authorization_servers: [await this.server.name()],
      scopes_supported: [agentScope],
      bearer_methods_supported: ['header'],
    };
  }

  /** What a client needs to know to get a token, and what was wrong with the one that it has. */
  challenge(addressed: Addressed, refusal: { code: ErrorCode; message: string; isGiven: boolean }): string {
    const error = refusal.code === 'forbidden' ? 'insufficient_scope' : 'invalid_token';
    const base = this.#baseOf(addressed);
    const parameters = {
      realm: 'executor',
      // Where no token would be taken, nobody is sent to get one.
      ...(base !== undefined && { resource_metadata: `${base}${mcpMetadataPath}`, scope: agentScope }),
      ...(refusal.isGiven && { error, error_description: refusal.message.replace(/[^ !#-[\]-~]/g, "'") }),
    };
    return `Bearer ${Object.entries(parameters)
      .map(([name, value]) => `${name}="${value}"`)
      .join(', ')}`;
  }

  #baseOf(addressed: Addressed): string | undefined {
    if (this.#publicUrl !== undefined) return this.#publicUrl;
    return isOwnAddress(addressed) ? new URL(`http://${addressed.host}`).origin : undefined;
  }
}

function nameless({ host }: Addressed): string {
  return `Tokens are not taken here: this server was addressed as "${host}", which need not be its own address. On its machine and at its own port it needs no other name; elsewhere \`executor config set publicUrl URL\` says what its address is.`;
}
