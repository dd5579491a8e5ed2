import type { Folders } from '@executor/home';
import { type ExecutorError, toExecutorError } from '@executor/protocol';
import type { ClientKeys } from './client-keys.ts';
import { type Connection, findConnection, saveConnection, withLock } from './connections.ts';

/** The keys to revoke once a new entry replaces this one: its own key, and earlier keys that are not revoked yet. */
export function formerKeysOf(former: Connection | undefined): NonNullable<Connection['formerKeys']> {
  const { keyId, server, formerKeys = [] } = former ?? {};
  if (keyId === undefined) return formerKeys;
  return [...formerKeys, { keyId, ...(server !== undefined && { server }) }];
}

/** Revokes the former keys, and returns the errors. The next command tries again to revoke the keys that failed. */
export async function revokeFormerKeys(
  { client, path, formerKeys = [] }: Connection,
  { folders, keys }: { folders: Folders; keys: ClientKeys },
): Promise<ExecutorError[]> {
  const revoked: string[] = [];
  const failures: ExecutorError[] = [];
  for (const { keyId, server } of formerKeys) {
    try {
      await keys.revoke({ keyId, server, path });
      revoked.push(keyId);
    } catch (thrown) {
      failures.push(toExecutorError(thrown));
    }
  }
  if (revoked.length > 0) await withLock(folders, () => forgetKeys(folders, { client, path, revoked }));
  return failures;
}

function forgetKeys(
  folders: Folders,
  { client, path, revoked }: { client: string; path: string; revoked: string[] },
): void {
  const connection = findConnection(folders, client, path);
  if (connection === undefined) return;
  const formerKeys = connection.formerKeys?.filter(({ keyId }) => !revoked.includes(keyId));
  saveConnection(folders, { ...connection, formerKeys });
}
