import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { call, startTestServer, type TestServer } from '../../test/server.ts';

const url = 'https://api.acme.test/openapi.json';
const document = {
  title: 'Acme',
  baseUrl: 'https://api.acme.test',
  tools: [{ name: 'list' }, { name: 'create', effect: 'write' as const }],
};
let server: TestServer;
let agent: string;
beforeAll(async () => {
  server = await startTestServer({
    EXECUTOR_TOOL_SOURCES: JSON.stringify([{ name: 'wrong', url: 'https://nobody.test' }, { name: 'x' }]),
  });
  const { json } = await person('POST', '/v1/api-keys', { name: 'agent', kind: 'agent' });
  agent = json.key;
});
afterAll(async () => server[Symbol.asyncDispose]());
beforeEach(async () => {
  server.shelf.put(url, document);
  for (const { id } of (await person('GET', '/v1/sources')).json.items)
    await person('DELETE', `/v1/sources/${id}`);
});

const person = (method: string, path: string, body?: unknown) =>
  call(server, method, path, { token: server.localToken, ...(body !== undefined && { body }) });

describe('sources over HTTP', () => {
  test('are added, listed, read, changed, refreshed and removed', async () => {
    const added = await person('POST', '/v1/sources', {
      url,
      auth: { type: 'bearer', token: 'very-secret-token' },
    });
    expect(added).toMatchObject({
      status: 201,
      json: { namespace: 'acme', toolCount: 2, auth: { type: 'bearer' } },
    });
    const list = await call(server, 'GET', '/v1/sources', { token: agent });
    expect(list.json).toMatchObject({ items: [{ id: added.json.id }], loading: [], problems: [] });
    for (const name of ['acme', added.json.id])
      expect((await call(server, 'GET', `/v1/sources/${name}`, { token: agent })).json).toEqual(added.json);
    const changed = await person('PATCH', '/v1/sources/acme', {
      timeoutMs: 5_000,
      tools: { 'acme.create': { effect: 'read' } },
    });
    expect(changed.json.settings).toMatchObject({ timeoutMs: 5_000 });
    expect(
      (await person('PATCH', '/v1/sources/acme', { timeoutMs: null })).json.settings.timeoutMs,
    ).toBeUndefined();
    server.shelf.put(url, {
      ...document,
      tools: [...document.tools, { name: 'drop', effect: 'destructive' }],
    });
    expect((await person('POST', '/v1/sources/acme/refresh')).json).toMatchObject({
      added: ['acme.drop'],
      source: { unseenCount: 1 },
    });
    expect((await person('DELETE', '/v1/sources/acme')).status).toBe(204);
    expect((await person('GET', '/v1/sources/acme')).json.error).toMatchObject({ code: 'notFound' });
    const everything = `${added.text}${list.text}${changed.text}${(await person('GET', '/v1/audit?limit=200')).text}${await server.readLog()}`;
    expect(everything).not.toContain('very-secret-token');
  });

  test('hide the query of a URL from agents', async () => {
    const signed = 'https://api.acme.test/openapi.json?v=very-secret-key&w=another';
    server.shelf.put(signed, document);
    expect((await person('POST', '/v1/sources', { url: signed })).json.url).toBe(signed);
    const seen = 'https://api.acme.test/openapi.json?v=…&w=…';
    const list = await call(server, 'GET', '/v1/sources', { token: agent });
    const one = await call(server, 'GET', '/v1/sources/acme', { token: agent });
    expect([list.json.items[0].url, one.json.url, one.json.settings.url]).toEqual([seen, seen, seen]);
    const code =
      'return [await tools.executor.sources.list({}), await tools.executor.sources.inspect({ namespace: "acme" })]';
    const run = await call(server, 'POST', '/v1/executions', {
      token: agent,
      body: { code, waitMs: 60_000 },
    });
    for (const { text } of [list, one, run]) expect(text).not.toMatch(/very-secret-key|another/);
    expect(run.json).toMatchObject({ status: 'completed', result: expect.anything() });
    expect((await person('GET', '/v1/sources/acme')).json.url).toBe(signed);
  });

  test('list their tools in pages, and show one with its schemas', async () => {
    await person('POST', '/v1/sources', { url });
    const first = await call(server, 'GET', '/v1/sources/acme/tools?limit=1', { token: agent });
    expect(first.json).toMatchObject({ items: [{ path: 'acme.list', approval: 'allow' }], total: 2 });
    const second = await call(
      server,
      'GET',
      `/v1/sources/acme/tools?limit=1&cursor=${first.json.nextCursor}`,
      { token: agent },
    );
    expect(second.json).toMatchObject({ items: [{ path: 'acme.create', approval: 'requireApproval' }] });
    expect(second.json.nextCursor).toBeUndefined();
    expect((await person('GET', '/v1/sources/acme/tools?filter=CREATE%20shelf')).json.total).toBe(1);
    expect((await call(server, 'GET', '/v1/tools/acme.create', { token: agent })).json).toMatchObject({
      path: 'acme.create',
      namespace: 'acme',
      effect: 'write',
      inputSchema: { type: 'object' },
    });
    expect((await person('GET', '/v1/tools/acme.creat')).json.error.message).toContain(
      'Did you mean acme.create?',
    );
    await person('POST', '/v1/policies', { pattern: 'acme.create', decision: 'deny' });
    expect((await call(server, 'GET', '/v1/sources/acme/tools', { token: agent })).json.total).toBe(1);
    expect((await call(server, 'GET', '/v1/tools/acme.create', { token: agent })).status).toBe(404);
    expect((await person('GET', '/v1/tools/acme.create')).json.approval).toBe('deny');
  });

  test('are searched by a task', async () => {
    await person('POST', '/v1/sources', { url });
    const search = (query: string) => call(server, 'GET', `/v1/tools?${query}`, { token: agent });
    const found = await search('query=show%20all&namespace=acme&limit=1&explain=true');
    expect(found).toMatchObject({
      status: 200,
      json: {
        bestPath: 'acme.list',
        results: [
          {
            path: 'acme.list',
            signature: expect.stringContaining('=> Promise<unknown>'),
            approval: 'allow',
            why: { words: expect.any(Array), score: expect.any(Number) },
          },
        ],
        hint: expect.any(String),
      },
    });
    expect((await search('query=list&namespace=acne')).json.error).toMatchObject({
      code: 'notFound',
      message: 'There is no source acne. Did you mean acme?',
    });
    expect((await search('query=x&limit=100')).status).toBe(400);
  });

  test('return their document as a download', async () => {
    const text = JSON.stringify({ ...document, padding: 'é\u0000'.repeat(700_000) });
    const added = await person('POST', '/v1/sources', { document: text });
    expect(added).toMatchObject({ status: 201, json: { document: { bytes: Buffer.byteLength(text) } } });
    const response = await fetch(`${server.url}/v1/sources/acme/document`, {
      headers: { authorization: `Bearer ${server.localToken}` },
    });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json',
      'content-disposition': expect.stringContaining('attachment; filename="acme.json"'),
      'content-security-policy': expect.stringContaining('sandbox'),
      'content-length': String(Buffer.byteLength(text)),
      'x-content-type-options': 'nosniff',
    });
    expect(await response.text()).toBe(text);
  });

  test('list failed sources of the configuration, only for people', async () => {
    await expect.poll(async () => (await person('GET', '/v1/sources')).json.problems.length).toBe(2);
    expect((await person('GET', '/v1/sources')).json.problems).toMatchObject([
      { index: 0, name: 'wrong', message: '[0] Nothing is at https://nobody.test.' },
      { index: 1, name: 'x', message: expect.stringContaining('[1] The source is invalid: ') },
    ]);
    expect((await call(server, 'GET', '/v1/sources', { token: agent })).json.problems).toEqual([]);
  });
});

describe('a large body', () => {
  test('is read completely, and rejected if it is not JSON', async () => {
    const text = JSON.stringify({ ...document, padding: 'x'.repeat(3_000_000) });
    expect((await person('POST', '/v1/sources', { document: text })).status).toBe(201);
    const broken = await person('POST', '/v1/sources', `{"document":"${'x'.repeat(3_000_000)}`);
    expect(broken).toMatchObject({
      status: 400,
      json: {
        error: {
          code: 'invalidRequest',
          message: expect.stringMatching(/^The body is not JSON: (?!it is empty)/),
        },
      },
    });
  });

  test('with extreme nesting is rejected', async () => {
    const nested = await person('POST', '/v1/sources', `{"document":${'['.repeat(2_000_000)}`);
    expect(nested.status).toBeGreaterThanOrEqual(400);
    const closed = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`;
    expect((await person('POST', '/v1/sources', `{"document":${closed}}`)).status).toBeGreaterThanOrEqual(
      400,
    );
    expect((await person('GET', '/v1/health')).status).toBe(200);
  });

  test('is limited by its route', async () => {
    const { status, json } = await person('POST', '/v1/policies', `{"pattern":"${'x'.repeat(1_100_000)}"}`);
    expect({ status, code: json.error.code }).toEqual({ status: 413, code: 'payloadTooLarge' });
  });
});
