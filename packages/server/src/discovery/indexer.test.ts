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

/** Enough tools for a thread. */
const many = (count: number) => {
  const others = Array.from({ length: count }, (_, number) => ({
    ...tool,
    path: `shop.parcels.send${number}`,
    description: `Sends the parcel number ${number} of a shop`,
  }));
  return packTools([tool, ...others]);
};

test('An index is built on a thread and searched in the server', async () => {
  const { index } = threadIndexer(program);
  const [data] = await Promise.all([index(many(2_000)), index(many(1_000))]);
  const source = searchedSource({ namespace: 'shop', name: 'Shop', index: new SourceIndex(data) });
  expect(search([source], 'show all orders', { limit: 1 }).found[0]?.path).toBe('shop.orders.list');
});

test('Invalid packs are rejected, and the next index is built', async () => {
  const { index } = threadIndexer(program);
  const broken = index([new Uint8Array(20_000).fill(3)]);
  const next = index(many(1_000));
  await expect(broken).rejects.toThrow();
  expect((await next).paths).toContain('shop.orders.list');
});

test('Indexing stops at the deadline', async () => {
  const { index } = threadIndexer(program, 50);
  await expect(index(many(20_000))).rejects.toThrow('longer than 0.05 seconds');
});

test('Small packs are indexed and rejected without a thread', async () => {
  const { index } = threadIndexer(new URL('file:///there/is/none.js'));
  expect((await index(packTools([tool]))).paths).toEqual(['shop.orders.list']);
  await expect(index([new Uint8Array([1, 2, 3])])).rejects.toThrow();
});
