import { expect, test } from 'vitest';
import { newId } from './id.ts';

test('An id starts with its kind and is unique', () => {
  const at = new Date();
  const ids = Array.from({ length: 10_000 }, () => newId('key', at));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => /^key_[0-9a-hjkmnp-tv-z]{26}$/.test(id))).toBe(true);
});

test('Ids of one millisecond sort in the order of creation', () => {
  const at = new Date();
  const ids = Array.from({ length: 1_000 }, () => newId('int', at));
  expect(ids.toSorted()).toEqual(ids);
});

test('Ids sort by time of creation', () => {
  const times = [0, 1, 31, 32, 1_700_000_000_000, 1_700_000_000_001, 2 ** 41, 2 ** 48 - 1];
  const ids = times.map((time) => newId('x', new Date(Math.min(time, 8.64e15))));
  expect([...ids].sort()).toEqual(ids);
});
