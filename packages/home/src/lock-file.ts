import { randomUUID } from 'node:crypto';
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readPrivateFile } from './private-file.ts';
import { unreadable, unusable } from './private-folder.ts';
import { isAlive, isProcessIdentity, type ProcessIdentity, thisProcess } from './process-identity.ts';

/**
 * An exclusive lock in one file that names its holder. It survives `kill -9` of the holder.
 *
 * - A process takes a lock by linking a complete record to the lock's name, which succeeds for one process only.
 * - The lock of a dead holder may be replaced only by the process that holds the inner lock `NAME.NONCE`, with the nonce of the dead
 *   holder. So of all processes that find the stale lock, one replaces it. It checks the lock again after taking the inner one, because
 *   another process may have replaced the stale lock and released the inner lock in between.
 * - The inner lock is a lock like any other: if its holder dies, it is replaced in the same way.
 */
export interface Lock {
  release(): void;
}

export type LockAttempt = { type: 'acquired'; lock: Lock } | { type: 'held'; holder: ProcessIdentity };

interface LockRecord extends ProcessIdentity {
  readonly nonce: string;
}

export function acquireLock(path: string): LockAttempt {
  const own: LockRecord = { ...thisProcess(), nonce: randomUUID() };
  const candidate = `${path}.${own.nonce}.new`;
  try {
    writeFileSync(candidate, JSON.stringify(own), { flag: 'wx', mode: 0o600 });
    return take(path, candidate, own);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).syscall ? unusable(path, error) : error;
  } finally {
    discard(candidate);
  }
}

/** The living process that holds a lock. Does not take the lock. */
export function lockHolder(path: string): ProcessIdentity | undefined {
  try {
    const record = readRecord(path);
    return record && isAlive(record) ? { pid: record.pid, startedAt: record.startedAt } : undefined;
  } catch (error) {
    throw unreadable(path, error);
  }
}

function take(path: string, candidate: string, own: LockRecord): LockAttempt {
  for (;;) {
    if (linkIfFree(candidate, path)) return { type: 'acquired', lock: lockAt(path, own) };
    const holder = readRecord(path);
    if (holder === undefined) continue;
    if (isAlive(holder)) return { type: 'held', holder: { pid: holder.pid, startedAt: holder.startedAt } };
    const replacement = acquireLock(`${path}.${holder.nonce}`);
    if (replacement.type === 'held') return replacement;
    try {
      if (readRecord(path)?.nonce !== holder.nonce) continue;
      renameSync(candidate, path);
      return { type: 'acquired', lock: lockAt(path, own) };
    } finally {
      replacement.lock.release();
    }
  }
}

function lockAt(path: string, own: LockRecord): Lock {
  return {
    release() {
      try {
        if (readRecord(path)?.nonce === own.nonce) rmSync(path, { force: true });
      } catch {
        // The file then belongs to a process that has ended or ends now, so it can be replaced.
      }
    },
  };
}

function linkIfFree(candidate: string, path: string): boolean {
  try {
    linkSync(candidate, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** A leftover record is harmless. The error of the write matters more than that of the removal. */
function discard(candidate: string): void {
  try {
    rmSync(candidate, { force: true });
  } catch {}
}

/** A lock file without a valid record (a full disk, a manual edit) has no living holder. */
function readRecord(path: string): LockRecord | undefined {
  try {
    const record: unknown = JSON.parse(readPrivateFile(path));
    if (!isProcessIdentity(record) || typeof record.nonce !== 'string') return abandoned;
    return { pid: record.pid, startedAt: record.startedAt, nonce: record.nonce };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (error instanceof SyntaxError) return abandoned;
    throw error;
  }
}

const abandoned: LockRecord = { pid: 2 ** 30, startedAt: 'never', nonce: 'unreadable' };
