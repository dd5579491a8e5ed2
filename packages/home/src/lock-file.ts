import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { unreadable, unusable } from './private-folder.ts';
import { isAlive, type ProcessIdentity, thisProcess } from './process-identity.ts';

/**
 * An exclusive lock that survives `kill -9` of its holder, in one file that says who holds it.
 *
 * - A lock is taken by linking a finished record to the lock's name: it appears whole or not at all, and once.
 * - A lock whose holder has ended may be replaced, but only by whoever holds the lock `NAME.NONCE`, where the nonce is the dead
 *   holder's: so among any number of processes that find the same corpse, one replaces it. Having that lock, it looks
 *   again, because the corpse may have been replaced (and the inner lock given back) since it looked first.
 * - The inner lock is a lock like any other: a process that dies while it replaces a corpse leaves a corpse of its own.
 */
export interface Lock {
  release(): void;
}

export type LockAttempt = { type: 'acquired'; lock: Lock } | { type: 'held'; holder: ProcessIdentity };

const LockRecord = z.object({ pid: z.number().int(), startedAt: z.string(), nonce: z.string() });
type LockRecord = z.infer<typeof LockRecord>;

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

/** The living process that holds a lock, for callers that do not want the lock themselves. */
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
        // It stays behind as the lock of a process that has ended, or ends now, and can be replaced.
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

/** A record that stays behind harms nobody, and why it could not be written is worth more than why it could not be removed. */
function discard(candidate: string): void {
  try {
    rmSync(candidate, { force: true });
  } catch {}
}

/** A lock file that is not a record (a disk that filled up, a hand that edited it) belongs to nobody who is alive. */
function readRecord(path: string): LockRecord | undefined {
  try {
    const parsed = LockRecord.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return parsed.success ? parsed.data : abandoned;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (error instanceof SyntaxError) return abandoned;
    throw error;
  }
}

const abandoned: LockRecord = { pid: 2 ** 30, startedAt: 'never', nonce: 'unreadable' };
