import { expect, test } from 'vitest';
import { printable, textParts } from './printable.ts';

test('what steers a terminal or turns text around is spelt out, lines and letters stay', () => {
  expect(printable('a\u001b[31m\u009b31m\u202eb\nc\té ✓ 日本')).toBe(
    'a\\u{1b}[31m\\u{9b}31m\\u{202e}b\nc\té ✓ 日本',
  );
});

test('what cannot be seen, or looks like a space, is spelt out too', () => {
  expect(printable('1\u3164 \u115f\uffa0')).toBe('1\\u{3164} \\u{115f}\\u{ffa0}');
  expect(printable('a\u200bb\u00a0c\u3164d\u2028e\u2800f\u{e0061}g\u{e0101}')).toBe(
    'a\\u{200b}b\\u{a0}c\\u{3164}d\\u{2028}e\\u{2800}f\\u{e0061}g\\u{e0101}',
  );
});

test('an emoji keeps its variant, and text that hides one does not', () => {
  expect(printable('❤️ 1️⃣')).toBe('❤️ 1️⃣');
  expect(printable('a\ufe0f\ufe0fb')).toBe('a\\u{fe0f}\\u{fe0f}b');
});

test('the parts of a text are all of it, in order', () => {
  expect(textParts('pay \u202e01\u202c!')).toEqual([
    { type: 'plain', text: 'pay ' },
    { type: 'disguise', codePoint: 0x202e },
    { type: 'plain', text: '01' },
    { type: 'disguise', codePoint: 0x202c },
    { type: 'plain', text: '!' },
  ]);
  expect(textParts('')).toEqual([]);
});

test('a letter of another script inside a Latin word is not taken for the one that it looks like', () => {
  expect(printable('p\u0430ypal.com')).toBe('p\\u{430}ypal.com');
  expect(printable('\u0410pple, Micr\u03bfsoft, g\u0585ogle')).toBe(
    '\\u{410}pple, Micr\\u{3bf}soft, g\\u{585}ogle',
  );
  for (const plain of ['Привет, world', 'Καλημέρα', 'naïve Ωmega-3', 'café', 'iPhone-а', 'x → αβγ', '5 µm']) {
    expect(printable(plain)).toBe(plain);
  }
});

test('a word without end is spelt out too, and looking around in it has an end', () => {
  const spelt = printable(`${'\u0430'.repeat(100_000)} ${'x\u0430'.repeat(100_000)}`);
  expect(spelt.match(/u\{430\}/g)).toHaveLength(100_000);
  expect(printable(`x${'\u0430'.repeat(1_000_000)}`)).toHaveLength(1 + 7 * 1_000_000);
});
