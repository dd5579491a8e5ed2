import { createHash } from 'node:crypto';
import type { Principal } from '@executor/protocol';
import type { Installation } from '../ports/store.ts';

/** The identity in a verified token. */
export interface OAuthIdentity {
  issuer: string;
  subject: string;
  clientId: string;
}

const prefix = 'oauth_';

/**
 * A caller with a token of the authorization server is an agent of the installation's owner, and never a person. Each client of each
 * subject has its own runs. Their external names may be long and contain anything, so a hash identifies them.
 */
export function oauthAgent(owner: Installation['owner'], identity: OAuthIdentity): Principal {
  return { kind: 'agent', credential: 'oauth', ...owner, oauthId: oauthIdOf(identity) };
}

export function isOAuthId(ownerId: string): boolean {
  return ownerId.startsWith(prefix);
}

/** Hashes JSON, in which the values are delimited unambiguously. */
function oauthIdOf({ issuer, subject, clientId }: OAuthIdentity): string {
  const text = JSON.stringify([issuer, subject, clientId]);
  return `${prefix}${createHash('sha256').update(text).digest('base64url').slice(0, 26)}`;
}
