import { expect, test } from 'vitest';
import { CachedValue } from './cached-value.ts';

function start() {
  const state = { now: 0, loads: 0, isAway: false };
  const remembered = new CachedValue(
    async () => {
      state.loads += 1;
      if (state.isAway) throw new Error(`away at ${state.now}`);
      return `loaded at ${state.now}`;
    },
    { freshMs: 1_000, keptMs: 10_000, pauseMs: 100 },
    () => state.now,
  );
  return { state, remembered };
}

test('A value is loaded at first use, once for concurrent callers, and again when it is old', async () => {
  const { state, remembered } = start();
  expect(state.loads).toBe(0);
  expect(new Set(await Promise.all([remembered.get(), remembered.get()]))).toEqual(new Set(['loaded at 0']));
  state.now = 999;
  expect(await remembered.get()).toBe('loaded at 0');
  expect(state.loads).toBe(1);
  state.now = 1_000;
  expect(await remembered.get()).toBe('loaded at 1000');
});

test('A newer value is loaded on request, at most as often as allowed', async () => {
  const { state, remembered } = start();
  await remembered.get();
  state.now = 299;
  expect(await remembered.get(300)).toBe('loaded at 0');
  state.now = 300;
  expect(await remembered.get(300)).toBe('loaded at 300');
  for (let asked = 0; asked < 50; asked++) await remembered.get(300);
  expect(state.loads).toBe(2);
});

test('Failed loads are retried after a pause, and the old value is used for a time', async () => {
  const { state, remembered } = start();
  await remembered.get();
  state.isAway = true;
  state.now = 5_000;
  for (let asked = 0; asked < 50; asked++) expect(await remembered.get()).toBe('loaded at 0');
  expect(state.loads).toBe(2);
  state.now = 10_000;
  await expect(remembered.get()).rejects.toThrow('away at 10000');
  await expect(remembered.get()).rejects.toThrow('away at 10000');
  expect(state.loads).toBe(3);
  state.isAway = false;
  state.now = 10_100;
  expect(await remembered.get()).toBe('loaded at 10100');
});
