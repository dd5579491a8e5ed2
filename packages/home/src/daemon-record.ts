import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Folders } from './folders.ts';
import { lockHolder } from './lock-file.ts';
import { readPrivateFile, writeCandidate } from './private-file.ts';
import { ensurePrivateFolder, unusable } from './private-folder.ts';
import { isAlive, isProcessIdentity, type ProcessIdentity } from './process-identity.ts';

/**
 * How the command line finds the server of its home. Each process that serves the home writes a record once it listens: the daemon
 * `daemon.json`, and each `executor server` a file with its pid. A record counts only while its process is alive.
 */
export interface DaemonRecord extends ProcessIdentity {
  readonly url: string;
  readonly version: string;
  readonly database: 'pglite' | 'postgres';
  readonly workspaceId: string;
  /** Set by `executor server`, which the user started and stops: `up`, `down` and `restart` do not control it. */
  readonly role?: 'server' | undefined;
}

export function writeDaemonRecord(folders: Folders, record: DaemonRecord): void {
  ensurePrivateFolder(folders.run);
  if (record.role === 'server') removeDeadServers(folders);
  const path = recordPath(folders, record);
  const candidate = `${path}.${process.pid}.new`;
  try {
    writeCandidate(candidate, `${JSON.stringify(record, null, 2)}\n`);
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
    const record: unknown = JSON.parse(readPrivateFile(path));
    return isDaemonRecord(record) && isAlive(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

function isDaemonRecord(value: unknown): value is DaemonRecord {
  if (!isProcessIdentity(value)) return false;
  const { url, version, database, workspaceId, role } = value;
  return (
    typeof url === 'string' &&
    URL.canParse(url) &&
    typeof version === 'string' &&
    (database === 'pglite' || database === 'postgres') &&
    typeof workspaceId === 'string' &&
    (role === undefined || role === 'server')
  );
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
