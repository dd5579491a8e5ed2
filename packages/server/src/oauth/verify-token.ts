import type { OAuthIdentity } from '@executor/engine';
import { ExecutorError } from '@executor/protocol';
import type { JWTPayload } from 'jose';
import type { AuthorizationServer } from './authorization-server.ts';

/** What a token must be good for. */
export const agentScope = 'executor:agent';

/** Signatures with a key pair alone: with a shared secret, the public key would do as one. */
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

/** Whether it can only be a token: three parts, or the five of an encrypted one. No key of ours has a dot in it. */
export function isToken(secret: string): boolean {
  return secret.includes('.');
}

/** Whoever a token stands for, where it is of this server, for this resource, of this time and with the scope. */
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
    throw refused('its type is another than JWT and at+jwt, so it is no access token');
  }
  if (payload.cnf !== undefined) {
    throw refused(
      'it is bound to a key of its client (cnf), which is not checked here; let it be a plain bearer token',
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

/** Claims are looked at after the signature, so what is repeated of them is what the authorization server wrote. */
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
      return claim === 'nbf' ? 'it is not valid yet' : `its "${claim}" is not right`;
    case 'ERR_JOSE_ALG_NOT_ALLOWED':
      return `its algorithm is none of ${algorithms.join(', ')}`;
    case 'ERR_JWKS_NO_MATCHING_KEY':
      return 'it is signed with no key of the authorization server';
    case 'ERR_JWKS_MULTIPLE_MATCHING_KEYS':
      return 'it does not say with which key of the authorization server it is signed (kid)';
    case 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED':
      return 'its signature is wrong';
    default:
      return 'it is no signed token (JWT)';
  }
}

function requireScope({ scope, scp }: JWTPayload): void {
  const given = [scope, scp].flat().flatMap((value) => (typeof value === 'string' ? value.split(' ') : []));
  if (given.includes(agentScope)) return;
  throw new ExecutorError(
    'forbidden',
    `The token has not the scope "${agentScope}". Ask for it, and let its user grant it.`,
    {
      details: { scope: agentScope },
    },
  );
}

function subjectOf({ sub }: JWTPayload): string {
  if (isName(sub)) return sub;
  throw refused(`its "sub" must be a text that is not empty, got ${shown(sub)}`);
}

/** RFC 9068 has `client_id`, OpenID Connect `azp`; Okta and Microsoft Entra have their own. */
const clientClaims = ['client_id', 'azp', 'cid', 'appid'];

/** Without it all clients of a subject would be one, and find each other's runs. */
function clientIdOf(payload: JWTPayload): string {
  const claim = clientClaims.find((name) => payload[name] !== undefined);
  if (claim === undefined)
    throw refused(`it does not say which client it is for (${clientClaims.join(', ')})`);
  const id = payload[claim];
  if (isName(id)) return id;
  throw refused(`its "${claim}" must be a text that is not empty, got ${shown(id)}`);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nobody').slice(0, 300);
}

function refused(problem: string): ExecutorError {
  return new ExecutorError('unauthenticated', `The token is not taken: ${problem}.`);
}
