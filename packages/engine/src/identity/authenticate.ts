import type { Principal } from '@executor/protocol';
import type { Installation, Store } from '../ports/store.ts';
import { hashSecret, secretsMatch } from './secret.ts';

/** What a request brought along to say who it is from. */
export type Credential =
  | { type: 'secret'; secret: string }
  | { type: 'session'; cookies: string[]; token: string }
  | { type: 'none' };

interface Dependencies {
  store: Pick<Store, 'apiKeys' | 'sessions'>;
  installation: Installation;
  localToken: string;
  now: () => Date;
}

const touchEveryMs = 60_000;

/** The principal that a credential stands for. Keys and sessions are looked up each time: what is revoked is revoked at once. */
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
    // A key that is good stays good where the time of its use cannot be noted, say on a full disk.
    await store.apiKeys.touch(key.id, at).catch(() => {});
  }
  const { kind, workspaceId, actorId } = key;
  return { kind, credential: 'apiKey', workspaceId, actorId, apiKeyId: key.id };
}

async function bySession(
  { cookies, token }: { cookies: string[]; token: string },
  { store, now }: Dependencies,
): Promise<Principal | undefined> {
  for (const cookie of cookies) {
    const session = await store.sessions.findLive(hashSecret(cookie), hashSecret(token), now());
    if (session === undefined) continue;
    const { workspaceId, actorId } = session;
    return { kind: 'person', credential: 'session', workspaceId, actorId, sessionId: session.id };
  }
  return undefined;
}
