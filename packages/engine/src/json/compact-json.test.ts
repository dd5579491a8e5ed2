import { expect, test } from 'vitest';
import { compactJson, maxJsonDepth } from './compact-json.ts';

const compact = (text: string, quoteLarge = false) =>
  Buffer.from(compactJson(Buffer.from(text), { quoteLarge })).toString();

/** What the platform's parser makes of the same text. */
function parsed(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return 'invalid';
  }
}
function compacted(text: string): string {
  try {
    // Numbers and repeated keys keep their form.
    return JSON.stringify(JSON.parse(compact(text)));
  } catch {
    return 'invalid';
  }
}

const texts = [
  ' { "a" : [ 1 , -2.5e+3 , true , false , null ] , "b" : { } , "c" : [ ] , "d" : "x y" } ',
  '"caf\\u00e9 \\/ \\"q\\" \\ud83d\\ude00 \\ud800 \\b"',
  '"é😀\u2028"',
  ...['0', '-0', '1e400', '-1E-5', '01', '1.', '.5', '+1', '-', '1e', '0x1', 'NaN', 'tru', 'nulll'],
  ...[
    '',
    ' ',
    '[',
    ']',
    '[1,]',
    '[,1]',
    '[1 2]',
    '{"a"}',
    '{"a":}',
    '{a:1}',
    '{"a":1,}',
    '{,}',
    '{"a":1 "b":2}',
  ],
  ...[
    '"',
    '"\\',
    '"\\"',
    '"\\x"',
    '"\\u12"',
    '"\u0001"',
    '"\n"',
    '1 2',
    '[]]',
    '{}{}',
    '[}',
    '{]',
    '"a" "b"',
    '\ufeff1',
  ],
];

test.each(texts)('%j is accepted and rejected like by JSON.parse', (text) => {
  expect(compacted(text)).toBe(parsed(text));
});

test('Mutated JSON is accepted and rejected like by JSON.parse', () => {
  const whole = '{"a":[1,-2.5e3,true,null,{"b":"x\\u00e9\\n\\"y"}],"c":{},"d":""}';
  for (let at = 0; at < whole.length; at += 1) {
    for (const inserted of ['', '"', '\\', ',', ':', '[', '}', '1', ' ', 'e', 'é']) {
      const text = whole.slice(0, at) + inserted + whole.slice(at + 1);
      expect([text, compacted(text)]).toEqual([text, parsed(text)]);
    }
  }
});

test('White space is removed, and strings get their shortest form', () => {
  expect(compact(texts[0] as string)).toBe('{"a":[1,-2.5e+3,true,false,null],"b":{},"c":[],"d":"x y"}');
  expect(compact('"\\u0073ecret \\/"')).toBe('"secret /"');
});

test('Large integers become strings of digits if that is asked for', () => {
  const text =
    '[9007199254740993, -9007199254740993, 9007199254740991, 12345678901234567890.5, {"1234567890123456789": 1}]';
  expect(compact(text, true)).toBe(
    '["9007199254740993","-9007199254740993",9007199254740991,12345678901234567890.5,{"1234567890123456789":1}]',
  );
  expect(compact('[9007199254740993]')).toBe('[9007199254740993]');
  const many = `[${Array(2_000).fill('9007199254740993').join(',')}]`;
  expect(JSON.parse(compact(many, true))).toEqual(Array(2_000).fill('9007199254740993'));
});

test('Deep nesting is an error of its own', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  expect(compact(nested(maxJsonDepth))).toBe(nested(maxJsonDepth));
  expect(() => compact(nested(maxJsonDepth + 1))).toThrow(RangeError);
  expect(() => compact('[{"a":'.repeat(1_000_000))).toThrow(RangeError);
});
