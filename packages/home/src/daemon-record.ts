import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { Folders } from './folders.ts';
import { lockHolder } from './lock-file.ts';
import { ensurePrivateFolder, unusable } from './private-folder.ts';
import { isAlive, type ProcessIdentity } from './process-identity.ts';

/**
 * How the command line finds the server of its home. Each process that serves the home writes a record once it listens: the daemon
 * `daemon.json`, and each `executor server` a file with its pid. A record counts only while its process is alive.
 */
export const DaemonRecord = z.object({
  pid: z.number().int(),
  startedAt: z.string(),
  url: z.url(),
  version: z.string(),
  database: z.enum(['pglite', 'postgres']),
  workspaceId: z.string(),
  /** Set by `executor server`, which the user started and stops: `up`, `down` and `restart` do not control it. */
  role: z.literal('server').optional(),
});
export type DaemonRecord = z.infer<typeof DaemonRecord>;

export function writeDaemonRecord(folders: Folders, record: DaemonRecord): void {
  ensurePrivateFolder(folders.run);
  if (record.role === 'server') removeDeadServers(folders);
  const path = recordPath(folders, record);
  const candidate = `${path}.${process.pid}.new`;
  try {
    writeFileSync(candidate, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
    renameSync(candidate, path);
  } catch (error) {
    rmSync(candidate, { force: true });
    throw unusable(path, error);
  }
}

/** The record of a process that serves this home: the daemon, or else an `executor server`. */
export function readDaemonRecord(folders: Folders): DaemonRecord | undefined {
  return readDaemonRecords(folders)[0];
}

/** The records of all processes that serve this home, the daemon first. */
export function readDaemonRecords(folders: Folders): DaemonRecord[] {
  return ['daemon.json', ...serverFiles(folders)].flatMap(
    (name) => readRecord(join(folders.run, name)) ?? [],
  );
}

function readRecord(path: string): DaemonRecord | undefined {
  try {
    const parsed = DaemonRecord.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return parsed.success && isAlive(parsed.data) ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

function serverFiles(folders: Folders): string[] {
  try {
    return readdirSync(folders.run).filter((name) => /^server-\d+\.json$/.test(name));
  } catch {
    return [];
  }
}

/** A server that was killed leaves its record behind. */
function removeDeadServers(folders: Folders): void {
  for (const name of serverFiles(folders)) {
    const path = join(folders.run, name);
    if (readRecord(path) === undefined) rmSync(path, { force: true });
  }
}

/** The daemon's process, also while it starts or stops and has no record. */
export function daemonProcessOf(folders: Folders): ProcessIdentity | undefined {
  return lockHolder(daemonLockPath(folders));
}

export function removeDaemonRecord(folders: Folders, record: RecordOwner = {}): void {
  try {
    rmSync(recordPath(folders, record), { force: true });
  } catch {
    // The record of a process that has ended does not count.
  }
}

export function daemonLockPath(folders: Folders): string {
  return join(folders.run, 'daemon.lock');
}

type RecordOwner = Partial<Pick<DaemonRecord, 'role' | 'pid'>>;

function recordPath(folders: Folders, { role, pid = process.pid }: RecordOwner): string {
  return join(folders.run, role === 'server' ? `server-${pid}.json` : 'daemon.json');
}
