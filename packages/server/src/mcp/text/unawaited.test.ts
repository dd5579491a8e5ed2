import type { UnawaitedCall } from '@executor/protocol';
import { expect, test } from 'vitest';
import { unawaitedText } from './unawaited.ts';

const lines = (...unawaited: UnawaitedCall[]) => unawaitedText({ unawaited })[0]?.split('\n').slice(1) ?? [];

test('There is no text without such calls', () => {
  expect(unawaitedText({})).toEqual([]);
});

test('Failures are first, and like calls share a line', () => {
  const succeeded = { path: 'a.add', line: 2, outcome: 'succeeded' } as const;
  const failed = { path: 'a.add', line: 2, outcome: 'failed', message: 'no' } as const;
  expect(lines(succeeded, succeeded, failed, { path: 'a.put', outcome: 'denied' }, succeeded)).toEqual([
    '- a.add (line 2): failed: no',
    '- a.put: denied',
    '- 3 x a.add (line 2): succeeded',
  ]);
});

test('The text is bounded', () => {
  const failures = Array.from({ length: 100 }, (_, line) => {
    return { path: 'a.add', line, outcome: 'failed', message: 'x'.repeat(200) } as const;
  });
  expect(lines(...failures)).toHaveLength(11);
  expect(lines(...failures).at(-1)).toBe('- and 90 more failures');
});

test('A timer that had not fired is mentioned', () => {
  const timer = { path: 'setTimeout', line: 3, outcome: 'pending' } as const;
  const [text] = unawaitedText({ unawaited: [timer, { ...timer, line: 4 }] });
  expect(text).toBe(
    'When the run ended, setTimeout (line 3) and 1 more had not fired. Its callback did not run. Use `await sleep(ms)` to wait.',
  );
});
