import type { Folders } from '@executor/home';
import { ExecutorError } from '@executor/protocol';
import type { AgentClient } from './agent-client.ts';
import { readBackup } from './backup.ts';
import { type ClientFile, readClientFile, removeClientFile, writeClientFile } from './client-file.ts';
import type { ClientKeys } from './client-keys.ts';
import { type Connection, digest, dropConnection, withLock } from './connections.ts';
import { revokeFormer } from './former-keys.ts';
import { type Change, changesBetween } from './preview.ts';
import { textOf } from './text-of.ts';
import { withoutUs } from './without-us.ts';

export interface Undo {
  client: AgentClient;
  connection: Connection;
  /** Our entry is there to be removed, or somebody did that already. */
  state: 'there' | 'gone';
  changes: Change[];
}

/** What an undo would change; refused where the entry is not what was written. */
export function planUndo(client: AgentClient, connection: Connection): Undo {
  const { file, after } = withoutEntry(client, connection);
  if (after === file.text) return { client, connection, state: 'gone', changes: [] };
  return { client, connection, state: 'there', changes: changesBetween(file.text, after ?? '') };
}

/** Removes our entry and revokes its key; the key first, so that what goes wrong leaves an entry that can do nothing. */
export async function disconnectClient(
  { client, connection }: Undo,
  { folders, keys }: { folders: Folders; keys: ClientKeys },
): Promise<void> {
  const [unrevoked] = await revokeFormer(connection, { folders, keys });
  await keys.revoke(connection);
  if (unrevoked) throw unrevoked;
  await withLock(folders, () => {
    const { file, after } = withoutEntry(client, connection);
    if (after === undefined) removeClientFile(file);
    else if (after !== file.text) writeClientFile(file, after);
    dropConnection(folders, connection);
  });
}

/** The file, and its text without us; undefined where the file itself was made by us and holds nothing else. */
function withoutEntry(
  client: AgentClient,
  connection: Connection,
): { file: ClientFile; after: string | undefined } {
  const { path, backup } = connection;
  const file = readClientFile(path);
  const text = textOf(client, path);
  const current = text.read(file.text);
  if (current === undefined) return { file, after: file.text };
  if (digest(current) !== connection.entry) throw changedEntry(connection);
  const isAsWritten = digest(file.text) === connection.file;
  if (isAsWritten && backup === undefined) return { file, after: undefined };
  const before = isAsWritten && backup !== undefined ? readBackup(backup) : undefined;
  return { file, after: before ?? withoutUs(client, connection, file.text) };
}

function changedEntry({ path, keyId }: Connection): ExecutorError {
  const key = keyId === undefined ? '' : ` Its key is ${keyId}; \`executor keys rm\` revokes it.`;
  return new ExecutorError(
    'conflict',
    `The entry "executor" in ${path} was changed since it was written, so it was left as it is. Remove it by hand, or connect again first.${key}`,
  );
}
