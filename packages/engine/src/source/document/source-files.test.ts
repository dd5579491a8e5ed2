import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestEngine } from '../../../test/test-engine.ts';
import { hashOf, isSameText } from './source-files.ts';

let host: TestEngine;
beforeAll(async () => {
  host = await TestEngine.start();
});
afterAll(() => host.close());

const document = JSON.stringify({ title: 'Shop', baseUrl: 'https://shop.test', tools: [{ name: 'list' }] });
const others = { 'schemas/order.yaml': 'a: 1 # é\r\n', 'common.json': '{}' };
const files = { main: 'openapi.json', others };

async function textOf(file?: string): Promise<string> {
  const { pieces } = await host.engine.sources.document(host.owner, 'shop', file);
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return gunzipSync(Buffer.concat(all)).toString();
}

test('All files of a document are stored and read again', async () => {
  const { sources } = host.engine;
  const source = await sources.add(host.owner, { document, files });
  expect(source.document).toMatchObject({
    name: 'openapi.json',
    files: [
      { name: 'schemas/order.yaml', bytes: 11 },
      { name: 'common.json', bytes: 2 },
    ],
  });
  expect(await textOf()).toBe(document);
  expect(await textOf('openapi.json')).toBe(document);
  expect(await textOf('common.json')).toBe('{}');
  expect(await textOf('schemas/order.yaml')).toBe(others['schemas/order.yaml']);
  await expect(textOf('schemas/ordr.yaml')).rejects.toThrow(
    'has no file "schemas/ordr.yaml". Did you mean "schemas/order.yaml"?',
  );

  expect(await sources.refresh(host.owner, 'shop')).toMatchObject({ unchanged: true });
  expect(host.shelf.loads.at(-1)?.settings).toMatchObject({ document, files });

  const initiator = { principal: host.owner };
  expect((await sources.ensureAs(initiator, { document, files })).id).toBe(source.id);
  const other = { main: 'openapi.json', others: { 'common.json': '{"b":1}' } };
  expect((await sources.ensureAs(initiator, { document, files: other, namespace: 'other' })).id).not.toBe(
    source.id,
  );

  await sources.update(host.owner, 'shop', { document, files: other });
  expect(await textOf('common.json')).toBe('{"b":1}');
  await expect(textOf('schemas/order.yaml')).rejects.toMatchObject({ code: 'notFound' });
  await sources.update(host.owner, 'shop', { document });
  expect((await sources.get(host.owner, 'shop')).document).not.toHaveProperty('files');
});

test('Only people see the files, one source at a time, because URLs may contain a key', async () => {
  const { sources } = host.engine;
  await sources.add(host.owner, { document, files, namespace: 'listed' });
  const agent = { ...host.owner, kind: 'agent' as const };
  expect((await sources.get(host.owner, 'listed')).document?.files).toHaveLength(2);
  expect((await sources.get(agent, 'listed')).document).toMatchObject({ name: 'openapi.json' });
  expect((await sources.get(agent, 'listed')).document).not.toHaveProperty('files');
  for (const principal of [host.owner, agent]) {
    const { items } = await sources.list(principal, { limit: 10 });
    expect(items.find(({ namespace }) => namespace === 'listed')?.document).not.toHaveProperty('files');
  }
});

test('A file name may look like a URL', async () => {
  const { sources } = host.engine;
  const odd = { main: 'openapi.json', others: { 'http:a.json': '{}' } };
  await sources.add(host.owner, { document, files: odd, namespace: 'odd' });
  await sources.refresh(host.owner, 'odd');
  expect(host.shelf.loads.at(-1)?.settings).toMatchObject({ files: odd });
});

test('The same files with the main file in another folder are another document', () => {
  const there = Object.entries(others).map(([name, text]) => ({
    name,
    bytes: 1,
    hash: hashOf(text),
    pieces: 1,
  }));
  const kept = {
    mediaType: 'application/json',
    bytes: 1,
    hash: hashOf(document),
    name: files.main,
    files: there,
  };
  expect(isSameText({ document: kept }, { document, files })).toBe(true);
  expect(isSameText({ document: kept }, { document, files: { main: 'v1/openapi.json', others } })).toBe(
    false,
  );
});

test('Fetched files do not make it another document', () => {
  const fetched = { name: 'https://a.example/order.yaml', bytes: 1, hash: hashOf('fetched'), pieces: 1 };
  const kept = { mediaType: 'application/json', bytes: 1, hash: hashOf(document), files: [fetched] };
  expect(isSameText({ document: kept }, { document })).toBe(true);
  expect(isSameText({ document: kept }, { document, files })).toBe(false);
});
