import { expect, test } from 'vitest';
import { parseJson } from './parse-json.ts';

test.each([
  ['9007199254740993', '9007199254740993'],
  ['-9007199254740993', '-9007199254740993'],
  ['9007199254740991', 9007199254740991],
  ['{"id":12345678901234567890,"n":1}', { id: '12345678901234567890', n: 1 }],
  [
    '[1,[ 18446744073709551615 ],"18446744073709551616"]',
    [1, ['18446744073709551615'], '18446744073709551616'],
  ],
  // Digits in strings and names are kept, however their quotes are written.
  [
    '{"a\\"9007199254740993":"\\\\","b":9007199254740993}',
    { 'a"9007199254740993': '\\', b: '9007199254740993' },
  ],
  ['["\\\\\\" 9007199254740993"]', ['\\" 9007199254740993']],
  // These are not integers, so nothing is lost.
  [
    '[1.2345678901234567, 9007199254740992.0, 12345678901234567e3]',
    [1.2345678901234567, 2 ** 53, 12345678901234567e3],
  ],
  ['{"__proto__":9007199254740993}', JSON.parse('{"__proto__":"9007199254740993"}')],
])('%s', (text, value) => {
  expect(parseJson(text)).toEqual(value);
});

test.each(['', '{', '9007199254740993 9007199254740993', '"9007199254740993', '09007199254740993'])(
  '%j is no JSON',
  (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  },
);

test('a string of many megabytes before a large integer is parsed', () => {
  const long = '\\"x'.repeat(3_000_000);
  const [text, id] = parseJson(`["${long}",9007199254740993]`) as [string, string];
  expect([text.length, id]).toEqual([6_000_000, '9007199254740993']);
});
