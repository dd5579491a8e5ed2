import { expect, test } from 'vitest';
import { cutJson } from './cut-json.ts';

test('JSON with very many values shows only its size, so that its values are never built', () => {
  for (const item of ['{}', '[]', '1', '"a"']) {
    const json = `[${`${item},`.repeat(500_000)}${item}]`;
    expect(JSON.parse(cutJson(json, 1_000))).toBe(`… (${json.length} bytes)`);
  }
  const brackets = '['.repeat(600_000) + ']'.repeat(600_000);
  expect(JSON.parse(cutJson(brackets, 1_000))).toBe('… (1200000 bytes)');
});

test('Large JSON with fewer values keeps its shape', () => {
  const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, name: 'x'.repeat(100) }));
  const shown = JSON.parse(cutJson(JSON.stringify(rows), 1_000));
  expect(shown[0]).toEqual(rows[0]);
  expect(shown.at(-1)).toMatch(/^… \(199\d\d more items\)$/);
});
