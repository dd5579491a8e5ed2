import type { AgentClient } from './agent-client.ts';
import { readBackup } from './backup.ts';
import type { Connection } from './connections.ts';
import { textOf } from './text-of.ts';

/** A file's text had we never written to it, with all that was written there since: the entry that ours replaced is back, or there is none. */
export function withoutUs(
  client: AgentClient,
  { path, backup, madeContainer }: Connection,
  now: string,
): string {
  const text = textOf(client, path);
  const before = backup === undefined ? undefined : readBackup(backup);
  if (before !== undefined && text.read(before) !== undefined) return text.restore(now, before);
  return text.remove(now, { andContainer: madeContainer });
}
