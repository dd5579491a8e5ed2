import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { Folders } from './folders.ts';
import { isAlive } from './process-identity.ts';

/** What the running daemon tells the command line about itself, in a file that it writes once it listens. */
export const DaemonRecord = z.object({
  pid: z.number().int(),
  startedAt: z.string(),
  url: z.url(),
  version: z.string(),
  database: z.enum(['pglite', 'postgres']),
  workspaceId: z.string(),
});
export type DaemonRecord = z.infer<typeof DaemonRecord>;

export function writeDaemonRecord(folders: Folders, record: DaemonRecord): void {
  const path = recordPath(folders);
  const candidate = `${path}.${process.pid}.new`;
  writeFileSync(candidate, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  renameSync(candidate, path);
}

/** The record of a daemon that is alive; the record of one that is not is as good as none. */
export function readDaemonRecord(folders: Folders): DaemonRecord | undefined {
  try {
    const parsed = DaemonRecord.safeParse(JSON.parse(readFileSync(recordPath(folders), 'utf8')));
    return parsed.success && isAlive(parsed.data) ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

export function removeDaemonRecord(folders: Folders): void {
  rmSync(recordPath(folders), { force: true });
}

export function daemonLockPath(folders: Folders): string {
  return join(folders.run, 'daemon.lock');
}

function recordPath(folders: Folders): string {
  return join(folders.run, 'daemon.json');
}
