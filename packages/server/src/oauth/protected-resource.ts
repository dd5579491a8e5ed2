import { type Engine, oauthAgent } from '@executor/engine';
import type { ErrorCode, Principal } from '@executor/protocol';
import type { AuthorizationServer } from './authorization-server.ts';
import { agentScope, verifyToken } from './verify-token.ts';

interface Options {
  server: AuthorizationServer;
  installation: Engine['installation'];
  /** Where the server is reached, if not where its requests say. */
  publicUrl: string | undefined;
}

/** Where a protected resource tells which authorization server it trusts (RFC 9728), and where that is for a resource with a path. */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource';
export const mcpMetadataPath = `${resourceMetadataPath}/mcp`;

/**
 * `/mcp` as a resource of an OAuth authorization server. Its name is its address: `publicUrl`, or what the request was addressed to, which
 * the guard has checked to be a name of this server by then. A token for another name is none here.
 */
export class ProtectedResource {
  readonly server: AuthorizationServer;
  readonly #installation: Engine['installation'];
  readonly #publicUrl: string | undefined;

  constructor({ server, installation, publicUrl }: Options) {
    this.server = server;
    this.#installation = installation;
    this.#publicUrl = publicUrl;
  }

  /** The agent that a token stands for. */
  async admit(token: string, host: string): Promise<Principal> {
    const identity = await verifyToken(token, { server: this.server, resource: this.resourceOf(host) });
    return oauthAgent(this.#installation.owner, identity);
  }

  metadata(host: string): Record<string, unknown> {
    return {
      resource: this.resourceOf(host),
      resource_name: 'Executor',
      authorization_servers: [this.server.issuer],
      scopes_supported: [agentScope],
      bearer_methods_supported: ['header'],
    };
  }

  /** What a client needs to know to get a token, and what was wrong with the one that it has. */
  challenge(host: string, refusal: { code: ErrorCode; message: string; isGiven: boolean }): string {
    const error = refusal.code === 'forbidden' ? 'insufficient_scope' : 'invalid_token';
    const parameters = {
      realm: 'executor',
      resource_metadata: `${this.#baseOf(host)}${mcpMetadataPath}`,
      scope: agentScope,
      ...(refusal.isGiven && { error, error_description: refusal.message.replace(/[^ !#-[\]-~]/g, "'") }),
    };
    return `Bearer ${Object.entries(parameters)
      .map(([name, value]) => `${name}="${value}"`)
      .join(', ')}`;
  }

  resourceOf(host: string): string {
    return `${this.#baseOf(host)}/mcp`;
  }

  #baseOf(host: string): string {
    return this.#publicUrl ?? new URL(`http://${host}`).origin;
  }
}
