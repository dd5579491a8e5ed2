import { pathToFileURL } from 'node:url';
import { createDiscovery } from '@executor/discovery';
import { type IndexData, packTools } from '@executor/engine';
import { expect, test } from 'vitest';
import { vectorsFile } from '../../../discovery/build.ts';
import { search } from '../../../discovery/test/searched-tools.ts';
import { threadIndexer } from './indexer.ts';

const discovery = createDiscovery({ vectorsFile });
const assets = {
  indexWorker: new URL('../../dist/index-worker.js', import.meta.url),
  wordVectors: pathToFileURL(vectorsFile),
};
const searchedIn = (data: IndexData) => [{ namespace: 'shop', name: 'Shop', index: discovery.open(data) }];
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
  const { index } = threadIndexer(discovery, assets);
  const [data] = await Promise.all([index(many(2_000)), index(many(1_000))]);
  expect(search(searchedIn(data), 'show all orders', { limit: 1 }).found[0]?.path).toBe('shop.orders.list');
});

test('Invalid packs are rejected, and the next index is built', async () => {
  const { index } = threadIndexer(discovery, assets);
  const broken = index([new Uint8Array(20_000).fill(3)]);
  const next = index(many(1_000));
  await expect(broken).rejects.toThrow();
  expect(discovery.open(await next).size).toBe(1_001);
});

test('Indexing stops at the deadline', async () => {
  const { index } = threadIndexer(discovery, assets, 50);
  await expect(index(many(20_000))).rejects.toThrow('longer than 0.05 seconds');
});

test('Small packs are indexed and rejected without a thread', async () => {
  const { index } = threadIndexer(discovery, { ...assets, indexWorker: new URL('file:///there/is/none.js') });
  expect(discovery.open(await index(packTools([tool]))).size).toBe(1);
  await expect(index([new Uint8Array([1, 2, 3])])).rejects.toThrow();
});
