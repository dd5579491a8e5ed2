import { expect, test } from 'vitest';
import { tool } from '../../../../test/searched-tools.ts';
import { kindNumber, toolKind } from './tool-kind.ts';

test("the number of a tool's kind can be decoded", () => {
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    for (const effect of ['read', 'write', 'destructive'] as const) {
      for (const is of [true, false]) {
        const row = { ...tool(`${method} /orders`, 'orders', 'Orders'), effect, deprecated: is };
        expect(toolKind(kindNumber(row, !is))).toEqual({ method, effect, deprecated: is, mayIdentify: !is });
      }
    }
  }
});

test('an unknown method becomes OTHER, and a tool without HTTP has no method', () => {
  expect(toolKind(kindNumber(tool('PURGE /cache', 'purge', 'Purge'), true)).method).toBe('OTHER');
  const row = { ...tool('GET /', 'a', 'A'), origin: { name: 'a' } };
  expect(toolKind(kindNumber(row, true)).method).toBeUndefined();
});
