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
  const broken = ['a', 'b'].map(open);
  for (const room of broken) await room.allow(large);
  const next = open('d');
  const waiting = next.allow(large);
  expect(held.largeAnswerBytes.usage().waiting).toBe(1);
  for (const room of broken) room.drop();
  await waiting;
  // They read the answer once more.
  await broken[0]?.allow(large);
  for (const room of [next, ...broken]) room.release();
  expect([held.calls, held.answerBytes, held.largeAnswerBytes].map((part) => part.usage().used)).toEqual([
    0, 0, 0,
  ]);
});
