import { expect, test } from 'vitest';
import { duration, jsonText, oneLine } from './output.ts';

test('JSON for a terminal keeps its meaning and contains no control characters', () => {
  const value = { '\u009b31m': 'a\u202eb\u0007\u{e0001}\ud800', 'ü€😀': ['\n', '\t'] };
  for (const indent of [0, 2]) {
    const text = jsonText(value, indent);
    expect(JSON.parse(text)).toEqual(value);
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/u);
    expect(text).toContain('😀');
  }
  expect(jsonText(undefined)).toBe('null');
});

test('Text is joined to one line and cut to the width', () => {
  expect(oneLine(' a\n  b\u001b[2J ', 80)).toBe('a b\\u{1b}[2J');
  expect(oneLine('abcdef', 4)).toBe('abc…');
});

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1_500, '1.5 s'],
  [61_000, '1 min 1 s'],
  [3_660_000, '1 h 1 min'],
  [5 * 24 * 3_600_000, '5 days'],
])('%i ms is printed as %s', (ms, text) => expect(duration(ms)).toBe(text));
