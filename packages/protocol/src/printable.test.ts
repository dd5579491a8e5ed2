import { expect, test } from 'vitest';
import { printable } from './printable.ts';

test('what steers a terminal or turns text around is spelt out, lines and letters stay', () => {
  expect(printable('a\u001b[31m\u009b31m\u202eb\nc\té ✓ 日本')).toBe(
    'a\\u{1b}[31m\\u{9b}31m\\u{202e}b\nc\té ✓ 日本',
  );
});
