import { setMaxListeners } from 'node:events';
import { expect, test } from 'vitest';
import { systemClock } from '../clock.ts';
import type { Account } from './account.ts';
import { AnswerRoom, mediumAnswerBytes } from './answer-room.ts';
import { Resources } from './resources.ts';

const agent = (key: string): Account => ({ kind: 'agent', key, workspaceId: 'w' });
const mebibyte = 1024 * 1024;
const tight = {
  ...{ 'calls.perKey': 20, 'calls.agents': 30, 'calls.total': 40 },
  ...{
    'answerBytes.perKey': 8 * mebibyte,
    'answerBytes.agents': 12 * mebibyte,
    'answerBytes.total': 16 * mebibyte,
  },
  ...{ 'largeAnswerBytes.perKey': 40 * mebibyte, 'largeAnswerBytes.agents': 60 * mebibyte },
};

function rooms(limits = {}) {
  const { held } = new Resources(limits);
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const open = (key: string, end = signal) =>
    new AnswerRoom({ memory: held, account: agent(key), clock: systemClock, signal: end });
  const used = () => [held.calls, held.answerBytes, held.largeAnswerBytes].map((part) => part.usage().used);
  return { held, open, used };
}

test('Answers that grow together all finish within tight limits, and give everything back', async () => {
  const { held, open, used } = rooms(tight);
  let largest = 0;
  const answer = async (key: string, sizes: number[]) => {
    const room = open(key);
    await room.open();
    for (const size of sizes) {
      await room.allow(size);
      await new Promise((resolve) => setImmediate(resolve));
      largest = Math.max(largest, held.largeAnswerBytes.usage().used);
    }
    room.settle(sizes.at(-1) ?? 0);
    room.release();
  };
  const sizes = [[1_000], [mediumAnswerBytes], [mediumAnswerBytes, 10 * mebibyte], [3 * mebibyte]];
  await Promise.all(
    Array.from({ length: 400 }, (_, number) => answer(`key${number % 3}`, sizes[number % 4] as number[])),
  );
  expect(largest).toBeLessThanOrEqual(60 * mebibyte);
  expect(used()).toEqual([0, 0, 0]);
});

test('A call that waits for memory when its run ends holds nothing afterwards', async () => {
  const { open, used } = rooms(tight);
  const first = open('a');
  await first.allow(10 * mebibyte);
  const end = new AbortController();
  const second = open('a', end.signal);
  await second.open();
  const waiting = second.allow(10 * mebibyte);
  end.abort(new Error('the run has ended'));
  await expect(waiting).rejects.toThrow('the run has ended');
  second.release();
  first.release();
  expect(used()).toEqual([0, 0, 0]);
});

test('An answer that is larger than the share of its key takes the whole share', async () => {
  const { open, used } = rooms();
  const room = open('a');
  await room.allow(500 * mebibyte);
  expect(used()).toEqual([0, 0, 48 * mebibyte]);
  room.settle(2 * mebibyte);
  expect(used()).toEqual([0, 0, 8 * mebibyte]);
});
