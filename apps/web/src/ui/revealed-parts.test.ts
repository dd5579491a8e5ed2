import { textParts } from '@executor/protocol';
import { expect, test } from 'vitest';
import { groupParts, sizeOf } from './revealed-parts.ts';

test('Invisible characters are shown by their code points', () => {
  expect(groupParts(textParts('to\u202e moc.live'))).toEqual([
    { type: 'plain', text: 'to' },
    { type: 'disguise', label: 'U+202E', title: 'right-to-left override, which shows text backwards' },
    { type: 'plain', text: ' moc.live' },
  ]);
});

test('Repetitions of a character are one mark with their number', () => {
  const parts = groupParts(textParts(`a${'\u200b'.repeat(50_000)}\u200cb`));
  expect(parts.map((part) => (part.type === 'plain' ? part.text : part.label))).toEqual([
    'a',
    'U+200B ×50000',
    'U+200C',
    'b',
  ]);
});

test('A size is formatted for people', () => {
  expect(sizeOf('x'.repeat(102_400))).toBe('102,400 characters');
});
