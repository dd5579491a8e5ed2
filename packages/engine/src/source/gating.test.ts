import type { NewSource } from '@executor/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ShelfDocument } from '../../test/shelf-source.ts';
import { TestEngine } from '../../test/test-engine.ts';
import { connectConfigured } from './configured-sources.ts';

let host: TestEngine;
beforeAll(async () => {
  host = await TestEngine.start({ onProblem() {} });
});
afterAll(() => host.close());
beforeEach(async () => {
  const { items } = await host.engine.sources.list(host.owner, { limit: 200 });
  for (const { id } of items) await host.engine.sources.remove(host.owner, id);
  host.shelf.shelf.clear();
  host.shelf.guarded.clear();
  host.shelf.silent.clear();
  host.shelf.loads.length = 0;
  host.shelf.gate = undefined;
});

const url = 'https://api.acme.test/openapi.json';
const tools: ShelfDocument['tools'] = [
  { name: 'list' },
  { name: 'create', effect: 'write', origin: { method: 'POST', path: '/things' } },
  { name: 'wipe', effect: 'destructive' },
];
const acme: ShelfDocument = { title: 'Acme', baseUrl: 'https://api.acme.test', tools };
const add = (changes: Partial<NewSource> = {}) => host.engine.sources.add(host.owner, { url, ...changes });
const refresh = () => host.engine.sources.refresh(host.owner, 'acme');
const unseen = async () =>
  (await host.engine.sources.tools(host.owner, 'acme', { limit: 50, only: 'unseen' })).items.map(
    ({ path }) => path,
  );
const replaced = (name: string, change: Partial<ShelfDocument['tools'][0]>) =>
  tools.map((tool) => (tool.name === name ? { ...tool, ...change } : tool));
const shown = () => host.shelf.loads.filter(({ auth }) => auth !== undefined);
const auth = { type: 'bearer', token: 'acme-token-1' } as const;

describe('A tool whose calls go to a new origin', () => {
  test('is asked about after a refresh, even if it only reads', async () => {
    host.shelf.put(url, { ...acme, tools: [...tools, { name: 'upload', target: 'https://up.acme.test' }] });
    expect((await add({ auth })).origins).toEqual(['https://api.acme.test', 'https://up.acme.test']);
    const list = (target: string) => ({
      ...acme,
      tools: [...replaced('list', { target }), { name: 'upload', target: 'https://up.acme.test' }],
    });
    host.shelf.put(url, list('https://up.acme.test'));
    await refresh();
    expect(await unseen()).toEqual([]);
    host.shelf.put(url, list('https://evil.test'));
    expect((await refresh()).source.origins).toContain('https://evil.test');
    expect(await unseen()).toEqual(['acme.list']);
  });

  test('is asked about if an edit reads another document, but not if the user set the base URL', async () => {
    host.shelf.put(url, acme);
    await add({ auth });
    const other = 'https://api.acme.test/other.json';
    host.shelf.put(other, { ...acme, baseUrl: 'https://evil.test' });
    const { sources } = host.engine;
    const edited = await sources.update(host.owner, 'acme', { url: other, baseUrl: 'https://two.acme.test' });
    expect(edited).toMatchObject({ unseenCount: 0, origins: ['https://two.acme.test'] });
    const bare = await sources.update(host.owner, 'acme', { baseUrl: null });
    expect(bare).toMatchObject({ unseenCount: 3, origins: ['https://evil.test'] });
    await sources.update(host.owner, 'acme', { seen: true });
    host.shelf.put(url, { ...acme, baseUrl: 'https://third.test' });
    expect(await sources.update(host.owner, 'acme', { url })).toMatchObject({ unseenCount: 3 });
  });
});

describe('Server variables', () => {
  const tenant: ShelfDocument = { ...acme, baseUrl: 'https://{tenant:api}.acme.test' };

  test('do not let a document send calls elsewhere: their values decide', async () => {
    host.shelf.put(url, { ...acme, baseUrl: 'https://api.acme.test' });
    const source = await add({ auth, serverVariables: { tenant: 'evil.test/' } });
    expect(source.origins).toEqual(['https://api.acme.test']);
    // With its default the calls go to the known origin.
    host.shelf.put(url, { ...acme, baseUrl: 'https://{tenant:api.acme.test}' });
    expect((await refresh()).source).toMatchObject({ origins: ['https://evil.test'], unseenCount: 3 });
    expect(await unseen()).toEqual(['acme.list', 'acme.create', 'acme.wipe']);
  });

  test('change the origin if a user sets them, and the origin is shown', async () => {
    host.shelf.put(url, tenant);
    expect((await add({ auth })).origins).toEqual(['https://api.acme.test']);
    const { sources } = host.engine;
    const edited = await sources.update(host.owner, 'acme', { serverVariables: { tenant: 'two' } });
    expect(edited).toMatchObject({ origins: ['https://two.acme.test'], unseenCount: 0 });
    await expect(
      sources.update(host.agent, 'acme', { serverVariables: { tenant: 'three' } }),
    ).rejects.toMatchObject({ code: 'forbidden' });
    // The user's change does not cover a document that has changed meanwhile.
    host.shelf.put(url, { ...acme, baseUrl: 'https://{tenant:api}.evil.test' });
    expect(await sources.update(host.owner, 'acme', { serverVariables: { tenant: 'three' } })).toMatchObject({
      origins: ['https://three.evil.test'],
      unseenCount: 3,
    });
  });

  test('open no private network; only a typed URL does', async () => {
    host.shelf.put(url, { ...acme, baseUrl: 'http://{host:api.acme.test}' });
    await add({ auth });
    const edited = await host.engine.sources.update(host.owner, 'acme', {
      serverVariables: { host: '10.0.0.1' },
    });
    expect(edited).toMatchObject({ origins: ['http://10.0.0.1'], settings: { allowPrivateNetwork: false } });
  });
});

describe('Another operation under a known path', () => {
  const cases: [string, string, Partial<ShelfDocument['tools'][0]>, string[]][] = [
    ['another path', 'create', { origin: { method: 'POST', path: '/payouts' } }, ['acme.create']],
    ['a stricter effect', 'create', { effect: 'destructive' }, ['acme.create']],
    ['a read that writes now', 'list', { effect: 'write' }, ['acme.list']],
    ['another version of a write', 'create', { version: '2' }, []],
    ['another path of a read', 'list', { origin: { name: 'other' } }, []],
    ['a milder effect', 'wipe', { effect: 'write' }, []],
  ];
  test.each(cases)('%s', async (_, name, change, expected) => {
    host.shelf.put(url, acme);
    await add();
    host.shelf.put(url, { ...acme, tools: replaced(name, change) });
    await refresh();
    expect(await unseen()).toEqual(expected);
  });
});

describe('The credentials', () => {
  test('are not sent to another host that has the document', async () => {
    const hosted = 'https://documents.test/acme.json';
    host.shelf.put(hosted, acme);
    await add({ url: hosted, auth });
    host.shelf.guarded.set(hosted, `Bearer ${auth.token}`);
    await expect(refresh()).rejects.toMatchObject({ details: { status: 401 } });
    expect(shown()).toEqual([]);
  });

  test('are not sent to a URL that a page links to', async () => {
    const evil = 'https://evil.test/openapi.json';
    host.shelf.leads.set('https://api.acme.test/docs', evil);
    host.shelf.put(evil, acme);
    host.shelf.guarded.set(evil, `Bearer ${auth.token}`);
    await expect(add({ url: 'https://api.acme.test/docs', auth })).rejects.toMatchObject({
      details: { status: 401 },
    });
    expect(shown()).toEqual([]);
  });

  test('are sent if document and calls have the same origin', async () => {
    host.shelf.put(url, acme);
    host.shelf.guarded.set(url, `Bearer ${auth.token}`);
    await add({ auth });
    await refresh();
    expect(shown()).toHaveLength(2);
  });
});

describe('A load with concurrent changes', () => {
  const held = async () => {
    let open = () => {};
    const before = host.shelf.loads.length;
    host.shelf.gate = new Promise((resolve) => {
      open = resolve;
    });
    return { open: () => open(), begun: () => expect.poll(() => host.shelf.loads.length).toBe(before + 1) };
  };

  test('is repeated if the changes affect how it is read', async () => {
    host.shelf.put(url, acme);
    await add();
    const other = 'https://api.acme.test/other.json';
    host.shelf.put(other, { ...acme, tools: [{ name: 'other' }] });
    host.shelf.put(url, { ...acme, tools: [{ name: 'stale' }] });
    const gate = await held();
    const refreshing = refresh();
    await gate.begun();
    host.shelf.gate = undefined;
    await host.engine.sources.update(host.owner, 'acme', { url: other });
    gate.open();
    expect((await refreshing).source).toMatchObject({ url: other, toolCount: 1 });
    const { items } = await host.engine.sources.tools(host.owner, 'acme', { limit: 10 });
    expect(items.map(({ path }) => path)).toEqual(['acme.other']);
  });

  test('keeps all of the changes', async () => {
    host.shelf.put(url, acme);
    await add();
    const other = 'https://api.acme.test/other.json';
    host.shelf.put(other, acme);
    const gate = await held();
    const editing = host.engine.sources.update(host.owner, 'acme', {
      url: other,
      tools: { 'acme.list': { effect: 'write' } },
    });
    await gate.begun();
    await host.engine.sources.update(host.owner, 'acme', {
      headers: { 'x-tenant': 'one' },
      tools: { 'acme.wipe': { effect: 'write' } },
    });
    gate.open();
    expect((await editing).settings).toMatchObject({ url: other, headers: { 'x-tenant': 'one' } });
    const edited = await host.engine.sources.tools(host.owner, 'acme', { limit: 10, only: 'edited' });
    expect(edited.items.map(({ path }) => path)).toEqual(['acme.list', 'acme.wipe']);
    const [entry] = (await host.store.audit.list(host.owner.workspaceId, { limit: 1 })).items;
    expect(entry).toMatchObject({
      action: 'source.updated',
      details: { changed: ['url', 'tools'], url: other, edits: { 'acme.list': { effect: 'write' } } },
    });
  });
});

test('An unchanged document is read again for its references', async () => {
  host.shelf.put(url, acme);
  await add();
  expect(await refresh()).toMatchObject({ unchanged: true });
  const { revision } = (await host.store.sources.all(host.owner.workspaceId))[0] ?? {};
  host.shelf.reader = '2';
  const refreshed = await refresh();
  host.shelf.reader = '';
  expect(refreshed).toMatchObject({ unchanged: false, changed: ['acme.list', 'acme.create', 'acme.wipe'] });
  expect((await host.store.sources.all(host.owner.workspaceId))[0]?.revision).toBe((revision ?? 0) + 1);
});

describe('Configured sources', () => {
  const page = 'https://api.acme.test';
  const all = async () => (await host.engine.sources.list(host.owner, { limit: 50 })).items;

  test('with the URL of a page are added once, over several and concurrent starts', async () => {
    host.shelf.put(url, acme);
    const other = await host.another();
    const both = await Promise.all(
      [host.engine, other].map((engine) => engine.connectConfigured([{ url: page }])),
    );
    expect(both).toEqual([[], []]);
    await host.engine.connectConfigured([{ url: page }]);
    expect(await all()).toMatchObject([{ namespace: 'acme', url }]);
    await Promise.all(
      [host.engine, other].map((engine) => engine.connectConfigured([{ name: 'two', url: page }])),
    );
    expect((await all()).map(({ namespace }) => namespace)).toEqual(['acme', 'two']);
  });

  test('lose a scheme that their entry no longer names, and no other', async () => {
    const schemes = ['a', 'b', 'mine'].map((name) => ({ name, type: 'http' as const, scheme: 'bearer' }));
    host.shelf.put(url, { ...acme, schemes });
    const entry = (schemes: Record<string, string>) => ({
      name: 'acme',
      url,
      auth: { type: 'schemes', schemes },
    });
    await host.engine.connectConfigured([entry({ a: '1', b: '2' })]);
    await host.engine.sources.update(host.owner, 'acme', {
      auth: { type: 'schemes', schemes: { mine: '3' } },
    });
    expect(await host.engine.connectConfigured([entry({ a: '1' })])).toEqual([]);
    expect(await all()).toMatchObject([{ auth: { schemes: ['a', 'mine'] } }]);
  });

  test('have the reach of their URLs again after their entry drops the decision', async () => {
    const local = 'http://localhost:4000/openapi.json';
    host.shelf.put(local, acme);
    const document = JSON.stringify({ ...acme, baseUrl: 'http://localhost:4000' });
    const entries = [
      { name: 'near', url: local },
      { name: 'handed', document },
    ];
    await host.engine.connectConfigured(entries.map((entry) => ({ ...entry, allowPrivateNetwork: true })));
    expect(await host.engine.connectConfigured(entries)).toEqual([]);
    expect(await all()).toMatchObject([
      { namespace: 'handed', settings: { allowPrivateNetwork: false, allowThisMachine: true } },
      { namespace: 'near', settings: { allowPrivateNetwork: true } },
    ]);
  });

  test('are retried with increasing delays until the server responds', async () => {
    host.shelf.put(url, acme);
    host.shelf.silent.add(url);
    const waits: number[] = [];
    let next = () => {};
    const clock = {
      after: (ms: number, callback: () => void) => {
        waits.push(ms);
        next = callback;
        return () => {};
      },
    };
    const initiator = { principal: host.owner, configured: true } as const;
    const parts = { store: host.store, sources: host.engine.sources, clock, onProblem() {} };
    const entries = [
      { name: 'odd', spec: 7 },
      { name: 'late', url },
    ];
    const problems = await connectConfigured(entries, initiator, parts);
    expect(problems).toMatchObject([{ index: 0 }, { index: 1, retrying: true }]);
    expect(problems[0]).not.toHaveProperty('retrying');
    for (let round = 2; round < 10; round++) {
      next();
      await expect.poll(() => waits.length).toBe(round);
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300].map((seconds) => seconds * 1_000));
    host.shelf.silent.clear();
    next();
    await expect.poll(async () => (await all()).map(({ namespace }) => namespace)).toEqual(['late']);
    const left = async () => (await host.engine.sources.list(host.owner, { limit: 10 })).problems;
    await expect.poll(left).toMatchObject([{ index: 0 }]);
    expect(waits).toHaveLength(9);
  });

  test('keep changes by users until their entry changes', async () => {
    host.shelf.put(url, acme);
    const entry = { name: 'acme', url, baseUrl: 'https://one.acme.test', defaultWriteApproval: 'auto' };
    await host.engine.connectConfigured([entry]);
    await host.engine.sources.update(host.owner, 'acme', {
      approval: { write: 'required' },
      baseUrl: 'https://mine.acme.test',
      auth,
    });
    await host.engine.connectConfigured([entry]);
    expect(await all()).toMatchObject([
      { baseUrl: 'https://mine.acme.test', approval: { write: 'required' }, auth: { type: 'bearer' } },
    ]);
    await host.engine.connectConfigured([{ name: 'acme', url, timeoutMs: 5_000 }]);
    const [source] = await all();
    expect(source).toMatchObject({ baseUrl: 'https://api.acme.test', settings: { timeoutMs: 5_000 } });
    // The entry never set them.
    expect(source).toMatchObject({ approval: {}, auth: { type: 'bearer' } });
  });
});
