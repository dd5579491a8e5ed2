import type { Engine } from '@executor/engine';
import { ExecutorError, type Principal } from '@executor/protocol';
import type { Context } from 'hono';
import { secretOf } from '../auth/credential.ts';
import { challengeWith } from '../http/error-response.ts';
import { addressedOf } from '../oauth/addressed.ts';
import type { ProtectedResource } from '../oauth/protected-resource.ts';
import { isToken } from '../oauth/verify-token.ts';

/**
 * Who a request to `/mcp` is from: a key or the local token, or a token of the authorization server where there is one. A browser session
 * is nothing here. Whoever is refused is told where tokens are to be had.
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
        return await resource.admit(credential.secret, addressedOf(http));
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
  const isGiven =
    http.req.header('authorization') !== undefined || http.req.header('x-api-key') !== undefined;
  challengeWith(http, resource.challenge(addressedOf(http), { code, message, isGiven }));
}

function unauthenticated(
  resource: ProtectedResource | undefined,
  { isBearer }: { isBearer: boolean },
): ExecutorError {
  const key =
    'a key that is valid here: "Authorization: Bearer KEY" or "x-api-key: KEY". `executor keys create NAME` makes one; `executor mcp` needs none.';
  if (resource === undefined) return new ExecutorError('unauthenticated', `An MCP client needs ${key}`);
  const { issuer } = resource.server;
  return new ExecutorError(
    'unauthenticated',
    isBearer
      ? `This is neither a key of this server nor a signed token (JWT). A token of ${issuer} must be a JWT for this resource: opaque ones are not taken.`
      : `An MCP client needs a token of ${issuer}, or ${key}`,
  );
}
