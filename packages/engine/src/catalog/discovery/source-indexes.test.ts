import { expect, test } from 'vitest';
import { discovery, indexTools } from '../../../test/index-tools.ts';
import type { IndexData } from '../../ports/discovery.ts';
import type { PackedTools } from '../../ports/source.ts';
import { ChunkCache } from '../chunk-cache.ts';
import { packTools, ToolPack } from '../tool-pack.ts';
import { SourceIndexes } from './source-indexes.ts';

test('the former index of a source is used until the new one is built', async () => {
  let proceed = () => {};
  let waits: Promise<void> = Promise.resolve();
  const indexes = new SourceIndexes({
    discovery,
    indexer: {
      async index(tools: PackedTools): Promise<IndexData> {
        await waits;
        return indexTools(tools);
      },
    },
    onProblem: () => {},
  });
  const [old, next] = [await packOf('list'), await packOf('create')];
  const former = await indexes.ready(old, 10_000);
  expect(former?.size).toBe(1);
  waits = new Promise((resolve) => {
    proceed = resolve;
  });
  indexes.begin(next, old);
  expect(await indexes.ready(next, 10_000)).toBe(former);
  proceed();
  await expect.poll(async () => (await indexes.ready(next, 10_000)) !== former).toBe(true);
});

test('a failed index is not built again by every search', async () => {
  let tries = 0;
  const indexes = new SourceIndexes({
    discovery,
    indexer: {
      async index() {
        tries += 1;
        throw new Error('too much');
      },
    },
    onProblem: () => {},
  });
  const pack = await packOf('list');
  for (let searches = 0; searches < 5; searches++) expect(await indexes.ready(pack, 1_000)).toBeUndefined();
  expect(tries).toBe(1);
});

function packOf(name: string): Promise<ToolPack> {
  const tool = {
    path: `shop.orders.${name}`,
    description: '',
    effect: 'read',
    repeatable: true,
    version: '1',
    origin: {},
    inputSchema: {},
  } as const;
  return ToolPack.open(packTools([tool]), new ChunkCache());
}
