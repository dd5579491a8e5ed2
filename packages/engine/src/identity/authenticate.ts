import type { Principal } from '@executor/protocol';
import type { Installation, Store } from '../ports/store.ts';
import type { SignedRequest } from './request-proofs.ts';
import { hashSecret, secretsMatch } from './secret.ts';
import type { Sessions } from './sessions.ts';

/** The credentials of a request. */
export type Credential =
  | { type: 'secret'; secret: string }
  | { type: 'session'; cookies: string[]; signed: SignedRequest }
  | { type: 'none' };

interface Dependencies {
  store: Pick<Store, 'apiKeys'>;
  sessions: Sessions;
  installation: Installation;
  localToken: string;
  now: () => Date;
}

const touchEveryMs = 60_000;

/** The principal of a credential. Keys and sessions are read each time, so that revoking them takes effect at once. */
export async function authenticate(
  credential: Credential,
  dependencies: Dependencies,
): Promise<Principal | undefined> {
  switch (credential.type) {
    case 'none':
      return undefined;
    case 'session':
      return bySession(credential, dependencies);
    case 'secret':
      return secretsMatch(credential.secret, dependencies.localToken)
        ? { kind: 'person', credential: 'localToken', ...dependencies.installation.owner }
        : byApiKey(credential.secret, dependencies);
  }
}

async function byApiKey(secret: string, { store, now }: Dependencies): Promise<Principal | undefined> {
  const key = await store.apiKeys.findLive(hashSecret(secret));
  if (key === undefined) return undefined;
  const at = now();
  if (key.lastUsedAt === null || at.getTime() - key.lastUsedAt.getTime() > touchEveryMs) {
    // A valid key works even if its time of use cannot be stored, for example on a full disk.
    await store.apiKeys.touch(key.id, at).catch(() => {});
  }
  const { kind, workspaceId, actorId } = key;
  return { kind, credential: 'apiKey', workspaceId, actorId, apiKeyId: key.id };
}

async function bySession(
  { cookies, signed }: { cookies: string[]; signed: SignedRequest },
  { sessions }: Dependencies,
): Promise<Principal | undefined> {
  const session = await sessions.authenticate(cookies, signed);
  if (session === undefined) return undefined;
  const { id: sessionId, workspaceId, actorId } = session;
  return { kind: 'person', credential: 'session', workspaceId, actorId, sessionId };
}

/** A principal at an endpoint for agents. It acts as an agent, even if its credential is a person's. */
export function actAsAgent(principal: Principal): Principal {
  return { ...principal, kind: 'agent' };
}
