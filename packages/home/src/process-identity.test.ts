import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { isAlive, thisProcess } from './process-identity.ts';

test('This process is alive', () => {
  expect(isAlive(thisProcess())).toBe(true);
});

test('A process with a reused pid and another start time is not alive', () => {
  expect(isAlive({ pid: process.pid, startedAt: 'another time' })).toBe(false);
});

test('A process that has ended is not alive', async () => {
  const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)']);
  await once(child, 'spawn');
  const identity = { pid: child.pid ?? 0, startedAt: 'unknown' };
  expect(isAlive(identity)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isAlive(identity)).toBe(false);
});

test('A process of another user counts as alive', () => {
  expect(isAlive({ pid: 1, startedAt: 'unknown' })).toBe(true);
});
