import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { isAlive, thisProcess } from './process-identity.ts';

test('this process is alive', () => {
  expect(isAlive(thisProcess())).toBe(true);
});

test('a process with the number of a running one, but another start, is not alive', () => {
  expect(isAlive({ pid: process.pid, startedAt: 'another time' })).toBe(false);
});

test('a process is not alive any more once it has ended', async () => {
  const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)']);
  await once(child, 'spawn');
  const identity = { pid: child.pid ?? 0, startedAt: 'unknown' };
  expect(isAlive(identity)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isAlive(identity)).toBe(false);
});

test('a process of another user is alive', () => {
  expect(isAlive({ pid: 1, startedAt: 'unknown' })).toBe(true);
});
