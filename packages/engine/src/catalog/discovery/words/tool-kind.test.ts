import { expect, test } from 'vitest';
import { tool } from '../../../../test/searched-tools.ts';
import { kindNumber, toolKind } from './tool-kind.ts';

test('what kind of call a tool is comes back out of its number', () => {
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    for (const effect of ['read', 'write', 'destructive'] as const) {
      for (const is of [true, false]) {
        const row = { ...tool(`${method} /orders`, 'orders', 'Orders'), effect, deprecated: is };
        expect(toolKind(kindNumber(row, !is))).toEqual({ method, effect, deprecated: is, mayIdentify: !is });
      }
    }
  }
});

test('a method that nothing is known of is one all the same, and a tool without any has none', () => {
  expect(toolKind(kindNumber(tool('PURGE /cache', 'purge', 'Purge'), true)).method).toBe('OTHER');
  const row = { ...tool('GET /', 'a', 'A'), origin: { name: 'a' } };
  expect(toolKind(kindNumber(row, true)).method).toBeUndefined();
});
