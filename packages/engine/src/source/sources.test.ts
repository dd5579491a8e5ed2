import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import type { NewPolicy, NewSource, SourceChange } from '@executor/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ShelfDocument } from '../../test/shelf-source.ts';
import { TestEngine } from '../../test/test-engine.ts';

let host: TestEngine;
beforeAll(async () => {
  host = await TestEngine.start({ worker: { evictAfterMs: 50 }, onProblem() {} });
});
afterAll(() => host.close());
beforeEach(async () => {
  const { items } = await host.engine.sources.list(host.owner, { limit: 200 });
  for (const { id } of items) await host.engine.sources.remove(host.owner, id);
  host.shelf.shelf.clear();
  host.shelf.guarded.clear();
  host.shelf.loads.length = 0;
  host.shelf.received.length = 0;
  host.shelf.gate = undefined;
});

const url = 'https://api.acme.test/openapi.json';
const acme: ShelfDocument = {
  title: 'Acme REST API v2',
  baseUrl: 'https://api.acme.test',
  tools: [
    { name: 'list' },
    { name: 'create', effect: 'write', repeatable: false },
    { name: 'wipe', effect: 'destructive', repeatable: false },
    {
      name: 'search',
      effect: 'write',
      suggestion: { effect: 'read', repeatable: true, why: 'It is called search.' },
    },
  ],
};
const add = (changes: Partial<NewSource> = {}) => host.engine.sources.add(host.owner, { url, ...changes });
const audit = async () => (await host.store.audit.list(host.owner.workspaceId, { limit: 1 })).items[0];

describe('Adding a source', () => {
  test('makes its tools available at once, in a namespace from its title', async () => {
    host.shelf.put(url, acme);
    const source = await add();
    expect(source).toMatchObject({
      namespace: 'acme',
      name: 'Acme REST API v2',
      kind: 'openapi',
      url,
      baseUrl: 'https://api.acme.test',
      auth: { type: 'none' },
      toolCount: 4,
      unseenCount: 0,
      suggestionCount: 1,
      settings: { url, allowPrivateNetwork: false },
      document: { mediaType: 'application/json' },
    });
    expect((await host.run('return await tools.acme.list({ text: "x" })')).result).toEqual({
      input: { text: 'x' },
    });
    expect(await audit()).toMatchObject({
      action: 'source.added',
      target: source.id,
      details: { namespace: 'acme', url, toolCount: 4 },
    });
    expect(await host.engine.sources.get(host.agent, 'acme')).toEqual(source);
    expect(await host.engine.sources.get(host.agent, source.id)).toEqual(source);
  });

  test('that cannot be read stores nothing', async () => {
    await expect(add()).rejects.toMatchObject({ code: 'unusableDocument', message: `Nothing is at ${url}.` });
    const list = await host.engine.sources.list(host.owner, { limit: 10 });
    expect(list).toMatchObject({ items: [], loading: [] });
    host.shelf.shelf.set(url, '{ "tools": ');
    await expect(add()).rejects.toThrow(SyntaxError);
    expect((await host.engine.sources.list(host.owner, { limit: 10 })).items).toEqual([]);
  });

  test('in a namespace that is taken is rejected if requested, and numbered if derived', async () => {
    host.shelf.put(url, acme);
    await add();
    await expect(add({ namespace: 'acme' })).rejects.toMatchObject({
      code: 'conflict',
      details: { namespace: 'acme' },
    });
    for (const namespace of ['executor', 'notes'])
      await expect(add({ namespace })).rejects.toMatchObject({ code: 'conflict' });
    expect((await add()).namespace).toBe('acme2');
    expect((await add({ name: 'Acme' })).namespace).toBe('acme3');
    expect((await host.run('return await tools.acme3.list({})')).result).toEqual({ input: {} });
  });

  test('twice at once in one namespace adds one', async () => {
    host.shelf.put(url, acme);
    const both = await Promise.allSettled([add({ namespace: 'one' }), add({ namespace: 'one' })]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const derived = await Promise.all([add(), add(), add()]);
    expect(derived.map(({ namespace }) => namespace).sort()).toEqual(['acme', 'acme2', 'acme3']);
  });

  test('shows its progress, runs two loads at a time, and is cancelled only by the end of the process', async () => {
    host.shelf.put(url, acme);
    let open = () => {};
    host.shelf.gate = new Promise((resolve) => {
      open = resolve;
    });
    const adding = ['a', 'b', 'c'].map((namespace) => add({ namespace }));
    await expect.poll(async () => host.shelf.loads.length).toBe(2);
    const { loading, items } = await host.engine.sources.list(host.agent, { limit: 10 });
    expect(items).toEqual([]);
    expect(loading).toMatchObject([
      { namespace: 'a', stage: 'fetching', done: 1, total: 2 },
      { namespace: 'b', stage: 'fetching' },
      { namespace: 'c', stage: 'queued' },
    ]);
    open();
    await Promise.all(adding);
    expect((await host.engine.sources.list(host.owner, { limit: 10 })).items).toHaveLength(3);

    host.shelf.gate = new Promise(() => {});
    const other = await host.another();
    const doomed = expect(other.sources.add(host.owner, { url, namespace: 'd' })).rejects.toMatchObject({
      code: 'gone',
    });
    await expect.poll(() => host.shelf.loads.length).toBe(4);
    other.sources.stop();
    await doomed;
  });

  test('finds the document that a page links to', async () => {
    host.shelf.put(url, acme);
    const source = await add({ url: 'https://api.acme.test' });
    expect(source).toMatchObject({ url, toolCount: 4 });
    expect(await host.engine.sources.detect(host.owner, { url: 'https://api.acme.test' })).toMatchObject({
      kind: 'openapi',
      url,
      name: 'Acme REST API v2',
      title: 'Acme REST API v2',
      namespace: 'acme2',
    });
    await expect(
      host.engine.sources.detect(host.owner, { url: 'https://nobody.test' }),
    ).rejects.toMatchObject({
      code: 'unusableDocument',
    });
  });

  test('finds the document also when the URL is edited', async () => {
    host.shelf.put(url, acme);
    await add();
    const page = 'https://docs.acme.test/reference';
    const place = 'https://docs.acme.test/v2.json';
    host.shelf.leads.set(page, place);
    host.shelf.put(place, { ...acme, tools: [{ name: 'other' }] });
    const { sources } = host.engine;
    expect(await sources.update(host.owner, 'acme', { url: page })).toMatchObject({
      url: place,
      toolCount: 1,
    });
    expect((await sources.refresh(host.owner, 'acme')).source).toMatchObject({ url: place, toolCount: 1 });
    await expect(
      sources.update(host.owner, 'acme', { url: 'https://docs.acme.test/nothing' }),
    ).rejects.toMatchObject({ code: 'unusableDocument' });
    expect(await sources.get(host.owner, 'acme')).toMatchObject({ url: place });
  });

  test('accepts a document as text and returns it unchanged', async () => {
    const document = JSON.stringify(acme);
    const { id } = await add({ url: undefined, document } as Partial<NewSource>);
    const { pieces, ...rest } = await host.engine.sources.document(host.owner, id);
    expect(rest).toEqual({
      mediaType: 'application/json',
      bytes: Buffer.byteLength(document),
      name: 'acme.json',
    });
    const all: Uint8Array[] = [];
    for await (const piece of pieces) all.push(piece);
    expect(gunzipSync(Buffer.concat(all)).toString()).toBe(document);
    expect(await host.engine.sources.refresh(host.owner, id)).toMatchObject({ unchanged: true });
  });

  test('is only for people; agents see sources and tools', async () => {
    host.shelf.put(url, acme);
    await add();
    const { sources } = host.engine;
    for (const refused of [
      sources.add(host.agent, { url }),
      sources.update(host.agent, 'acme', { name: 'x' }),
      sources.remove(host.agent, 'acme'),
      sources.refresh(host.agent, 'acme'),
      sources.detect(host.agent, { url }),
      sources.document(host.agent, 'acme'),
    ])
      await expect(refused).rejects.toMatchObject({ code: 'forbidden' });
    expect((await sources.tools(host.agent, 'acme', { limit: 10 })).total).toBe(4);
    await expect(sources.get(host.owner, 'acmee')).rejects.toMatchObject({
      code: 'notFound',
      message: 'There is no source "acmee". Did you mean "acme"? `executor sources` lists them.',
    });
  });

  test('sends the credentials only if the document is not public', async () => {
    host.shelf.put(url, acme);
    host.shelf.guarded.set(url, 'Bearer document-token');
    await expect(add()).rejects.toMatchObject({ message: `${url} answered 401.` });
    await add({ auth: { type: 'bearer', token: 'document-token' } });
    expect(host.shelf.loads.map(({ auth }) => auth)).toEqual([
      undefined,
      undefined,
      { headers: { Authorization: 'Bearer document-token' } },
    ]);
    const elsewhere = add({
      baseUrl: 'https://other.test',
      auth: { type: 'bearer', token: 'document-token' },
    });
    await expect(elsewhere).rejects.toMatchObject({ details: { status: 401 } });
  });
});

describe('Private networks', () => {
  const allows = async (changes: Partial<NewSource>, document: Partial<ShelfDocument> = {}) => {
    host.shelf.put(url, { ...acme, ...document });
    host.shelf.put('http://10.0.0.7/openapi.json', acme);
    host.shelf.put('http://169.254.169.254/openapi.json', acme);
    const { settings } = await add(changes);
    return settings.allowPrivateNetwork;
  };
  const text = (baseUrl: string) => ({
    url: undefined as never,
    document: JSON.stringify({ ...acme, baseUrl }),
  });

  test('are allowed by a typed private URL or a decision, and not by a document', async () => {
    expect(await allows({})).toBe(false);
    expect(await allows({}, { baseUrl: 'http://10.0.0.7' })).toBe(false);
    expect(await allows({ allowPrivateNetwork: true })).toBe(true);
    expect(await allows({ url: 'http://10.0.0.7/openapi.json' })).toBe(true);
    expect(await allows({ baseUrl: 'http://localhost:3000' })).toBe(true);
    expect(await allows({ url: 'http://10.0.0.7/openapi.json', allowPrivateNetwork: false })).toBe(false);
    expect(await allows({ url: 'http://169.254.169.254/openapi.json' })).toBe(false);
    // The owner of a name decides where it leads.
    host.shelf.put('http://nas.acme.test/openapi.json', acme);
    expect(await allows({ url: 'http://nas.acme.test/openapi.json' })).toBe(false);
  });

  test('are allowed as long as the private URL is set, unless a user decided', async () => {
    const { sources } = host.engine;
    const after = async (change: SourceChange) =>
      (await sources.update(host.owner, 'acme', change)).settings.allowPrivateNetwork;
    expect(await allows({ baseUrl: 'http://127.0.0.1:3000' })).toBe(true);
    expect(await after({ name: 'Other' })).toBe(true);
    expect(await after({ baseUrl: 'https://api.acme.test' })).toBe(false);
    expect(await after({ baseUrl: 'http://localhost:3000' })).toBe(true);
    expect(await after({ baseUrl: null })).toBe(false);
    expect(await after({ allowPrivateNetwork: true })).toBe(true);
    expect(await after({ baseUrl: 'https://two.acme.test' })).toBe(true);
  });

  test('are not opened by a document that a user hands over, but this machine is', async () => {
    const reach = async (baseUrl: string) => {
      const { allowPrivateNetwork, allowThisMachine = false } = (await add(text(baseUrl))).settings;
      return { allowPrivateNetwork, allowThisMachine };
    };
    for (const baseUrl of ['http://localhost:4000/v1', 'http://127.0.0.1:4000', 'http://[::1]:4000'])
      expect(await reach(baseUrl)).toEqual({ allowPrivateNetwork: false, allowThisMachine: true });
    for (const baseUrl of [
      'http://169.254.169.254',
      'http://10.0.0.7',
      'http://localhost.evil.test',
      'https://api.acme.test',
    ])
      expect(await reach(baseUrl)).toEqual({ allowPrivateNetwork: false, allowThisMachine: false });
  });

  test('and this machine follow the last decision, document and URL', async () => {
    const after = async (change: SourceChange) => {
      const { settings } = await host.engine.sources.update(host.owner, 'acme', change);
      return [settings.allowPrivateNetwork, settings.allowThisMachine];
    };
    await add(text('http://localhost:4000'));
    const { document } = text('http://localhost:5000');
    expect(await after({ name: 'Other' })).toEqual([false, true]);
    expect(await after({ document })).toEqual([false, true]);
    expect(await after({ baseUrl: 'https://api.acme.test' })).toEqual([false, undefined]);
    expect(await after({ baseUrl: null, document })).toEqual([false, true]);
    expect(await after({ allowPrivateNetwork: false })).toEqual([false, undefined]);
    expect(await after({ document })).toEqual([false, undefined]);
    expect(await after({ allowPrivateNetwork: true })).toEqual([true, undefined]);
    expect(await after({ allowPrivateNetwork: null, document })).toEqual([false, true]);
    expect(await after({ allowPrivateNetwork: null, baseUrl: 'http://10.0.0.7' })).toEqual([true, undefined]);
    // Withdrawing a decision restores the earlier reach.
    expect(await after({ baseUrl: null })).toEqual([false, true]);
    expect(await after({ allowPrivateNetwork: true })).toEqual([true, undefined]);
    expect(await after({ allowPrivateNetwork: null })).toEqual([false, true]);
    host.shelf.put(url, { ...acme, baseUrl: 'http://localhost:5000' });
    expect(await after({ url })).toEqual([false, undefined]);
    expect(await after({ baseUrl: 'https://api.acme.test' })).toEqual([false, undefined]);
    expect(await after({ baseUrl: null })).toEqual([false, undefined]);
  });
});

describe('Refreshing', () => {
  test('lists added, changed and removed tools, and asks about new writes until they are reviewed', async () => {
    host.shelf.put(url, acme);
    await add();
    expect(await host.engine.sources.refresh(host.owner, 'acme')).toMatchObject({
      unchanged: true,
      added: [],
      changed: [],
      removed: [],
    });
    const [list, create] = acme.tools as [ShelfDocument['tools'][0], ShelfDocument['tools'][0]];
    host.shelf.put(url, {
      ...acme,
      tools: [
        { ...list, version: '2' },
        create,
        { name: 'peek' },
        { name: 'purge', effect: 'write', repeatable: true },
        { name: 'search', effect: 'read' },
      ],
    });
    const refreshed = await host.engine.sources.refresh(host.owner, 'acme');
    expect(refreshed).toMatchObject({
      unchanged: false,
      added: ['acme.peek', 'acme.purge'],
      changed: ['acme.list', 'acme.search'],
      removed: ['acme.wipe'],
      source: { toolCount: 5, unseenCount: 1, suggestionCount: 0 },
    });
    const allow: NewPolicy = {
      scope: { type: 'workspace' },
      pattern: 'acme.**',
      conditions: [],
      decision: 'allow',
    };
    const { id } = await host.engine.policies.create(host.owner, allow);
    expect((await host.run('return await tools.acme.create({})')).status).toBe('completed');
    const waiting = await host.run('return await tools.acme.purge({})');
    expect(waiting.status).toBe('waiting');
    const explained = await host.engine.policies.explain(host.owner, { path: 'acme.purge', input: {} });
    expect(explained).toMatchObject({
      decision: 'requireApproval',
      reason: expect.stringMatching(
        /says allow\. But a refresh added this tool and nobody has reviewed it yet/,
      ),
    });
    const unseen = await host.engine.sources.tools(host.owner, 'acme', { limit: 10, only: 'unseen' });
    expect(unseen.items).toMatchObject([{ path: 'acme.purge', unseen: true, approval: 'requireApproval' }]);
    await host.engine.sources.update(host.owner, 'acme', { seen: ['acme.purge'] });
    expect((await host.run('return await tools.acme.purge({})')).status).toBe('completed');
    await host.engine.policies.remove(host.owner, id);
    await host.engine.executions.cancel(host.owner, waiting.id);
  });

  test('changes nothing if it fails, and says why', async () => {
    host.shelf.put(url, acme);
    const before = await add();
    host.shelf.shelf.delete(url);
    await expect(host.engine.sources.refresh(host.owner, 'acme')).rejects.toMatchObject({
      message: `Nothing is at ${url}.`,
    });
    expect(await host.engine.sources.get(host.owner, 'acme')).toEqual(before);
    expect((await host.run('return await tools.acme.list({})')).status).toBe('completed');
  });

  test('keeps edits of tools, but not for other tools with the same path', async () => {
    host.shelf.put(url, acme);
    await add();
    await host.engine.sources.update(host.owner, 'acme', {
      acceptSuggestions: true,
      tools: { 'acme.create': { effect: 'read' }, 'acme.wipe': { effect: 'read' } },
    });
    host.shelf.put(url, {
      ...acme,
      tools: acme.tools
        .filter(({ name }) => name !== 'wipe')
        .map((tool) => (tool.name === 'create' ? { ...tool, origin: { name: 'dropEverything' } } : tool)),
    });
    await host.engine.sources.refresh(host.owner, 'acme');
    const { items } = await host.engine.sources.tools(host.owner, 'acme', { limit: 10, only: 'edited' });
    expect(items).toMatchObject([
      { path: 'acme.create', effect: 'read', unseen: true, approval: 'requireApproval' },
      { path: 'acme.search', effect: 'read', repeatable: true, approval: 'allow' },
    ]);
    host.shelf.put(url, acme);
    await host.engine.sources.refresh(host.owner, 'acme');
    const wipe = await host.engine.descriptions.get(host.owner, 'acme.wipe');
    expect(wipe).toMatchObject({ effect: 'destructive', unseen: true });
  });

  test('asks about every tool if calls would go elsewhere', async () => {
    host.shelf.put(url, acme);
    await add({ auth: { type: 'bearer', token: 'acme-token-1' } });
    host.shelf.put(url, { ...acme, baseUrl: 'https://evil.test' });
    const { source } = await host.engine.sources.refresh(host.owner, 'acme');
    expect(source).toMatchObject({ baseUrl: 'https://evil.test', unseenCount: 4 });
    const run = await host.run('return await tools.acme.list({})');
    expect(run.status).toBe('waiting');
    expect(host.shelf.received).toEqual([]);
    await host.engine.executions.cancel(host.owner, run.id);
  });

  test('keeps concurrent changes by others', async () => {
    host.shelf.put(url, acme);
    await add();
    host.shelf.put(url, { ...acme, tools: [...acme.tools, { name: 'peek' }] });
    let open = () => {};
    host.shelf.gate = new Promise((resolve) => {
      open = resolve;
    });
    const refreshing = host.engine.sources.refresh(host.owner, 'acme');
    await expect.poll(() => host.shelf.loads.length).toBe(2);
    await host.engine.sources.update(host.owner, 'acme', {
      name: 'Renamed',
      tools: { 'acme.wipe': { effect: 'write' } },
    });
    open();
    expect((await refreshing).source).toMatchObject({ name: 'Renamed', toolCount: 5 });
    expect(await host.engine.descriptions.get(host.owner, 'acme.wipe')).toMatchObject({
      effect: 'write',
      edited: true,
    });
  });
});

describe('Changing a source', () => {
  test('applies from the next call on, and invalidates approvals of the old settings', async () => {
    host.shelf.put(url, acme);
    await add();
    for (const change of [
      { baseUrl: 'https://staging.acme.test' },
      { auth: { type: 'bearer' as const, token: 'other-token' } },
      { headers: { 'x-tenant': 'one' } },
    ]) {
      const run = await host.run('return await tools.acme.create({})');
      const [asked] = await host.asked(run.id);
      await host.engine.sources.update(host.owner, 'acme', change);
      await host.answer(asked?.id ?? '', { action: 'approve' });
      await expect.poll(async () => (await host.asked(run.id)).map(({ id }) => id)).not.toEqual([asked?.id]);
      expect(host.shelf.received).toEqual([]);
      await host.engine.executions.cancel(host.owner, run.id);
    }
    const run = await host.run('return await tools.acme.create({})');
    const [asked] = await host.asked(run.id);
    await host.engine.sources.update(host.owner, 'acme', { name: 'Another name' });
    await host.answer(asked?.id ?? '', { action: 'approve' });
    expect((await host.wait(run.id)).status).toBe('completed');
    expect(host.shelf.received[0]).toMatchObject({
      settings: { baseUrl: 'https://staging.acme.test', headers: { 'x-tenant': 'one' } },
      auth: { headers: { Authorization: 'Bearer other-token' } },
    });
  });

  test('sets the defaults without a rule, except for destructive calls', async () => {
    host.shelf.put(url, acme);
    await add({ approval: { read: 'required', write: 'auto' } });
    const approvals = async () =>
      (await host.engine.sources.tools(host.owner, 'acme', { limit: 10 })).items.map(
        ({ approval }) => approval,
      );
    expect(await approvals()).toEqual(['requireApproval', 'allow', 'requireApproval', 'allow']);
    const { reason } = await host.engine.policies.explain(host.owner, { path: 'acme.create' });
    expect(reason).toBe('No rule matches. The default for writes of this source is allow.');
    await host.engine.sources.update(host.owner, 'acme', { approval: { read: 'auto' } });
    expect(await approvals()).toEqual(['allow', 'allow', 'requireApproval', 'allow']);
    await host.engine.sources.update(host.owner, 'acme', { approval: { read: null, write: null } });
    expect(await approvals()).toEqual(['allow', 'requireApproval', 'requireApproval', 'requireApproval']);
  });

  test('reads another URL or document at once, and changes nothing if that fails', async () => {
    host.shelf.put(url, acme);
    await add();
    const other = 'https://api.acme.test/v3.json';
    await expect(host.engine.sources.update(host.owner, 'acme', { url: other })).rejects.toThrow(
      'Nothing is at',
    );
    expect((await host.engine.sources.get(host.owner, 'acme')).url).toBe(url);
    host.shelf.put(other, { ...acme, tools: [{ name: 'only' }] });
    expect(await host.engine.sources.update(host.owner, 'acme', { url: other })).toMatchObject({
      url: other,
      toolCount: 1,
    });
    const document = JSON.stringify({ ...acme, tools: [{ name: 'pasted' }] });
    const pasted = await host.engine.sources.update(host.owner, 'acme', { document });
    expect(pasted.url).toBeUndefined();
    expect((await host.run('return await tools.acme.pasted({})')).status).toBe('completed');
  });

  test('accepts all suggestions except for tools that a user edited', async () => {
    const find = { effect: 'read', why: 'It is called find.' } as const;
    host.shelf.put(url, {
      ...acme,
      tools: [...acme.tools, { name: 'find', effect: 'write', suggestion: find }],
    });
    await add();
    const { sources, descriptions } = host.engine;
    await sources.update(host.owner, 'acme', { tools: { 'acme.search': { effect: 'destructive' } } });
    await sources.update(host.owner, 'acme', { acceptSuggestions: true });
    expect((await descriptions.get(host.owner, 'acme.search')).effect).toBe('destructive');
    expect((await descriptions.get(host.owner, 'acme.find')).effect).toBe('read');
    await sources.update(host.owner, 'acme', { acceptSuggestions: ['acme.search'] });
    expect((await descriptions.get(host.owner, 'acme.search')).effect).toBe('read');
  });

  test('sets the value of one scheme and keeps those of others', async () => {
    const schemes: ShelfDocument['schemes'] = [
      { name: 'token', type: 'http', scheme: 'bearer' },
      { name: 'key', type: 'apiKey', in: 'header', key: 'X-Key' },
    ];
    host.shelf.put(url, { ...acme, schemes });
    await add({ auth: { type: 'bearer', token: 'one-token' } });
    const set = (values: Record<string, string>) =>
      host.engine.sources.update(host.owner, 'acme', { auth: { type: 'schemes', schemes: values } });
    expect((await set({ key: 'k1' })).auth).toEqual({ type: 'schemes', schemes: ['token', 'key'] });
    expect((await set({ token: 'two-token' })).auth.schemes).toEqual(['token', 'key']);
    const [row] = await host.store.sources.all(host.owner.workspaceId);
    expect(row?.auth).toEqual({ type: 'schemes', schemes: { token: 'two-token', key: 'k1' } });
  });

  test('keeps headers of the user when a scheme gets a value', async () => {
    host.shelf.put(url, { ...acme, schemes: [{ name: 'key', type: 'apiKey', in: 'header', key: 'X-Key' }] });
    await add({ auth: { type: 'headers', headers: { 'X-Tenant': 't1', 'x-key': 'old' } } });
    const set = (auth: SourceChange['auth']) => host.engine.sources.update(host.owner, 'acme', { auth });
    const sent = async () => {
      await host.run('return await tools.acme.list({})');
      return host.shelf.received.at(-1)?.auth;
    };
    expect((await set({ type: 'schemes', schemes: { key: 'k1' } })).auth).toEqual({
      type: 'schemes',
      schemes: ['key'],
      headers: ['X-Tenant', 'x-key'],
    });
    expect(await sent()).toEqual({ headers: { 'X-Tenant': 't1', 'X-Key': 'k1' } });
    await set({ type: 'schemes', schemes: { key: null } });
    expect(await sent()).toEqual({ headers: { 'X-Tenant': 't1', 'x-key': 'old' } });
    // Values that fit no scheme are kept too.
    await set({ type: 'bearer', token: 'b1' });
    expect((await set({ type: 'schemes', schemes: { key: 'k2' } })).auth).toEqual({
      type: 'schemes',
      schemes: ['key'],
      headers: ['Authorization'],
    });
    expect(await sent()).toEqual({ headers: { Authorization: 'Bearer b1', 'X-Key': 'k2' } });
    await set({ type: 'apiKey', in: 'header', name: 'x-key', value: 'k3' });
    expect((await set({ type: 'schemes', schemes: { key: null } })).auth).toEqual({ type: 'none' });
  });

  test('rejects unknown schemes with the nearest name', async () => {
    const schemes: ShelfDocument['schemes'] = [
      { name: 'apiToken', type: 'http', scheme: 'bearer' },
      { name: 'certificate', type: 'mutualTls' },
    ];
    host.shelf.put(url, { ...acme, schemes });
    const wrong: [SourceChange & Partial<NewSource>, string][] = [
      [
        { auth: { type: 'schemes', schemes: { apiTokn: 'x' } } },
        'The document has no security scheme "apiTokn". Did you mean "apiToken"? It has apiToken, certificate.',
      ],
      [
        { auth: { type: 'schemes', schemes: { certificate: 'x' } } },
        'The security scheme "certificate" needs a client certificate. Set it with --client-certificate FILE --client-key FILE.',
      ],
    ];
    for (const [change, message] of wrong)
      await expect(add(change as Partial<NewSource>)).rejects.toMatchObject({
        code: 'invalidRequest',
        message,
      });
    await add();
    const { sources } = host.engine;
    for (const [change, message] of wrong)
      await expect(sources.update(host.owner, 'acme', change)).rejects.toThrow(message);
    // A document that has lost a scheme can still be refreshed.
    host.shelf.put(url, acme);
    await sources.refresh(host.owner, 'acme');
    expect((await sources.update(host.owner, 'acme', { name: 'Other' })).name).toBe('Other');
  });

  test('rejects an unknown tool with the nearest path', async () => {
    host.shelf.put(url, acme);
    await add();
    const { sources, descriptions } = host.engine;
    const wrong = sources.update(host.owner, 'acme', { tools: { 'acme.creat': { effect: 'read' } } });
    await expect(wrong).rejects.toThrow('The source has no tool acme.creat. Did you mean acme.create?');
    await expect(sources.update(host.owner, 'acme', {})).rejects.toThrow('Nothing to change');
    await expect(descriptions.get(host.owner, 'acme.creat')).rejects.toThrow('Did you mean acme.create?');
    const run = await host.run('await tools.acne.create({})');
    expect(run.error?.message).toBe(
      'There is no tool acne.create. Did you mean tools.acme.create?\ntools.acme.create: (input?: { text?: string }) => Promise<unknown>;',
    );
  });
});

describe('Several processes', () => {
  test('see each other’s sources, with or without notices', async () => {
    host.shelf.put(url, acme);
    const deaf = await TestEngine.start({ store: deafened(host.store) } as never);
    try {
      const { owner } = host;
      const call = (path: string) => deaf.engine.catalog.seek(owner.workspaceId, path);
      expect(await call('acme.list')).toBeUndefined();
      await add();
      expect((await call('acme.list'))?.tool.path).toBe('acme.list');
      host.shelf.put(url, { ...acme, tools: [...acme.tools, { name: 'peek' }] });
      await host.engine.sources.refresh(owner, 'acme');
      expect((await call('acme.peek'))?.tool.path).toBe('acme.peek');
      await host.engine.sources.update(owner, 'acme', { tools: { 'acme.peek': { effect: 'write' } } });
      expect(
        (await deaf.engine.catalog.seek(owner.workspaceId, 'acme.peek', { fresh: true }))?.tool.effect,
      ).toBe('write');
      await host.engine.sources.remove(owner, 'acme');
      await expect
        .poll(() => deaf.engine.catalog.find(owner.workspaceId, 'acme.peek'), {
          timeout: 60_000,
          interval: 500,
        })
        .toBeUndefined();
    } finally {
      await deaf.close();
    }
  });

  test('hide the sources of other workspaces', async () => {
    host.shelf.put(url, acme);
    await add();
    const outsider = { ...host.owner, workspaceId: 'ws_other' };
    expect((await host.engine.sources.list(outsider, { limit: 10 })).items).toEqual([]);
    await expect(host.engine.sources.get(outsider, 'acme')).rejects.toMatchObject({ code: 'notFound' });
    expect(await host.engine.catalog.seek('ws_other', 'acme.list')).toBeUndefined();
  });
});

test('show events of sources in the feed, without secrets, from any event on', async () => {
  const follow = async (after?: string) => {
    const stream = await host.engine.executions.workspaceEvents(
      host.owner,
      { follow: true, after },
      AbortSignal.timeout(60_000),
    );
    const seen = [];
    for await (const event of stream) {
      if (event.sourceId === undefined) continue;
      seen.push(event);
      if (event.type === 'source.removed') break;
    }
    return seen;
  };
  const { workspaceId } = host.owner;
  const from = await host.store.executions.feedEnd(workspaceId);
  const following = follow(from);
  host.shelf.put(url, acme);
  const { id } = await add({ auth: { type: 'bearer', token: 'feed-token-1' } });
  host.shelf.put(url, { ...acme, tools: acme.tools.slice(1) });
  await host.engine.sources.refresh(host.owner, 'acme');
  await host.engine.sources.update(host.owner, 'acme', {
    document: JSON.stringify(acme),
    auth: { type: 'bearer', token: 'feed-token-2' },
  });
  await host.engine.sources.remove(host.owner, 'acme');
  const seen = await following;
  expect(seen.map(({ type, sourceId, data }) => ({ type, sourceId, ...data }))).toEqual([
    { type: 'source.added', sourceId: id, namespace: 'acme', kind: 'openapi', toolCount: 4 },
    {
      ...{ type: 'source.refreshed', sourceId: id, namespace: 'acme', kind: 'openapi', toolCount: 3 },
      ...{ unseen: 0, added: 0, changed: 0, removed: 1 },
    },
    {
      ...{ type: 'source.updated', sourceId: id, namespace: 'acme', kind: 'openapi', toolCount: 4 },
      ...{ unseen: 0, changed: ['document', 'auth'], tools: { added: 1, changed: 0, removed: 0 } },
    },
    { type: 'source.removed', sourceId: id, namespace: 'acme', kind: 'openapi', toolCount: 4 },
  ]);
  expect(JSON.stringify(seen)).not.toContain('feed-token');
  expect(await follow(seen[1]?.id)).toEqual(seen.slice(2));
});

/** A store that loses all notices. */
function deafened(store: TestEngine['store']): TestEngine['store'] {
  return { ...store, subscribe: () => () => {}, receiveWakeUps: async () => ({ stop: async () => {} }) };
}

describe('From code:', () => {
  const asked = async (code: string) => {
    const run = await host.run(code);
    const [question] = await host.asked(run.id);
    return { run, question };
  };

  test('a source is added after approval, and adding it again returns the existing one', async () => {
    host.shelf.put(url, acme);
    const code = `return await tools.executor.sources.add({ type: 'openapi', name: 'acme', spec: '${url}', defaultWriteApproval: 'auto', auth: { mode: 'static', token: 'code-token-1' } })`;
    const { run, question } = await asked(code);
    expect(question?.request).toMatchObject({
      input: { spec: url, auth: { mode: 'static', token: '[secret]' } },
    });
    expect(JSON.stringify(question)).not.toContain('code-token-1');
    expect(question).not.toHaveProperty('remember');
    await host.answer(question?.id ?? '', { action: 'approve' });
    const added = await host.wait(run.id);
    expect(added).toMatchObject({ status: 'completed', result: { namespace: 'acme', toolCount: 4 } });
    expect(await audit()).toMatchObject({
      action: 'source.added',
      credential: 'execution',
      credentialId: run.id,
    });
    const again = await asked(code);
    await host.answer(again.question?.id ?? '', { action: 'approve' });
    expect((await host.wait(again.run.id)).result).toEqual(added.result);
    expect(host.shelf.loads).toHaveLength(1);
    // Only a person can make a default looser.
    expect((await host.engine.sources.get(host.owner, 'acme')).approval).toEqual({});
    const list = await host.run(
      'return [await tools.executor.sources.list({}), await tools.executor.sources.inspect({ namespace: "acme", filter: "cre" })]',
    );
    expect(list.result).toMatchObject([
      { items: [{ namespace: 'acme', toolCount: 4 }] },
      { source: { namespace: 'acme' }, tools: [{ path: 'acme.create', effect: 'write' }], total: 1 },
    ]);
  });

  test('a document from code opens no private network', async () => {
    const document = JSON.stringify({ ...acme, baseUrl: 'http://localhost:4000' });
    const { run, question } = await asked(
      `return await tools.executor.sources.add({ document: ${JSON.stringify(document)} })`,
    );
    await host.answer(question?.id ?? '', { action: 'approve' });
    await host.wait(run.id);
    const { settings } = await host.engine.sources.get(host.owner, 'acme');
    expect(settings).toEqual({ allowPrivateNetwork: false });
  });

  test('the approval of a URL on this machine says so', async () => {
    host.shelf.put('http://localhost:4000/openapi.json', acme);
    const seen = async (address: string) => {
      const { run, question } = await asked(`await tools.executor.sources.add({ url: '${address}' })`);
      await host.engine.executions.cancel(host.owner, run.id);
      return question?.request as { input: Record<string, unknown> };
    };
    expect((await seen('http://localhost:4000/openapi.json')).input.network).toMatch(/private networks/);
    expect((await seen(url)).input).toEqual({ url });
  });

  test('an approval is withdrawn with its tool while the run waits for others', async () => {
    host.shelf.put(url, acme);
    await add();
    const run = await host.run(
      'return await Promise.allSettled([tools.acme.create({}), tools.notes.add({ text: "a" }), tools.notes.add({ text: "b" })])',
    );
    const questions = await host.asked(run.id, 3);
    await host.engine.sources.remove(host.owner, 'acme');
    await sleep(300);
    await host.answer(questions[1]?.id ?? '', { action: 'approve' });
    const open = async () => (await host.asked(run.id)).map(({ tool }) => tool?.path);
    await expect.poll(open).toEqual(['notes.add']);
    await host.engine.executions.cancel(host.owner, run.id);
  });

  test('denied tools are not suggested', async () => {
    host.shelf.put(url, acme);
    await add();
    const scope = { type: 'workspace' } as const;
    const rule = { scope, pattern: 'acme.create', conditions: [], decision: 'deny' } as const;
    const { id } = await host.engine.policies.create(host.owner, { ...rule, conditions: [] });
    const run = await host.run('await tools.acme.creat({})');
    expect(run.error?.message).toMatch(/^There is no tool acme\.creat\. (?!.*acme\.create)/s);
    const { sources, descriptions } = host.engine;
    await expect(descriptions.get(host.agent, 'acme.creat')).rejects.toMatchObject({
      message: expect.not.stringContaining('acme.create'),
    });
    await expect(descriptions.get(host.owner, 'acme.creat')).rejects.toThrow('acme.create?');
    const listed = await sources.tools(host.agent, 'acme', { limit: 2 });
    expect(listed).toMatchObject({ total: 3, items: [{ path: 'acme.list' }, { path: 'acme.wipe' }] });
    await host.engine.policies.remove(host.owner, id);
  });

  test('the code gets an error that says what is wrong with the source', async () => {
    const failure = async (input: string) => {
      const run = await host.run(
        `try { await tools.executor.sources.add(${input}) } catch (error) { return error.message }`,
      );
      const isAsked = run.status === 'waiting';
      if (isAsked) await host.answer((await host.asked(run.id))[0]?.id ?? '', { action: 'approve' });
      return [isAsked, (await host.wait(run.id)).result];
    };
    expect(await failure(`{ url: 'https://nobody.test' }`)).toEqual([
      true,
      'Nothing is at https://nobody.test.',
    ]);
    // Executor does not ask about a source that cannot be added.
    host.shelf.put(url, acme);
    await add();
    const unasked: [string, string][] = [
      [`{ url: '${url}', auth: { mode: 'actor' } }`, 'auth.mode: "actor" is not supported yet'],
      [`{ type: 'soap', url: '${url}' }`, '"soap" sources are not known yet'],
      [`{ url: 'https://other.test', namespace: 'acme' }`, 'The namespace "acme" is taken'],
    ];
    for (const [input, message] of unasked)
      expect(await failure(input)).toEqual([false, expect.stringContaining(message)]);
    const unknown = await host.run('await tools.executor.sources.refresh({ namespace: "acne" })');
    expect(unknown.error?.message).toContain('There is no source "acne". Did you mean "acme"?');
  });

  test('a source is refreshed and removed', async () => {
    host.shelf.put(url, acme);
    await add();
    const { run, question } = await asked(
      'const one = await tools.executor.sources.refresh({ namespace: "acme" }); return [one.unchanged, await tools.executor.sources.remove({ namespace: "acme" }), (await tools.executor.sources.remove({ namespace: "acme" })).removed]',
    );
    await host.answer(question?.id ?? '', { action: 'approve' });
    for (let number = 0; number < 2; number++) {
      const [next] = await host.asked(run.id);
      await host.answer(next?.id ?? '', { action: 'approve' });
    }
    expect((await host.wait(run.id)).result).toEqual([true, { namespace: 'acme', removed: true }, false]);
  });
});

describe('Configured sources', () => {
  test('are connected and updated with their entries, and an invalid entry stops no other', async () => {
    host.shelf.put(url, acme);
    const good = { type: 'openapi', name: 'billing', spec: url, defaultReadApproval: 'auto' };
    const entries = [
      good,
      { name: 'bad', spec: url, auth: { mode: 'workspace' } },
      7,
      { name: 'dead', url: 'https://dead.test' },
      { name: 'late', url, baseUrl: 'nonsense' },
    ];
    const problems = await host.engine.connectConfigured(entries);
    expect(problems.map(({ message }) => message)).toEqual([
      '[1] The source is invalid: auth.mode: "workspace" is not supported yet; use "static", or set credentials on the source.',
      expect.stringMatching(/^\[2\] The source is invalid: /),
      '[3] Nothing is at https://dead.test.',
      '[4] The source is invalid: baseUrl: must be an http or https address.',
    ]);
    expect((await host.engine.sources.list(host.owner, { limit: 10 })).problems).toEqual(problems);
    expect((await host.engine.sources.list(host.agent, { limit: 10 })).problems).toEqual([]);
    expect(await audit()).toMatchObject({ action: 'source.added', credential: 'system' });
    expect(await host.engine.connectConfigured([good])).toEqual([]);
    expect(host.shelf.loads.filter(({ settings }) => settings.url === url)).toHaveLength(1);
    await host.engine.connectConfigured([{ ...good, baseUrl: 'https://two.acme.test' }]);
    expect(await host.engine.sources.get(host.owner, 'billing')).toMatchObject({
      baseUrl: 'https://two.acme.test',
      approval: { read: 'auto' },
    });
    expect((await host.engine.sources.list(host.owner, { limit: 10 })).items).toHaveLength(1);
  });
});

describe('Renaming a source', () => {
  const rule = (pattern: string, decision: NewPolicy['decision']) =>
    host.engine.policies.create(host.owner, {
      scope: { type: 'workspace' },
      pattern,
      conditions: [],
      decision,
    });
  const rename = (change: SourceChange) => host.engine.sources.update(host.owner, 'acme', change);
  const patterns = async () =>
    (await host.store.policies.all(host.owner.workspaceId)).map((row) => row.pattern);

  test('rewrites the rules that name it after confirmation', async () => {
    host.shelf.put(url, acme);
    await add();
    const named = await rule('acme.wipe', 'deny');
    const ahead = await rule('shop.create', 'allow');
    const everything = await rule('*.list', 'requireApproval');
    const rules = [
      { id: named.id, pattern: 'acme.wipe', newPattern: 'shop.wipe', decision: 'deny', change: 'rewritten' },
      { id: ahead.id, pattern: 'shop.create', decision: 'allow', change: 'moreTools' },
    ];
    for (const confirmRules of [undefined, [named.id]])
      await expect(
        rename({ namespace: 'shop', ...(confirmRules && { confirmRules }) }),
      ).rejects.toMatchObject({ code: 'conflict', details: { reason: 'rulesAffected', rules } });
    expect(await patterns()).toEqual(['acme.wipe', 'shop.create', '*.list']);
    const renamed = await rename({ namespace: 'shop', confirmRules: [named.id, ahead.id] });
    expect(renamed).toMatchObject({ namespace: 'shop', toolCount: 4, renamed: { from: 'acme', rules } });
    expect(await patterns()).toEqual(['shop.wipe', 'shop.create', '*.list']);
    expect((await host.run('return await tools.shop.create({})')).result).toEqual({ input: {} });
    expect(await host.run('return await tools.shop.wipe({})')).toMatchObject({ status: 'failed' });
    expect(await host.engine.sources.refresh(host.owner, 'shop')).toMatchObject({ unchanged: true });
    for (const { id } of [named, ahead, everything]) await host.engine.policies.remove(host.owner, id);
  });

  test('keeps the edits of its tools and its document', async () => {
    host.shelf.put(url, acme);
    await add();
    await rename({ tools: { 'acme.search': { effect: 'read', repeatable: true } } });
    await rename({ namespace: 'shop' });
    expect((await host.run('return await tools.shop.search({})')).result).toEqual({ input: {} });
    const { pieces } = await host.engine.sources.document(host.owner, 'shop');
    const read: Uint8Array[] = [];
    for await (const piece of pieces) read.push(piece);
    expect(JSON.parse(gunzipSync(Buffer.concat(read)).toString())).toEqual(acme);
  });

  test('lets waiting runs use the old namespace, and asks open questions again', async () => {
    host.shelf.put(url, acme);
    await add();
    const waiting = await host.run(
      'const a = await tools.acme.create({}); return [a, await tools.acme.list({})]',
    );
    expect(waiting.status).toBe('waiting');
    await rename({ namespace: 'shop' });
    const pending = async () =>
      (await host.engine.interactions.list(host.owner, { status: 'pending', limit: 10 })).items;
    const [asked] = await pending();
    await host.engine.interactions.resolve(host.owner, asked?.id ?? '', { action: 'approve' });
    await expect
      .poll(async () => (await pending()).map(({ prompt }) => prompt))
      .toEqual(['Allow shop.create (write)?']);
    const [again] = await pending();
    expect(again?.id).not.toBe(asked?.id);
    await host.engine.interactions.resolve(host.owner, again?.id ?? '', { action: 'approve' });
    await expect
      .poll(async () => (await host.engine.executions.get(host.owner, waiting.id)).result)
      .toEqual([{ input: {} }, { input: {} }]);
  });

  test('lets a reviewer remember the answer to a call by the old namespace', async () => {
    host.shelf.put(url, acme);
    await add();
    const waiting = await host.run('return await tools.acme.create({})');
    await rename({ namespace: 'shop' });
    const [before] = await host.asked(waiting.id);
    await host.answer(before?.id ?? '', { action: 'approve' });
    await expect.poll(async () => (await host.asked(waiting.id))[0]?.tool?.path).toBe('shop.create');
    const [asked] = await host.asked(waiting.id);
    const remember = asked?.remember;
    await host.answer(asked?.id ?? '', { action: 'approve', ...(remember && { remember }) });
    expect(await patterns()).toEqual(['shop.create']);
    expect(await host.wait(waiting.id)).toMatchObject({ status: 'completed' });
    for (const { id } of await host.store.policies.all(host.owner.workspaceId))
      await host.engine.policies.remove(host.owner, id);
  });

  test('is refused if a rule that names it was added meanwhile', async () => {
    host.shelf.put(url, acme);
    await add();
    const { sources } = host.store;
    const write = sources.rename.bind(sources);
    let id = '';
    const renaming = vi.spyOn(sources, 'rename').mockImplementationOnce(async (...renamed) => {
      ({ id } = await rule('acme.**', 'deny'));
      return write(...renamed);
    });
    await expect(rename({ namespace: 'shop' })).rejects.toMatchObject({
      code: 'conflict',
      details: { rules: [{ newPattern: 'shop.**' }] },
    });
    renaming.mockRestore();
    expect(await rename({ namespace: 'shop', confirmRules: [id] })).toMatchObject({ namespace: 'shop' });
    expect(await patterns()).toEqual(['shop.**']);
    await host.engine.policies.remove(host.owner, id);
  });

  test('keeps tools that another process has read, without a notice of them', async () => {
    host.shelf.put(url, acme);
    await add();
    const other = await host.another({ store: { ...host.store, subscribe: () => () => {} } });
    await other.sources.tools(host.owner, 'acme', { limit: 10 });
    host.shelf.put(url, { ...acme, tools: [...acme.tools, { name: 'peek' }] });
    await host.engine.sources.refresh(host.owner, 'acme');
    await other.sources.update(host.owner, 'acme', { namespace: 'shop' });
    expect((await host.run('return await tools.shop.peek({})')).result).toEqual({ input: {} });
  });

  test('is kept by a refresh that began before', async () => {
    host.shelf.put(url, acme);
    await add();
    await rename({ tools: { 'acme.search': { effect: 'read', repeatable: true } } });
    host.shelf.put(url, { ...acme, tools: [...acme.tools, { name: 'peek' }] });
    let open = () => {};
    host.shelf.gate = new Promise((resolve) => {
      open = resolve;
    });
    const refreshing = host.engine.sources.refresh(host.owner, 'acme');
    await expect.poll(() => host.shelf.loads.length).toBe(2);
    await rename({ namespace: 'shop' });
    open();
    expect((await refreshing).source).toMatchObject({ namespace: 'shop', toolCount: 5, unseenCount: 0 });
    const run = await host.run('return [await tools.shop.peek({}), await tools.acme.search({})]');
    expect(run.result).toEqual([{ input: {} }, { input: {} }]);
  });

  test('rejects current and former namespaces of other sources, and accepts its own former one', async () => {
    host.shelf.put(url, acme);
    await add();
    await add({ namespace: 'other' });
    await expect(rename({ namespace: 'other' })).rejects.toMatchObject({ code: 'conflict' });
    await expect(rename({ namespace: 'shop', name: 'Shop' })).rejects.toMatchObject({
      code: 'invalidRequest',
    });
    const { id } = await rename({ namespace: 'shop' });
    await expect(add({ namespace: 'acme' })).rejects.toMatchObject({ code: 'conflict' });
    expect(await host.engine.sources.update(host.owner, id, { namespace: 'acme' })).toMatchObject({
      namespace: 'acme',
    });
    expect((await host.run('return await tools.acme.list({})')).result).toEqual({ input: {} });
  });
});
