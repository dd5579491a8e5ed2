import { expect, test } from 'vitest';
import { RateLimit } from './rate-limit.ts';

test('Each key has a burst that refills over time', () => {
  let now = 0;
  const limit = new RateLimit({ burst: 10, perSecond: 2 }, () => now);
  expect(limit.take('a', 8)).toBeUndefined();
  expect(limit.take('a', 4)).toBe(1);
  expect(limit.take('b', 4)).toBeUndefined();
  now = 1_000;
  expect(limit.take('a', 4)).toBeUndefined();
  expect(limit.take('a', 1)).toBe(1);
  now = 3_600_000;
  expect(limit.take('a', 10)).toBeUndefined();
  expect(limit.take('a', 1)).toBe(1);
});

test('A request larger than the burst passes when the bucket is full, and empties it', () => {
  const limit = new RateLimit({ burst: 3, perSecond: 1 }, () => 0);
  expect(limit.take('a', 100)).toBeUndefined();
  expect(limit.take('a', 1)).toBe(1);
});
