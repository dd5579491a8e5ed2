import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { indexTools } from '../../../test/index-tools.ts';
import { TestEngine } from '../../../test/test-engine.ts';

let host: TestEngine;
const url = 'https://acme.test/openapi.json';

beforeAll(async () => {
  host = await TestEngine.start();
  host.shelf.put(url, {
    title: 'Acme',
    schemes: [{ name: 'key', type: 'apiKey', in: 'header', key: 'X-Key' }],
    tools: [
      { name: 'ping' },
      { name: 'orders.list', description: 'Lists orders.\nAll of them.' },
      { name: 'orders.create', effect: 'write', repeatable: false, security: [[{ scheme: 'key' }]] },
      { name: 'orders.lines.add', effect: 'write' },
      { name: 'orders.lines.list' },
      { name: 'carts.create', effect: 'write' },
    ],
  });
  await host.engine.sources.add(host.owner, { url });
});

afterAll(() => host.close());

async function deny<Result>(pattern: string, work: () => Promise<Result>): Promise<Result> {
  const { policies } = host.engine;
  const scope = { type: 'workspace' } as const;
  const { id } = await policies.create(host.owner, { scope, pattern, conditions: [], decision: 'deny' });
  try {
    return await work();
  } finally {
    await policies.remove(host.owner, id);
  }
}

const result = async (code: string) => (await host.run(code)).result;
const failure = async (call: string) =>
  (await result(
    `try { return await ${call} } catch (error) { return { message: error.message, details: error.details } }`,
  )) as {
    message: string;
    details: Record<string, unknown>;
  };

describe('describe.tool', () => {
  test('returns the signature, an example, the approval and the credentials', async () => {
    expect(await result('return await tools.describe.tool({ path: "acme.orders.create" })')).toEqual({
      path: 'acme.orders.create',
      description: 'orders.create of the shelf',
      signature: '(input?: { text?: string }) => Promise<unknown>;',
      example: 'await tools.acme.orders.create()',
      effect: 'write',
      approval: 'requireApproval',
      auth: {
        state: 'missing',
        message:
          'acme.orders.create needs credentials that the source does not have: key (a key in the header X-Key). A person can set them: executor sources edit acme --api-key header:X-Key',
      },
    });
    const own = await result('return await tools.describe.tool({ path: "tools.describe.tool" })');
    expect(own).toMatchObject({ path: 'describe.tool', auth: { state: 'notNeeded' }, approval: 'allow' });
  });

  test('returns schemas and the requested depth', async () => {
    const call = 'tools.describe.tool({ path: "acme.ping", includeSchemas: true, depth: 1 })';
    expect(await result(`return await ${call}`)).toMatchObject({
      inputSchema: { type: 'object', $defs: { Text: { type: 'string' } } },
    });
    expect((await failure('tools.describe.tool({ path: "acme.ping", depth: 0 })')).message).toContain(
      'input.depth must be at least 1',
    );
  });

  test('summarises large schemas by field, and shows one field whole', async () => {
    const lines = Array.from({ length: 60 }, (_, n) => [
      `line${n}`,
      { type: 'string', description: 'Printed' },
    ]);
    const output = { type: 'object', properties: Object.fromEntries(lines) };
    const large = {
      type: 'object',
      required: ['title'],
      properties: { title: { type: 'string' }, report: { type: 'array', items: output } },
    };
    const documentUrl = 'https://large.test/openapi.json';
    const tools = [{ name: 'file', inputSchema: large, outputSchema: output }];
    host.shelf.put(documentUrl, { title: 'Large', tools });
    await host.engine.sources.add(host.owner, { url: documentUrl });
    const describe = (input: string) =>
      result(`return await tools.describe.tool({ path: "large.file", ${input} })`);
    const summary = (await describe('includeSchemas: true')) as Record<string, unknown>;
    expect(summary.inputSchema).toMatchObject({ properties: { title: { type: 'string' } } });
    for (const schema of [summary.inputSchema, summary.outputSchema])
      expect(JSON.stringify(schema).length).toBeLessThanOrEqual(1_450);
    expect(summary.schemasCut).toContain(
      'tools.describe.tool({"path":"large.file","field":"report"}) shows one field whole',
    );
    expect(await describe('field: "report"')).toMatchObject({
      field: 'report',
      fieldSchema: { type: 'array', items: output },
    });
    expect(await describe('field: "report.line1"')).toMatchObject({
      fieldSchema: { type: 'string', description: 'Printed' },
    });
    const { message } = await failure('tools.describe.tool({ path: "large.file", field: "reprot" })');
    expect(message).toBe('large.file has no field reprot. Did you mean report?');
    // A program reads the whole schemas over HTTP.
    expect((await host.engine.descriptions.get(host.owner, 'large.file')).inputSchema).toEqual(large);
    await host.engine.sources.remove(host.owner, 'large');
  });

  test('reveals nothing about denied tools', async () => {
    await deny('acme.orders.create', async () => {
      const { message, details } = await failure('tools.describe.tool({ path: "acme.orders.create" })');
      expect(message).toMatch(/^There is no tool acme\.orders\.create\. Did you mean acme\./);
      expect(message.slice(message.indexOf('Did'))).not.toContain('orders.create');
      expect(details).toMatchObject({
        code: 'notFound',
        nearest: expect.not.stringContaining('orders.create'),
      });
    });
  });

  test('explains that a path is a namespace, or lacks its source', async () => {
    const message = async (path: string) =>
      (await failure(`tools.describe.tool({ path: "${path}" })`)).message;
    expect(await message('acme.orders')).toBe(
      'There is no tool acme.orders: it is a namespace of 4 tools. tools.describe.namespace({ path: "acme.orders" }) lists them.',
    );
    expect(await message('orders.create')).toMatch(
      /^There is no tool orders\.create\. Did you mean acme\.orders\.create/,
    );
    await deny('acme.orders.**', async () => {
      expect(await message('acme.orders')).not.toContain('namespace of');
      expect(await message('orders.create')).not.toContain('acme.orders');
    });
  });

  test('is subject to rules like any other tool', async () => {
    await deny('describe.*', async () => {
      const { error } = await host.run('return await tools.describe.tool({ path: "acme.ping" })');
      expect(error?.message).toContain('describe.tool');
    });
  });
});

describe('describe.namespace', () => {
  const namespace = (input: string) => result(`return await tools.describe.namespace(${input})`);

  test('lists the direct contents with counts', async () => {
    expect(await namespace('{ path: "acme.orders" }')).toEqual({
      path: 'acme.orders',
      total: 4,
      namespaces: [{ path: 'acme.orders.lines', tools: 2 }],
      tools: [
        { path: 'acme.orders.list', description: 'Lists orders', effect: 'read', approval: 'allow' },
        {
          path: 'acme.orders.create',
          description: 'orders.create of the shelf',
          effect: 'write',
          approval: 'requireApproval',
        },
      ],
    });
    expect(await namespace('')).toMatchObject({
      namespaces: expect.arrayContaining([
        { path: 'acme', tools: 6 },
        { path: 'describe', tools: 2 },
      ]),
      tools: [{ path: 'discover', effect: 'read' }],
    });
  });

  test('lists in pages', async () => {
    const first = await namespace('{ path: "acme", limit: 2 }');
    expect(first).toMatchObject({ total: 6, tools: [], nextCursor: '2' });
    expect(await namespace('{ path: "acme", limit: 2, cursor: "2" }')).toMatchObject({
      namespaces: [],
      tools: [{ path: 'acme.ping' }],
    });
  });

  test('omits denied tools', async () => {
    await deny('acme.orders.lines.*', async () => {
      expect(await namespace('{ path: "acme.orders" }')).toMatchObject({ total: 2, namespaces: [] });
      const { message } = await failure('tools.describe.namespace({ path: "acme.orders.lines" })');
      expect(message).toMatch(/^There are no tools below acme\.orders\.lines\./);
      expect(await namespace('')).toMatchObject({
        namespaces: expect.arrayContaining([{ path: 'acme', tools: 4 }]),
      });
    });
    await deny('acme.**', async () => {
      expect(JSON.stringify(await namespace(''))).not.toContain('acme');
      for (const path of ['__proto__', 'acne', 'acme.order'])
        expect((await failure(`tools.describe.namespace({ path: "${path}" })`)).message).not.toMatch(
          /acme(?!\.order\.)/,
        );
    });
  });

  test('explains an invalid path', async () => {
    const message = async (path: string) =>
      (await failure(`tools.describe.namespace({ path: ${JSON.stringify(path)} })`)).message;
    expect(await message('acme.ping')).toContain('acme.ping is a tool');
    expect(await message('acne')).toBe('There are no tools below acne. Did you mean acme?');
    expect(await message('acme.order')).toBe(
      'There are no tools below acme.order. Did you mean acme.orders?',
    );
    expect(await message('acne.orders.line')).toContain('Did you mean acme.orders.lines?');
    expect(await message('__proto__')).toMatch(/^There are no tools below __proto__\. There are: executor, /);
  });
});

describe('a call that cannot work', () => {
  test('of an unknown tool suggests similar tools with signatures', async () => {
    const { message, details } = await failure('tools.acme.order.create({})');
    expect(message).toBe(
      [
        'There is no tool acme.order.create. Did you mean tools.acme.orders.create?',
        'tools.acme.orders.create: (input?: { text?: string }) => Promise<unknown>;',
      ].join('\n'),
    );
    expect(details).toMatchObject({ code: 'unknownTool', nearest: 'acme.orders.create' });
    expect((details.candidates as unknown[]).length).toBe(1);
  });

  test('suggests tools with other words for the same action, also among thousands', async () => {
    const others = Array.from({ length: 2_100 }, (_, number) => ({
      name: `crates${number % 70}.open${number}`,
    }));
    host.shelf.put('https://depot.test/openapi.json', {
      title: 'Depot',
      tools: [
        { name: 'parcels.getComment', description: 'Gets a comment of a parcel.' },
        { name: 'parcels.createComment', description: 'Creates a comment on a parcel.', effect: 'write' },
        { name: 'parcels.list', description: 'Lists parcels.' },
        ...others,
      ],
    });
    await host.engine.sources.add(host.owner, { url: 'https://depot.test/openapi.json' });
    const near = async (path: string) => (await failure(`tools.${path}({})`)).message.split('\n')[0];
    expect(await near('depot.parcels.addComment')).toContain(
      'Did you mean tools.depot.parcels.createComment',
    );
    expect(await near('depot.commentOnParcel')).toContain('tools.depot.parcels.createComment');
    expect(await near('parcels.list')).toContain('Did you mean tools.depot.parcels.list');
    await deny('depot.parcels.createComment', async () => {
      expect(await near('depot.parcels.addComment')).not.toContain('createComment');
      expect(await near('parcels.createComment')).not.toContain('depot.parcels.createComment');
    });
  });

  test('of a namespace lists its tools', async () => {
    expect((await failure('tools.describe("acme.ping")')).message).toContain(
      'Did you mean tools.describe.tool or tools.describe.namespace?',
    );
    expect((await failure('tools.acme.orders({})')).message).toContain('it is a namespace of 4 tools');
  });

  test('suggests several similar tools, but no denied ones', async () => {
    const { message } = await failure('tools.acme.cart.createOrder({})');
    expect(message).toContain('Did you mean tools.acme.carts.create or tools.acme.orders.create?');
    await deny('acme.orders.*', async () => {
      const denied = await failure('tools.acme.cart.createOrder({})');
      expect(denied.message).toContain('Did you mean tools.acme.carts.create?');
      expect(JSON.stringify(denied)).not.toContain('orders.create');
    });
  });

  test('has no suggestions after many wrong paths of one run', async () => {
    const messages = (await result(`
      const messages = [];
      for (let n = 0; n < 25; n++) {
        try { await tools.acme.order["create" + "d".repeat(n % 2)]({}) } catch (error) { messages.push(error.message) }
      }
      return messages;
    `)) as string[];
    const isHint = (message: string) => message.includes('Did you mean tools.acme.orders.create?');
    expect(messages.map(isHint)).toEqual(messages.map((_, index) => index < 20));
    expect(messages[24]).toMatch(/^There is no tool acme\.order\.create\. tools\.discover\(/);
    expect((await failure('tools.acme.order.create({})')).message).toSatisfy(isHint);
  });

  test('with invalid input names the field, the expected and actual value, and the signature', async () => {
    const { message, details } = await failure('tools.notes.add({ txt: 1 })');
    expect(message).toBe(
      [
        'notes.add: input.text is missing (string); input.txt is unknown; did you mean text?',
        'tools.notes.add: (input: {',
        '  text: string;',
        '  tag?: string; // default "none"',
        '}) => Promise<unknown>;',
      ].join('\n'),
    );
    expect(details).toMatchObject({
      code: 'invalidInput',
      signature: expect.stringContaining('text: string'),
    });
  });

  test('has a message of bounded size for a path of any length', async () => {
    const { message } = await failure('tools.acme["x".repeat(100000)].y({})');
    expect(message.length).toBeLessThan(2_000);
  });
});

test('a new process opens sources and builds their indexes in advance', async () => {
  let indexed = 0;
  const engine = await host.another({
    indexer: {
      async index(tools) {
        indexed += 1;
        return indexTools(tools);
      },
    },
  });
  const { workspaceId } = host.owner;
  const before = indexed;
  const sources = (await engine.catalog.rows(workspaceId)).length;
  expect(engine.catalog.find(workspaceId, 'acme.ping')).toBeUndefined();
  await engine.openSources(new AbortController().signal);
  expect(engine.catalog.find(workspaceId, 'acme.ping')).toBeDefined();
  expect(indexed - before).toBe(sources);
  await engine.worker.drain(0);
});
