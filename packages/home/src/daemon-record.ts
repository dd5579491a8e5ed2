import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { Folders } from './folders.ts';
import { lockHolder } from './lock-file.ts';
import { unusable } from './private-folder.ts';
import { isAlive, type ProcessIdentity } from './process-identity.ts';

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
  try {
    writeFileSync(candidate, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
    renameSync(candidate, path);
  } catch (error) {
    rmSync(candidate, { force: true });
    throw unusable(path, error);
  }
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

/** The daemon's process, also while it starts or stops and has no record. */
export function daemonProcessOf(folders: Folders): ProcessIdentity | undefined {
  return lockHolder(daemonLockPath(folders));
}

export function removeDaemonRecord(folders: Folders): void {
  try {
    rmSync(recordPath(folders), { force: true });
  } catch {
    // It is the record of a process that has ended, and nobody believes it.
  }
}

export function daemonLockPath(folders: Folders): string {
  return join(folders.run, 'daemon.lock');
}

function recordPath(folders: Folders): string {
  return join(folders.run, 'daemon.json');
}
