import type { Credential } from '@executor/engine';
import { ExecutorError, sessionHeader } from '@executor/protocol';

/** Reads what a request brought to say who it is from. A cookie counts only together with the token that the page holds. */
export function credentialOf(header: (name: string) => string | undefined, cookieName: string): Credential {
  const secret = bearer(header('authorization')) ?? header('x-api-key');
  if (secret !== undefined) return { type: 'secret', secret };
  const token = header(sessionHeader);
  const cookie = cookieValue(header('cookie'), cookieName);
  return token !== undefined && cookie !== undefined ? { type: 'session', cookie, token } : { type: 'none' };
}

function bearer(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  const match = /^bearer +(\S+)$/i.exec(authorization);
  if (match?.[1]) return match[1];
  throw new ExecutorError('unauthenticated', 'The Authorization header must be "Bearer" and a token or key.');
}

function cookieValue(cookies: string | undefined, name: string): string | undefined {
  return cookies
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}
