import { expect, test } from 'vitest';
import { readWanted } from './wanted-address.ts';

const now = 1_000_000_000;
const stored = (path: unknown, at: unknown = now - 1_000) => JSON.stringify({ path, at });

test('A stored path is used while it is recent', () => {
  expect(readWanted(stored('/approvals/int_1'), now)).toBe('/approvals/int_1');
  expect(readWanted(stored('/approvals#exe_1'), now)).toBe('/approvals#exe_1');
  expect(readWanted(stored('/approvals/int_1', now - 16 * 60_000), now)).toBeUndefined();
  expect(readWanted(stored('/approvals/int_1', now + 1), now)).toBeUndefined();
});

test('Only paths of this server are used', () => {
  for (const path of [
    '//evil.test',
    'https://evil.test',
    '/\\evil.test',
    '/a?b#sign-in=x',
    '/a#sign-in=x',
    '/',
    7,
    null,
  ])
    expect(readWanted(stored(path), now), String(path)).toBeUndefined();
  expect(readWanted('nonsense', now)).toBeUndefined();
  expect(readWanted('null', now)).toBeUndefined();
});
