import { expect, test } from 'vitest';
import { BodyRoom } from './body-room.ts';
import { readLines } from './stream-lines.ts';

test('a stream that never ends is cut at its deadline', async () => {
  async function* endless() {
    for (;;) yield Buffer.from('a\n');
  }
  const lines: string[] = [];
  const room = new BodyRoom(async () => {}, undefined);
  const limits = { maxBytes: Number.POSITIVE_INFINITY, room, endsAt: Date.now() + 20 };
  expect(
    await readLines(endless(), limits, (line) => {
      if (lines.length < 10) lines.push(line);
      return undefined;
    }),
  ).toBe('time');
  expect(lines[0]).toBe('a');
});
