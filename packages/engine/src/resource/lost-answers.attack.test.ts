import { expect, test } from 'vitest';
import { systemClock } from '../clock.ts';
import { AnswerRoom, mediumAnswerBytes } from './answer-room.ts';
import { Resources } from './resources.ts';

test('A call that is sent again because its answer broke off keeps no memory for which others wait', async () => {
  const { held } = new Resources();
  const open = (key: string) =>
    new AnswerRoom({
      memory: held,
      account: { kind: 'agent', key, workspaceId: 'w' },
      clock: systemClock,
      signal: new AbortController().signal,
    });
  const large = 10 * mediumAnswerBytes;
  const broken = open('a');
  await broken.allow(large);
  const next = open('b');
  const waiting = next.allow(large);
  expect(held.largeAnswerBytes.usage().waiting).toBe(1);
  broken.drop();
  await waiting;
  // It reads the answer once more, when the other call has ended.
  const again = broken.allow(large);
  next.release();
  await again;
  broken.release();
  expect([held.calls, held.answerBytes, held.largeAnswerBytes].map((part) => part.usage().used)).toEqual([
    0, 0, 0,
  ]);
});
