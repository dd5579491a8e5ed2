import { createHash } from 'node:crypto';
import type { Principal } from '@executor/protocol';
import type { Installation } from '../ports/store.ts';

/** What a verified token says of whoever uses it. */
export interface OAuthIdentity {
  issuer: string;
  subject: string;
  clientId: string;
}

const prefix = 'oauth_';

/**
 * Whoever comes with a token of the authorization server is an agent of the installation's owner, and never a person. Each client of each
 * subject has runs of its own; what those are called elsewhere may be long and say anything, so their hash stands for them.
 */
export function oauthAgent(owner: Installation['owner'], identity: OAuthIdentity): Principal {
  return { kind: 'agent', credential: 'oauth', ...owner, oauthId: oauthIdOf(identity) };
}

export function isOAuthId(ownerId: string): boolean {
  return ownerId.startsWith(prefix);
}

/** As JSON, in which no value can run into the next one. */
function oauthIdOf({ issuer, subject, clientId }: OAuthIdentity): string {
  const text = JSON.stringify([issuer, subject, clientId]);
  return `${prefix}${createHash('sha256').update(text).digest('base64url').slice(0, 26)}`;
}
