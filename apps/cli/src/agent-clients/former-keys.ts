import type { Folders } from '@executor/home';
import { type ExecutorError, toExecutorError } from '@executor/protocol';
import type { ClientKeys } from './client-keys.ts';
import { type Connection, findConnection, keepConnection, withLock } from './connections.ts';

/** The keys that a new entry takes the place of: the last one, and those before it that still could not be revoked. */
export function formerKeysOf(former: Connection | undefined): NonNullable<Connection['formerKeys']> {
  const { keyId, server, formerKeys = [] } = former ?? {};
  if (keyId === undefined) return formerKeys;
  return [...formerKeys, { keyId, ...(server !== undefined && { server }) }];
}

/** Revokes them. One that cannot be revoked now stays written down, and the next command tries again; answers why it could not. */
export async function revokeFormer(
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
  if (revoked.length > 0) await withLock(folders, () => forget(folders, { client, path, revoked }));
  return failures;
}

function forget(
  folders: Folders,
  { client, path, revoked }: { client: string; path: string; revoked: string[] },
): void {
  const connection = findConnection(folders, client, path);
  if (connection === undefined) return;
  const formerKeys = connection.formerKeys?.filter(({ keyId }) => !revoked.includes(keyId));
  keepConnection(folders, { ...connection, formerKeys });
}
