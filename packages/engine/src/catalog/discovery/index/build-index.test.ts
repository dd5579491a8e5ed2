import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { tool } from '../../../../test/searched-tools.ts';
import type { Tool } from '../../../ports/source.ts';
import { packTools, renameTools, ToolPacker } from '../../tool-pack.ts';
import { indexTools } from './build-index.ts';

test('tools that were packed without words have the same index', async () => {
  const packer = new ToolPacker();
  packer.define('Order', { properties: { order_id: { description: 'Which order' }, remark: {} } });
  const create = tool('POST /orders', 'orders.create', 'Create an order', ['customer_id']);
  packer.add({ ...create, inputSchema: { $ref: '#/$defs/Order' }, outputSchema: { $ref: '#/$defs/Order' } });
  packer.add(tool('GET /orders/{order_id}', 'orders.get', 'Get an order', ['order_id']));
  const packed = packer.finish();
  const { searched, ...head } = JSON.parse(inflateRawSync(packed[0] as Uint8Array).toString());
  const words = Object.values<number>(searched).reduce((sum, pieces) => sum + pieces, 0);
  const former = packed.slice(1, packed.length - words);
  const index = await indexTools(packed);
  expect(await indexTools([deflateRawSync(JSON.stringify(head)), ...former])).toEqual(index);
  expect(index.terms).toContain('remark');
});

test('the index of a renamed source has the new paths', async () => {
  const tools = ['orders.create', 'orders.get'].map((name) => tool('GET /orders', name, 'An order'));
  const index = await indexTools(await renameTools(packTools(tools), 'shop', 'store'));
  expect(index.paths).toEqual(['store.orders.create', 'store.orders.get']);
  expect(await indexTools(packTools([]))).toMatchObject({ paths: [], terms: [] });
  const lone = { ...(tools[0] as Tool), path: 'discover' };
  expect((await indexTools(packTools([lone]))).paths).toEqual(['discover']);
});

test('two tools with the same path are rejected', async () => {
  const twin = tool('GET /orders', 'orders.get', 'An order');
  await expect(indexTools(packTools([twin, twin]))).rejects.toThrow('same path');
});
