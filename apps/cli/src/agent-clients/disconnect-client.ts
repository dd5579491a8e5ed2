import type { Folders } from '@executor/home';
import { ExecutorError } from '@executor/protocol';
import type { AgentClient } from './agent-client.ts';
import { readBackup } from './backup.ts';
import { type ClientFile, readClientFile, removeClientFile, writeClientFile } from './client-file.ts';
import type { ClientKeys } from './client-keys.ts';
import { configEditorFor } from './config/config-editor-for.ts';
import { type Connection, digest, removeConnection, withLock } from './connections.ts';
import { revokeFormerKeys } from './former-keys.ts';
import { type Change, changesBetween } from './preview.ts';
import { removeEntry } from './remove-entry.ts';

export interface Undo {
  client: AgentClient;
  connection: Connection;
  /** `removed`: somebody removed Executor's entry already. */
  state: 'present' | 'removed';
  changes: Change[];
}

/** Plans an undo. Throws if the entry is not the one that Executor wrote. */
export function planUndo(client: AgentClient, connection: Connection): Undo {
  const { file, after } = planRemoval(client, connection);
  if (after === file.text) return { client, connection, state: 'removed', changes: [] };
  return { client, connection, state: 'present', changes: changesBetween(file.text, after ?? '') };
}

/** Revokes the key, then removes the entry. In this order, an entry that remains after an error has no valid key. */
export async function disconnectClient(
  { client, connection }: Undo,
  { folders, keys }: { folders: Folders; keys: ClientKeys },
): Promise<void> {
  const [unrevoked] = await revokeFormerKeys(connection, { folders, keys });
  await keys.revoke(connection);
  if (unrevoked) throw unrevoked;
  await withLock(folders, () => {
    const { file, after } = planRemoval(client, connection);
    if (after === undefined) removeClientFile(file);
    else if (after !== file.text) writeClientFile(file, after);
    removeConnection(folders, connection);
  });
}

/** The file and its text without the entry. The text is undefined if Executor created the file and nothing else is in it. */
function planRemoval(
  client: AgentClient,
  connection: Connection,
): { file: ClientFile; after: string | undefined } {
  const { path, backup } = connection;
  const file = readClientFile(path);
  const current = configEditorFor(client, path).read(file.text);
  if (current === undefined) return { file, after: file.text };
  if (digest(current) !== connection.entry) throw changedEntry(connection);
  const isUnchanged = digest(file.text) === connection.file;
  if (isUnchanged && backup === undefined) return { file, after: undefined };
  const before = isUnchanged && backup !== undefined ? readBackup(backup) : undefined;
  return { file, after: before ?? removeEntry(client, connection, file.text) };
}

function changedEntry({ path, keyId }: Connection): ExecutorError {
  const key = keyId === undefined ? '' : ` Its key is ${keyId}. \`executor keys rm ${keyId}\` revokes it.`;
  return new ExecutorError(
    'conflict',
    `The entry "executor" in ${path} was changed after Executor wrote it, so it was not removed. Remove it by hand, or run \`executor connect\` and then the undo again.${key}`,
  );
}
