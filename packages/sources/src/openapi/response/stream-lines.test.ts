import { expect, test } from 'vitest';
import { readLines } from './stream-lines.ts';

test('a stream that never ends is cut at its deadline', async () => {
  async function* endless() {
    for (;;) yield Buffer.from('a\n');
  }
  const lines: string[] = [];
  const limits = { maxBytes: Number.POSITIVE_INFINITY, endsAt: Date.now() + 20 };
  expect(await readLines(endless(), limits, (line) => void (lines.length < 10 && lines.push(line)))).toBe(
    'time',
  );
  expect(lines[0]).toBe('a');
});
