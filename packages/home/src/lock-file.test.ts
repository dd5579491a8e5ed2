import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../test/temporary-folders.ts';
import { acquireLock, type Lock, lockHolder } from './lock-file.ts';
import { thisProcess } from './process-identity.ts';

const program = fileURLToPath(new URL('../dist/test/lock-holder.program.js', import.meta.url));
const long = process.env.EXECUTOR_TEST_LONG === '1';

describe('A lock', () => {
  test('is held by the first process, and the second one gets the holder', () => {
    const path = newPath();
    const lock = acquired(path);
    expect(acquireLock(path)).toEqual({ type: 'held', holder: thisProcess() });
    lock.release();
    acquired(path).release();
  });

  test('reports the reason and the remedy if it cannot be read', () => {
    const file = newPath();
    writeFileSync(file, '');
    expect(() => lockHolder(join(file, 'daemon.lock'))).toThrow(
      expect.objectContaining({
        code: 'folderUnusable',
        message: expect.stringContaining('a part of that path is a file, not a folder. Move that file away'),
      }),
    );
  });

  test('leaves no files after its release', () => {
    const path = newPath();
    acquired(path).release();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test('does not remove the lock of the next holder if it is released twice', () => {
    const path = newPath();
    const first = acquired(path);
    first.release();
    const second = acquired(path);
    first.release();
    expect(acquireLock(path)).toEqual({ type: 'held', holder: thisProcess() });
    second.release();
  });

  test.each([
    ['has ended', { ...endedProcess(), nonce: 'a' }],
    ['has a reused pid', { pid: process.pid, startedAt: 'earlier', nonce: 'a' }],
  ])('is taken over if its holder %s', (_, record) => {
    const path = newPath();
    writeFileSync(path, JSON.stringify(record));
    expect(acquired(path)).toBeDefined();
    expect(acquireLock(path)).toEqual({ type: 'held', holder: thisProcess() });
  });

  test.each([
    ['empty', ''],
    ['cut off', '{"pid": 12'],
    ['about something else', '{"name": "a"}'],
    ['not text', Buffer.from([0xff, 0x00, 0xfe])],
  ])('is taken over if its file is %s', (_, content) => {
    const path = newPath();
    writeFileSync(path, content);
    expect(acquired(path)).toBeDefined();
    expect(acquireLock(path)).toEqual({ type: 'held', holder: thisProcess() });
  });

  test('names the path and the reason if it cannot be created', () => {
    const file = newPath();
    writeFileSync(file, '');
    expect(() => acquireLock(join(file, 'lock'))).toThrow(
      expect.objectContaining({
        code: 'folderUnusable',
        details: { path: join(file, 'lock'), systemCode: 'ENOTDIR' },
      }),
    );
  });
});

describe('The lock of a process that died during a takeover can be acquired', () => {
  test.each([
    ['had only prepared its record', (path: string) => writeFileSync(`${path}.b.new`, record('b'))],
    ['had won the right to replace it', (path: string) => writeFileSync(`${path}.a`, record('b'))],
    [
      'had replaced it and not yet released the inner lock',
      (path: string) => {
        writeFileSync(`${path}.a`, record('b'));
        writeFileSync(path, record('c'));
      },
    ],
    [
      'was itself replaced by one that died in the same way',
      (path: string) => {
        writeFileSync(`${path}.a`, record('b'));
        writeFileSync(`${path}.a.b`, record('c'));
      },
    ],
  ])('after it %s', (_, leave) => {
    const path = newPath();
    writeFileSync(path, record('a'));
    leave(path);
    expect(acquired(path)).toBeDefined();
    expect(acquireLock(path)).toEqual({ type: 'held', holder: thisProcess() });
  });
});

describe('Concurrent processes', () => {
  test('hold a lock one at a time', async () => {
    const { path, log } = newContest();
    await Promise.all(Array.from({ length: 6 }, () => ended(contender(path, log, long ? 300 : 20))));
    expect(holders(log)).toEqual({ overlaps: [], taken: 6 * (long ? 300 : 20) });
    expect(existsSync(path)).toBe(false);
  });

  test('take over one at a time from holders that are killed', async () => {
    const { path, log } = newContest();
    writeFileSync(path, record('a'));
    const contenders = Array.from({ length: long ? 30 : 10 }, () => contender(path, log, 100_000));
    await until(() => notes(log).length > 0);
    for (const victim of contenders) {
      // The lock must change its holder between two kills, however slow the machine is.
      const before = notes(log).length;
      await until(() => notes(log).length > before + 2);
      await sleep(Math.random() * 40);
      // Recorded before, because the next holder may appear before the exit event.
      appendFileSync(log, `killed ${victim.pid}\n`);
      await kill(victim);
    }
    const { overlaps, taken } = holders(log);
    expect(overlaps).toEqual([]);
    expect(taken).toBeGreaterThan(contenders.length);
    expect(acquired(path)).toBeDefined();
  });
});

function newPath(): string {
  return join(temporaryFolder(), 'lock');
}

function newContest(): { path: string; log: string } {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'locks'));
  writeFileSync(join(folder, 'log'), '');
  return { path: join(folder, 'locks', 'lock'), log: join(folder, 'log') };
}

function acquired(path: string): Lock {
  const attempt = acquireLock(path);
  if (attempt.type === 'held') throw new Error(`held by ${attempt.holder.pid}`);
  return attempt.lock;
}

/** A process that has ended. */
function endedProcess(): { pid: number; startedAt: string } {
  return { pid: spawnSync(process.execPath, ['--version']).pid, startedAt: 'earlier' };
}

function record(nonce: string): string {
  return JSON.stringify({ ...endedProcess(), nonce });
}

function contender(path: string, log: string, rounds: number): ChildProcess {
  const child = spawn(process.execPath, [program, path, log, String(rounds)], { stdio: 'inherit' });
  onTestFinished(() => kill(child));
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await ended(child);
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('exit', resolve));
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10);
}

function notes(log: string): string[] {
  return readFileSync(log, 'utf8').split('\n').slice(0, -1);
}

/** The processes that took the lock while a living process held it. */
function holders(log: string): { overlaps: string[]; taken: number } {
  const holding = new Set<string>();
  const doomed = new Set<string>();
  const overlaps: string[] = [];
  let taken = 0;
  for (const [event, pid = ''] of notes(log).map((note) => note.split(' '))) {
    if (event !== 'taken') {
      holding.delete(pid);
      if (event === 'killed') doomed.add(pid);
      continue;
    }
    if (holding.size > 0) overlaps.push(`${pid} took it from ${[...holding].join()}`);
    // A process that is being killed may still take the lock. It does not release it, but its death ends the hold.
    if (!doomed.has(pid)) holding.add(pid);
    taken += 1;
  }
  return { overlaps, taken };
}
