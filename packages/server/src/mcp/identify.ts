import type { Engine } from '@executor/engine';
import { ExecutorError, type Principal } from '@executor/protocol';
import type { Context } from 'hono';
import { secretOf } from '../auth/credential.ts';
import { challengeWith } from '../http/error-response.ts';

import type { ProtectedResource } from '../oauth/protected-resource.ts';
import { addressOf } from '../oauth/request-address.ts';
import { isToken } from '../oauth/verify-token.ts';

/**
 * Identifies the caller of `/mcp` by a key, the local token, or a token of the configured authorization server. Browser sessions do not
 * count here. A rejected caller learns where to get a token.
 */
export function identifyClients(
  engine: Engine,
  resource: ProtectedResource | undefined,
): (http: Context) => Promise<Principal> {
  return async (http) => {
    const header = (name: string) => http.req.header(name);
    try {
      const credential = secretOf(header);
      const isBearer = header('authorization') !== undefined && credential.type === 'secret';
      if (resource && isBearer && isToken(credential.secret)) {
        return await resource.admit(credential.secret, addressOf(http));
      }
      const principal = await engine.authenticate(credential);
      if (principal !== undefined) return principal;
      throw unauthenticated(resource, { isBearer });
    } catch (error) {
      if (resource && error instanceof ExecutorError) explain(http, resource, error);
      throw error;
    }
  };
}

function explain(http: Context, resource: ProtectedResource, { code, message }: ExecutorError): void {
  if (code !== 'unauthenticated' && code !== 'forbidden') return;
  const hasCredential =
    http.req.header('authorization') !== undefined || http.req.header('x-api-key') !== undefined;
  challengeWith(http, resource.challenge(addressOf(http), { code, message, hasCredential }));
}

function unauthenticated(
  resource: ProtectedResource | undefined,
  { isBearer }: { isBearer: boolean },
): ExecutorError {
  const key =
    'a valid key: "Authorization: Bearer KEY" or "x-api-key: KEY". Create one with `executor keys create NAME`. `executor mcp` needs no key.';
  if (resource === undefined) return new ExecutorError('unauthenticated', `An MCP client needs ${key}`);
  const { issuer } = resource.server;
  return new ExecutorError(
    'unauthenticated',
    isBearer
      ? `This is neither a key of this server nor a signed token (JWT). A token from ${issuer} must be a JWT for this resource. Opaque tokens are not accepted.`
      : `An MCP client needs a token from ${issuer}, or ${key}`,
  );
}
