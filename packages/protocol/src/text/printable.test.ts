import { expect, test } from 'vitest';
import { printable, textParts } from './printable.ts';

test('Control and direction characters are escaped, line breaks and letters are kept', () => {
  expect(printable('a\u001b[31m\u009b31m\u202eb\nc\té ✓ 日本')).toBe(
    'a\\u{1b}[31m\\u{9b}31m\\u{202e}b\nc\té ✓ 日本',
  );
});

test('Invisible characters and unusual spaces are escaped', () => {
  expect(printable('1\u3164 \u115f\uffa0')).toBe('1\\u{3164} \\u{115f}\\u{ffa0}');
  expect(printable('a\u200bb\u00a0c\u3164d\u2028e\u2800f\u{e0061}g\u{e0101}')).toBe(
    'a\\u{200b}b\\u{a0}c\\u{3164}d\\u{2028}e\\u{2800}f\\u{e0061}g\\u{e0101}',
  );
});

test('A variation selector is kept after an emoji and escaped elsewhere', () => {
  expect(printable('❤️ 1️⃣')).toBe('❤️ 1️⃣');
  expect(printable('a\ufe0f\ufe0fb')).toBe('a\\u{fe0f}\\u{fe0f}b');
});

test('The parts of a text are complete and in order', () => {
  expect(textParts('pay \u202e01\u202c!')).toEqual([
    { type: 'plain', text: 'pay ' },
    { type: 'disguise', codePoint: 0x202e },
    { type: 'plain', text: '01' },
    { type: 'disguise', codePoint: 0x202c },
    { type: 'plain', text: '!' },
  ]);
  expect(textParts('')).toEqual([]);
});

test('A lookalike letter inside a Latin word is escaped', () => {
  expect(printable('p\u0430ypal.com')).toBe('p\\u{430}ypal.com');
  expect(printable('\u0410pple, Micr\u03bfsoft, g\u0585ogle')).toBe(
    '\\u{410}pple, Micr\\u{3bf}soft, g\\u{585}ogle',
  );
  for (const plain of ['Привет, world', 'Καλημέρα', 'naïve Ωmega-3', 'café', 'iPhone-а', 'x → αβγ', '5 µm']) {
    expect(printable(plain)).toBe(plain);
  }
});

const spelt = (text: string) =>
  text.replace(/[^\0-\u{7f}]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`);

test.each([
  'ceo@\u0430\u0440\u0440\u04cf\u0435.com',
  '\u0441\u043e\u0441\u0430-cola.com',
  'https://\u0430\u0440\u0440\u04cf\u0435.\u0441\u043e/login',
  '\u0430\u0440\u0440\u04cf\u0435-1.\u0441\u043e.uk',
  'pay\u03f2o.com',
  'g\u0131thub.com',
  '\u0261oogle.com',
  'p\u0251ypal',
  '\u04301pple',
])('A lookalike name is escaped: %s', (name) => {
  expect(printable(name)).toBe(spelt(name));
});

test('A mark on a letter does not end the word', () => {
  expect(printable('\u0430\u0301pple')).toBe('\\u{430}\u0301pple');
  expect(printable('\u{1d5ba}\u0301\u0430pple')).toBe('\\u{1d5ba}\u0301\\u{430}pple');
});

test.each([
  'paypa\u217c.com',
  '\uff50aypal.com',
  'p\u{1d5ba}ypal.com',
  '\ufb01nance',
  '\uff11\uff12',
  '\u212a',
])('Another form of a letter or digit is escaped: %s', (text) => {
  expect(printable(text)).toBe(spelt(text));
});

test('Every character that normalises to letters or digits is escaped, except recognisable ones', () => {
  const plain: string[] = [];
  for (let code = 0x80; code < 0x20000; code++) {
    const letter = String.fromCodePoint(code);
    if (/^[a-z\d]+$/i.test(letter.normalize('NFKC')) && printable(letter) === letter) plain.push(letter);
  }
  const raised = 'ª²³¹º⁰⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉';
  const signs = /^[₨℠№™\u{2460}-\u{24ff}\u{3250}-\u{33ff}]$/u;
  expect(plain.filter((letter) => !signs.test(letter)).join('')).toBe(raised);
});

test.each([
  'МОСКВА и АВТО, а также СССР',
  'у API-шлюза, в PR-ах, о wi-fi-е, GPT-4-х',
  'см. т.е. и/или: http://пример.рф/а/о-нас',
  'kısa yazılım',
  'm², CO₂, x³, Acme™, ₨ 5, ① № ㎏ ℹ️',
  'über-naïve señor/señora',
])('real words stay readable: %s', (text) => {
  expect(printable(text)).toBe(text);
});

test('Very long words are escaped in linear time', () => {
  const spelt = printable(`${'\u0430'.repeat(20_000)} ${'x\u0430'.repeat(20_000)}`);
  expect(spelt.match(/u\{430\}/g)).toHaveLength(20_000);
  expect(printable(`x${'\u0430'.repeat(200_000)}`)).toHaveLength(1 + 7 * 200_000);
  expect(printable(`${'\u0430.'.repeat(60_000)}com`)).toHaveLength(3 + 8 * 60_000);
  expect(printable(`${'.'.repeat(100_000)}\u0430${'-'.repeat(100_000)}`)).toHaveLength(200_001);
});
