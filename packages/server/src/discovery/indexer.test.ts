import { packTools, SourceIndex, search, searchedSource } from '@executor/engine';
import { expect, test } from 'vitest';
import { threadIndexer } from './indexer.ts';

const program = new URL('../../dist/index-worker.js', import.meta.url);
const tool = {
  path: 'shop.orders.list',
  description: 'Lists orders',
  effect: 'read',
  repeatable: true,
  version: '1',
  origin: {},
  inputSchema: {},
} as const;

test('an index is made on a thread, and can be searched here', async () => {
  const { index } = threadIndexer(program);
  const [data] = await Promise.all([index(packTools([tool])), index(packTools([]))]);
  const source = searchedSource({ namespace: 'shop', name: 'Shop', index: new SourceIndex(data) });
  expect(search([source], 'show all orders', { limit: 1 }).found[0]?.path).toBe('shop.orders.list');
});

test('what cannot be indexed is refused, and the next is made all the same', async () => {
  const { index } = threadIndexer(program);
  const broken = index([new Uint8Array([1, 2, 3])]);
  const next = index(packTools([tool]));
  await expect(broken).rejects.toThrow();
  expect((await next).paths).toEqual(['shop.orders.list']);
});

test('what takes too long is given up', async () => {
  const tools = Array.from({ length: 20_000 }, (_, number) => ({
    ...tool,
    path: `shop.orders.list${number}`,
    description: `Lists the orders number ${number} of a shop`,
  }));
  const { index } = threadIndexer(program, 50);
  await expect(index(packTools(tools))).rejects.toThrow('within 0.05 seconds');
});
