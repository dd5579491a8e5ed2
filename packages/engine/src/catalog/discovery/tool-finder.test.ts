import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { indexTools } from '../../../test/index-tools.ts';
import { TestEngine } from '../../../test/test-engine.ts';

const url = 'https://acme.example/openapi.json';
const problems: string[] = [];
let fails = false;
let host: TestEngine;

beforeAll(async () => {
  host = await TestEngine.start({
    indexer: {
      async index(tools) {
        // An immediate search has to wait for the index.
        await sleep(50);
        if (fails) throw new Error('no memory left');
        return indexTools(tools);
      },
    },
    onProblem: (message) => problems.push(message),
  });
  host.shelf.put(url, {
    title: 'Acme',
    tools: [
      { name: 'orders.list', description: 'Lists orders.' },
      { name: 'orders.create', description: 'Creates an order.', effect: 'write', repeatable: false },
      { name: 'carts.empty', description: 'Empties a cart.', effect: 'write' },
      { name: 'queries.list', description: 'Lists queries.' },
      {
        name: 'queries.archive',
        description: 'Archives a query.',
        effect: 'write',
        inputSchema: { type: 'object', required: ['query_id'], properties: { query_id: { type: 'string' } } },
      },
    ],
  });
  await host.engine.sources.add(host.owner, { url });
});

afterAll(() => host.close());

const discover = (query: string, more = {}) => host.engine.discovery.discover(host.agent, { query, ...more });
const paths = async (query: string) => (await discover(query)).results.map(({ path }) => path);

describe('discover', () => {
  test('finds the tools of a source that was just added, with signatures', async () => {
    const { bestPath, results } = await discover('make a new order');
    expect(bestPath).toBe('acme.orders.create');
    expect(results[0]).toEqual({
      path: 'acme.orders.create',
      description: 'Creates an order',
      signature: '(input?: { text?: string }) => Promise<unknown>;',
      approval: 'requireApproval',
    });
  });

  test('can be called from code, which validates its input', async () => {
    const code = 'return (await tools.discover({ query: "empty the cart", limit: 1 })).bestPath';
    expect((await host.run(code)).result).toBe('acme.carts.empty');
    const wrong = await host.run('return await tools.discover({ qurey: "x" })');
    expect(wrong.error?.message).toContain('did you mean query?');
  });

  test('finds built-in tools, but not itself', async () => {
    expect((await paths('connect a system by its document'))[0]).toBe('executor.sources.add');
    expect(await paths('finds tools by what you want to do')).not.toContain('discover');
  });

  test('suggests describe.namespace if the request only names a source', async () => {
    const { results, hint } = await discover('what can acme do');
    if (results.length === 0) expect(hint).toContain('tools.describe.namespace({ path: "acme" })');
    expect(hint).not.toContain('unknown words: acme');
  });

  test('says that it is unsure if the best tool fits only in part', async () => {
    expect(await discover('list purple orders')).toMatchObject({
      unsure: true,
      hint: expect.stringContaining('It is not sure that the first result fits.'),
    });
    expect(await discover('empty the cart')).not.toHaveProperty('unsure');
  });

  test('never shows denied tools', async () => {
    const { policies } = host.engine;
    const rule = {
      scope: { type: 'workspace' },
      pattern: 'acme.orders.*',
      conditions: [],
      decision: 'deny',
    } as const;
    const { id } = await policies.create(host.owner, { ...rule, conditions: [] });
    const found = await discover('list or create an order', { explain: true });
    await policies.remove(host.owner, id);
    expect(JSON.stringify(found)).not.toContain('acme.orders');
    expect((await paths('list or create an order')).slice(0, 2)).toContain('acme.orders.list');
  });

  test('says that no tool fits, and lists the unknown words and the sources', async () => {
    expect(await discover('knit a sweater')).toEqual({
      bestPath: null,
      results: [],
      total: 0,
      hint: expect.stringMatching(/^No tool fits \(unknown words: knit, sweater\)\. The sources are .*acme/),
    });
  });

  test('searches only the source in `namespace`, and suggests the nearest for an unknown one', async () => {
    const { results } = await discover('list', { namespace: 'acme' });
    expect(results.map(({ path }) => path.split('.', 1)[0])).not.toContain('executor');
    await expect(discover('list', { namespace: 'acne' })).rejects.toThrow(
      'There is no source acne. Did you mean acme?',
    );
  });

  test('explains its results on request', async () => {
    const { results } = await discover('make order', { explain: true, limit: 1 });
    expect(results[0]?.why?.words.map(({ word, as, via }) => [word, as, via])).toEqual([
      ['make', 'create', 'verb'],
      ['order', 'orders', 'inflection'],
    ]);
    expect(results[0]?.why?.signs).toEqual(['does the kind of action that the request asks for']);
  });

  test('uses the new tools after a refresh, and skips a source that cannot be indexed', async () => {
    const other = 'https://depot.example/openapi.json';
    host.shelf.put(other, {
      title: 'Depot',
      tools: [{ name: 'parcels.track', description: 'Tracks a parcel.' }],
    });
    fails = true;
    await host.engine.sources.add(host.owner, { url: other });
    const { bestPath, hint } = await discover('list orders');
    expect({ bestPath, hint }).toMatchObject({
      bestPath: 'acme.orders.list',
      hint: expect.stringContaining('depot'),
    });
    expect(problems).toContain('the tools of a source could not be indexed');
    fails = false;
    host.shelf.put(other, {
      title: 'Depot',
      tools: [{ name: 'crates.open', description: 'Opens a crate.' }],
    });
    await host.engine.sources.refresh(host.owner, 'depot');
    expect((await paths('open a crate'))[0]).toBe('depot.crates.open');
    expect(await paths('track a parcel')).not.toContain('depot.parcels.track');
  });
});
