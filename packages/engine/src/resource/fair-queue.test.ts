import { expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

interface Item {
  key: string;
  cost: number;
}

function queueOf(items: Item[]): FairQueue<Item> {
  const queue = new FairQueue<Item>(({ cost }) => cost);
  for (const item of items) queue.add(item.key, item);
  return queue;
}

function serve(queue: FairQueue<Item>, count: number): string {
  return Array.from({ length: count }, () => queue.shift()?.key ?? '-').join('');
}

const items = (key: string, count: number, cost: number) =>
  Array.from({ length: count }, () => ({ key, cost }));

test('Keys with items of the same cost take turns', () => {
  expect(serve(queueOf([...items('a', 3, 1), ...items('b', 2, 1)]), 6)).toBe('ababa-');
});

test('A key with expensive items gets fewer turns', () => {
  const queue = queueOf([...items('a', 3, 10), ...items('b', 30, 1)]);
  expect(serve(queue, 12)).toBe('abbbbbbbbbba');
  expect(queue.size).toBe(21);
});

test('A key that comes back is served next, but has saved nothing', () => {
  const queue = queueOf(items('a', 20, 5));
  serve(queue, 10);
  for (const item of items('b', 20, 5)) queue.add('b', item);
  expect(serve(queue, 6)).toBe('bababa');
});

test('A key cannot forget what it has spent by being idle for a moment', () => {
  const queue = queueOf([...items('a', 1, 100), ...items('b', 50, 1)]);
  expect(serve(queue, 2)).toBe('ab');
  queue.add('a', { key: 'a', cost: 100 });
  expect(serve(queue, 49)).not.toContain('a');
  expect(queue.drain()).toEqual([{ key: 'a', cost: 100 }]);
  expect([queue.size, queue.next()]).toEqual([0, undefined]);
});

test('A cost that is known later counts for the next turns', () => {
  const queue = queueOf([...items('a', 2, 0), ...items('b', 2, 0)]);
  expect(serve(queue, 1)).toBe('a');
  queue.chargeLater('a', 10);
  expect(serve(queue, 3)).toBe('bba');
});
