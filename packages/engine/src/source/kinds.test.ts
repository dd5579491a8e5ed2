import type { Principal } from '@executor/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DockSource } from '../../test/dock-source.ts';
import { ShelfSource } from '../../test/shelf-source.ts';
import { TestEngine } from '../../test/test-engine.ts';

/* Sources of several kinds, one of which has no document and uses every capability of the port. */

let host: TestEngine;
let dock: DockSource;
let shelf: ShelfSource;
const url = 'https://dock.test/rpc';

beforeEach(async () => {
  dock = new DockSource();
  shelf = new ShelfSource();
  host = await TestEngine.start({ sourceKinds: [shelf, dock] });
});
afterEach(async () => {
  await host.close();
});

const add = (request: Record<string, unknown>, principal: Principal = host.owner) =>
  host.engine.sources.add(principal, request);

describe('The kind of a new source', () => {
  test('is the one that the request names, with its own settings', async () => {
    const source = await add({ kind: 'dock', command: 'dock', args: undefined });
    expect(source).toMatchObject({ kind: 'dock', namespace: 'dock', toolCount: 2, origins: [] });
    expect(source).not.toHaveProperty('document');
    expect((await host.run('return await tools.dock.list()')).result).toBe('done');
  });

  test('is the only one that accepts the settings', async () => {
    expect(await add({ command: 'dock' })).toMatchObject({ kind: 'dock' });
    expect(shelf.loads).toEqual([]);
  });

  test('is the first one that can load what is at the URL', async () => {
    expect(await add({ url })).toMatchObject({ kind: 'dock', origins: ['https://dock.test'] });
    shelf.put('https://acme.test/openapi.json', { tools: [{ name: 'list' }] });
    expect(await add({ url: 'https://acme.test/openapi.json' })).toMatchObject({ kind: 'openapi' });
  });

  test('is unknown if none can load it: the error has the reason of each, and nothing stays open', async () => {
    await expect(add({ url: 'https://other.test/' })).rejects.toMatchObject({
      code: 'unusableDocument',
      message: expect.stringMatching(/openapi: Nothing is at .* dock: It is no dock\./),
    });
    expect(dock.open.size).toBe(0);
  });

  test('checks the settings, also those of a change', async () => {
    const source = await add({ kind: 'dock', url });
    await expect(add({ kind: 'dock', url, colour: 'red' })).rejects.toThrow('A dock has no setting colour.');
    await expect(
      host.engine.sources.update(host.owner, source.id, { serverVariables: { a: 'b' } }),
    ).rejects.toThrow('A dock has no setting serverVariables.');
    await expect(add({ kind: 'ship', url })).rejects.toThrow('known: openapi, dock');
  });

  test('decides that only people may add it: the code of a run cannot, even if its call is approved', async () => {
    const { sources } = host.engine;
    const byCode = { principal: host.owner, executionId: 'exe_1' };
    const refusal = {
      code: 'forbidden',
      message: 'Only a person can add this source, in a request of their own. It runs on this machine.',
    };
    await expect(sources.ensureAs(byCode, { command: 'dock' })).rejects.toMatchObject(refusal);
    await expect(
      sources.requireAddable(host.owner.workspaceId, { kind: 'dock', command: 'dock' }),
    ).rejects.toMatchObject(refusal);
    expect(dock.loads).toEqual([]);
    expect(await add({ command: 'dock' })).toMatchObject({ namespace: 'dock' });
  });

  test('is never one that only people may add, if the code of a run adds a URL', async () => {
    await host.engine.policies.create(host.owner, {
      pattern: 'executor.sources.add',
      decision: 'allow',
      conditions: [],
      scope: { type: 'workspace' },
    });
    const addByCode = (to: string) =>
      host.run(`return await tools.executor.sources.add({ url: ${JSON.stringify(to)} })`);
    expect((await addByCode('https://local.test/')).error?.message).toBe(
      'Nothing is at https://local.test/.',
    );
    expect(dock.loads).toEqual([]);
    expect((await addByCode(url)).result).toMatchObject({ namespace: 'dock' });
  });
});

describe('A source without a document', () => {
  test('is refreshed, and the same request is recognised', async () => {
    await add({ kind: 'dock', command: 'dock' });
    expect(await host.engine.sources.refresh(host.owner, 'dock')).toMatchObject({ unchanged: true });
    dock.names.push('sink');
    expect(await host.engine.sources.refresh(host.owner, 'dock')).toMatchObject({
      unchanged: false,
      added: ['dock.sink'],
    });
    const initiator = { principal: host.owner };
    expect(await host.engine.sources.ensureAs(initiator, { command: 'dock' })).toMatchObject({
      toolCount: 3,
    });
    expect(await host.engine.sources.ensureAs(initiator, { command: 'other' })).toMatchObject({
      namespace: 'dock2',
    });
  });

  test('shows the names of its secret settings, but not their values', async () => {
    dock.instead.set('list', async ({ settings }) => ({ type: 'value', value: settings.env }));
    const source = await add({ kind: 'dock', command: 'dock', env: { TOKEN: 'very-secret-token' } });
    expect(source.settings).toMatchObject({ command: 'dock', env: { TOKEN: '…' } });
    expect((await host.run('return await tools.dock.list()')).result).toEqual({ TOKEN: '[secret]' });
  });

  test('gets its credentials at once, also after a person moved it', async () => {
    await add({ kind: 'dock', url, auth: { type: 'bearer', token: 'a-token' } });
    expect(dock.loads[0]?.context.auth).toEqual({ headers: { Authorization: 'Bearer a-token' } });
    const moved = await host.engine.sources.update(host.owner, 'dock', { url: 'https://two.test/rpc' });
    expect(moved).toMatchObject({ origins: ['https://two.test'], unseenCount: 0 });
    expect(dock.loads[1]?.context.auth).toEqual({ headers: { Authorization: 'Bearer a-token' } });
  });

  test('describes its namespace', async () => {
    await add({ kind: 'dock', url });
    const { result } = await host.run('return await tools.describe.namespace({ path: "dock" })');
    expect(result).toMatchObject({ description: 'Ships parcels. Call `list` first.' });
  });

  test('has a log, which only people read', async () => {
    const { id } = await add({ kind: 'dock', url });
    expect(await host.engine.sources.logs(host.owner, 'dock')).toEqual([
      { at: new Date(0), text: `started for ${id}` },
    ]);
    await expect(host.engine.sources.logs(host.agent, 'dock')).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('The connections of a source', () => {
  test('are closed when it is removed', async () => {
    const { id } = await add({ kind: 'dock', url });
    await host.run('return await tools.dock.list()');
    expect([...dock.open]).toEqual([id]);
    await host.engine.sources.remove(host.owner, 'dock');
    expect(dock.open.size).toBe(0);
  });

  test('are closed when its settings or credentials change, but not when only its name does', async () => {
    const { id } = await add({ kind: 'dock', url });
    await host.engine.sources.update(host.owner, 'dock', { name: 'Other' });
    expect(dock.released).toEqual([]);
    await host.engine.sources.update(host.owner, 'dock', { auth: { type: 'bearer', token: 'other' } });
    expect(dock.released).toEqual([id]);
    await host.engine.sources.update(host.owner, 'dock', { timeoutMs: 1_000 });
    expect(dock.released).toEqual([id, id]);
  });

  test('are closed when another process removes it', async () => {
    const other = await host.another({ sourceKinds: [new DockSource()] });
    await add({ kind: 'dock', url });
    await other.sources.remove(host.owner, 'dock');
    await expect.poll(() => dock.open.size, { timeout: 20_000 }).toBe(0);
  });

  test('are closed when the process ends', async () => {
    await add({ kind: 'dock', url });
    await host.engine.sources.close();
    expect(dock.isClosed).toBe(true);
  });

  test('are closed although those of another kind cannot be', async () => {
    Object.assign(shelf, {
      close: () => Promise.reject(new Error('stuck')),
      release: () => {
        throw new Error('stuck');
      },
    });
    await expect(
      add({ kind: 'dock', url: 'https://dock.test/none', namespace: 'executor' }),
    ).rejects.toMatchObject({
      message: expect.not.stringContaining('stuck'),
    });
    await add({ kind: 'dock', url });
    await expect(host.engine.sources.close()).rejects.toThrow('stuck');
    expect(dock.isClosed).toBe(true);
  });
});

describe('A change that the system reports', () => {
  test('refreshes the source as Executor itself', async () => {
    const { id } = await add({ kind: 'dock', url });
    dock.names.push('sink');
    dock.notify(id);
    const count = async () => (await host.engine.sources.get(host.owner, 'dock')).toolCount;
    await expect.poll(count, { timeout: 20_000 }).toBe(3);
    const { items } = await host.store.audit.list(host.owner.workspaceId, { limit: 10 });
    expect(items.find(({ action }) => action === 'source.refreshed')).toMatchObject({ credential: 'system' });
  });

  test('of a source that is gone is ignored, and many of them lead to one more refresh', async () => {
    dock.notify('src_unknown');
    const { id } = await add({ kind: 'dock', url });
    for (let count = 0; count < 20; count++) dock.notify(id);
    await expect.poll(() => dock.loads.length, { timeout: 20_000 }).toBe(3);
  });
});
