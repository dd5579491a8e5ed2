import { expect, test } from 'vitest';
import { Line } from './line.ts';

test('as many as there are places are in at a time, and all come in, in order', async () => {
  const line = new Line(2);
  const entered: number[] = [];
  let inside = 0;
  let most = 0;
  const work = async (number: number) => {
    entered.push(number);
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => setTimeout(resolve, 1));
    inside -= 1;
    if (number === 3) throw new Error('three');
    return number;
  };
  const done = await Promise.allSettled(
    Array.from({ length: 10 }, (_, number) => line.inTurn(() => work(number))),
  );
  expect(most).toBe(2);
  expect(entered).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(done.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(await line.inTurn(async () => 'again')).toBe('again');
});
