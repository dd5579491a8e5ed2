import type { Credential, SignedRequest } from '@executor/engine';
import { ExecutorError, type ProvenRequest, proofHeader, readProof } from '@executor/protocol';

type ReadHeader = (name: string) => string | undefined;

/** Reads the credential of a request. A cookie counts only together with a signature of the page. */
export function credentialOf(header: ReadHeader, request: ProvenRequest, cookieName: string): Credential {
  const secret = secretOf(header);
  if (secret.type !== 'none') return secret;
  const signed = signedRequest(header, request);
  const cookies = cookieValues(header('cookie'), cookieName);
  return signed !== undefined && cookies.length > 0 ? { type: 'session', cookies, signed } : { type: 'none' };
}

/** The request with its proof, if it has one. */
export function signedRequest(header: ReadHeader, request: ProvenRequest): SignedRequest | undefined {
  const proof = readProof(header(proofHeader) ?? '');
  return proof && { ...request, proof };
}

/** The key or token that a request shows, if its headers have the right form. */
export function shownSecret(header: ReadHeader): string | undefined {
  return bearerPattern.exec(header('authorization') ?? '')?.[1] ?? header('x-api-key');
}

/** A key or the local token, as programs send them. */
export function secretOf(header: ReadHeader): Credential {
  const secret = bearer(header('authorization')) ?? header('x-api-key');
  return secret === undefined ? { type: 'none' } : { type: 'secret', secret };
}

const bearerPattern = /^bearer +(\S+)$/i;

function bearer(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  const match = bearerPattern.exec(authorization);
  if (match?.[1]) return match[1];
  throw new ExecutorError(
    'unauthenticated',
    'The Authorization header must be "Bearer" followed by a token or key.',
  );
}

/** A page on another port of this host can set a cookie of the same name, so several values are tried. */
export function cookieValues(cookies: string | undefined, name: string): string[] {
  return (cookies ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
    .slice(0, 4);
}
