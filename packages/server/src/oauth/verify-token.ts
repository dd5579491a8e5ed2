import type { OAuthIdentity } from '@executor/engine';
import { ExecutorError } from '@executor/protocol';
import type { JWTPayload } from 'jose';
import type { AuthorizationServer } from './authorization-server.ts';

/** The scope that a token needs. */
export const agentScope = 'executor:agent';

/** Asymmetric algorithms only. With an HMAC algorithm, an attacker could sign with the public key. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const types = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];
const maxLength = 12 * 1024;
const clockToleranceSeconds = 30;

/** JWTs contain dots; Executor's own keys never do. */
export function isToken(secret: string): boolean {
  return secret.includes('.');
}

/** Verifies issuer, audience, lifetime, signature and scope of a token, and returns the identity it represents. */
export async function verifyToken(
  token: string,
  { server, resource }: { server: AuthorizationServer; resource: string },
): Promise<OAuthIdentity> {
  if (token.length > maxLength) throw refused(`it is longer than ${maxLength} characters`);
  const { issuer } = await server.metadata();
  const { jwtVerify, errors } = await import('jose');
  const { payload, protectedHeader } = await jwtVerify(token, server.keyOf, {
    issuer,
    audience: resource,
    algorithms,
    clockTolerance: clockToleranceSeconds,
    requiredClaims: ['exp', 'sub'],
  }).catch((error) => {
    throw error instanceof errors.JOSEError ? refused(problemOf(error, { issuer, resource })) : error;
  });
  if (!types.includes(protectedHeader.typ?.toLowerCase())) {
    throw refused('its type must be JWT or at+jwt');
  }
  if (payload.cnf !== undefined) {
    throw refused(
      'it is bound to a client key (cnf), which Executor does not support; use a plain bearer token',
    );
  }
  requireScope(payload);
  return { issuer, subject: subjectOf(payload), clientId: clientIdOf(payload) };
}

interface Problem {
  code: string;
  claim?: string;
  reason?: string;
  payload?: JWTPayload;
}

/** Claims are checked after the signature, so messages only repeat values that the authorization server signed. */
function problemOf(
  { code, claim, reason, payload }: Problem,
  { issuer, resource }: { issuer: string; resource: string },
): string {
  switch (code) {
    case 'ERR_JWT_EXPIRED':
      return 'it has expired';
    case 'ERR_JWT_CLAIM_VALIDATION_FAILED':
      if (reason === 'missing') return `it has no "${claim}"`;
      if (claim === 'aud') return `it is for ${shown(payload?.aud)}, not for ${shown(resource)}`;
      if (claim === 'iss') return `it is from ${shown(payload?.iss)}, not from ${shown(issuer)}`;
      return claim === 'nbf' ? 'it is not valid yet' : `its "${claim}" is invalid`;
    case 'ERR_JOSE_ALG_NOT_ALLOWED':
      return `its algorithm must be one of ${algorithms.join(', ')}`;
    case 'ERR_JWKS_NO_MATCHING_KEY':
      return 'it is not signed with a key of the authorization server';
    case 'ERR_JWKS_MULTIPLE_MATCHING_KEYS':
      return 'it does not name its signing key (kid), and the authorization server has several';
    case 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED':
      return 'its signature is wrong';
    default:
      return 'it is not a signed token (JWT)';
  }
}

function requireScope({ scope, scp }: JWTPayload): void {
  const scopes = [scope, scp].flat().flatMap((value) => (typeof value === 'string' ? value.split(' ') : []));
  if (scopes.includes(agentScope)) return;
  throw new ExecutorError(
    'forbidden',
    `The token lacks the scope "${agentScope}". Request it, and let the user grant it.`,
    {
      details: { scope: agentScope },
    },
  );
}

function subjectOf({ sub }: JWTPayload): string {
  if (isName(sub)) return sub;
  throw refused(`its "sub" must be a non-empty string, got ${shown(sub)}`);
}

/** RFC 9068 uses `client_id`, OpenID Connect `azp`; Okta and Microsoft Entra use their own claims. */
const clientClaims = ['client_id', 'azp', 'cid', 'appid'];

/** Without a client id, all clients of a subject would see each other's runs. */
function clientIdOf(payload: JWTPayload): string {
  const claim = clientClaims.find((name) => payload[name] !== undefined);
  if (claim === undefined) throw refused(`it does not name its client (${clientClaims.join(', ')})`);
  const id = payload[claim];
  if (isName(id)) return id;
  throw refused(`its "${claim}" must be a non-empty string, got ${shown(id)}`);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 300);
}

function refused(problem: string): ExecutorError {
  return new ExecutorError('unauthenticated', `The token is not accepted: ${problem}.`);
}
