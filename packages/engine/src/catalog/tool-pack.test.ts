import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ChunkCache } from './chunk-cache.ts';
import { isSamePack, packTools, shortenPaths, ToolPack } from './tool-pack.ts';

async function shortened(paths: string[]): Promise<string[]> {
  const tools = paths.map((path) => ({
    path,
    version: '1',
    description: 'Does it.',
    effect: 'read' as const,
    repeatable: true,
    origin: {},
    inputSchema: { type: 'object' },
  }));
  const packed = await shortenPaths(packTools(tools), 'payments');
  const pack = await ToolPack.open(packed, new ChunkCache());
  for (const path of pack.paths())
    expect(pack.find(path)).toMatchObject({ path, inputSchema: { type: 'object' } });
  return [...pack.paths()];
}

test('A group with the name of the namespace is left out', async () => {
  expect(await shortened(['payments.payments.pay', 'payments.refunds.list'])).toEqual([
    'payments.pay',
    'payments.refunds.list',
  ]);
  expect(await shortened(['payments.refunds.list'])).toEqual(['payments.refunds.list']);
});

test('A tool keeps its long path where the short one is that of a tool or a group', async () => {
  const paths = [
    'payments.payments.refunds',
    'payments.refunds.list',
    'payments.payments.Status',
    'payments.status',
  ];
  expect(await shortened(paths)).toEqual(paths);
  expect(await shortened(['payments.payments.payments', 'payments.payments.pay'])).toEqual([
    'payments.payments.payments',
    'payments.pay',
  ]);
});

test('A pack of an older version, with words at its end, is the same as one without', async () => {
  const tools = [
    {
      path: 'shop.orders.list',
      version: '1',
      description: 'Lists orders.',
      effect: 'read' as const,
      repeatable: true,
      origin: {},
      inputSchema: { type: 'object' },
    },
  ];
  const [head, ...pieces] = packTools(tools);
  const searched = { paths: 1, routes: 0, runs: 0, texts: 0, tools: 1 };
  const formerHead = { ...JSON.parse(inflateRawSync(head as Uint8Array).toString()), searched };
  const words = deflateRawSync('[]');
  const former = [deflateRawSync(JSON.stringify(formerHead)), ...pieces, words, words];
  expect(await isSamePack(former, packTools(tools))).toBe(true);
  const pack = await ToolPack.open(former, new ChunkCache());
  expect(pack.find('shop.orders.list')).toMatchObject({ inputSchema: { type: 'object' } });
});
