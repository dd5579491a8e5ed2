import type { AgentClient } from './agent-client.ts';
import { readBackup } from './backup.ts';
import { configEditorFor } from './config/config-editor-for.ts';
import type { Connection } from './connections.ts';

/** Removes Executor's entry from a text, or restores the entry that it replaced. All later changes are kept. */
export function removeEntry(
  client: AgentClient,
  { path, backup, madeContainer }: Connection,
  text: string,
): string {
  const editor = configEditorFor(client, path);
  const before = backup === undefined ? undefined : readBackup(backup);
  if (before !== undefined && editor.read(before) !== undefined) return editor.restore(text, before);
  return editor.remove(text, { andContainer: madeContainer });
}
