import { expect, test } from 'vitest';
import { Semaphore } from './semaphore.ts';

test('A semaphore admits at most as many callers as it has slots, in order', async () => {
  const semaphore = new Semaphore(2);
  const entered: number[] = [];
  let inside = 0;
  let highest = 0;
  const work = async (number: number) => {
    entered.push(number);
    inside += 1;
    highest = Math.max(highest, inside);
    await new Promise((resolve) => setTimeout(resolve, 1));
    inside -= 1;
    if (number === 3) throw new Error('three');
    return number;
  };
  const done = await Promise.allSettled(
    Array.from({ length: 10 }, (_, number) => semaphore.run(() => work(number))),
  );
  expect(highest).toBe(2);
  expect(entered).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(done.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(await semaphore.run(async () => 'again')).toBe('again');
});
