import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  ChunkCache,
  type Invocation,
  type NewArtifact,
  type Source,
  type SourceSettings,
  type Tool,
  ToolPack,
} from '@executor/engine';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describeSource } from '../../../engine/src/ports/source.suite.ts';
import { type LocalServer, startLocalServer } from '../../test/local-server.ts';
import { readerFolder } from '../../test/reader-folder.ts';
import { createHttpClient } from '../http/create-http-client.ts';
import type { HttpClient } from '../http/http-client.ts';
import { createOpenApiSource } from './openapi-source.ts';

/* A real API on loopback, with its document. Each test chooses the responses. */

let http: HttpClient;
let server: LocalServer;
let answer: (request: IncomingMessage, response: ServerResponse, body: string) => unknown;
const requests: {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}[] = [];
const settings = { url: '', allowPrivateNetwork: true };

const string = { schema: { type: 'string' } };
const document = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  paths: {
    '/things/{id}': {
      get: {
        tags: ['things'],
        operationId: 'getThing',
        parameters: [
          { name: 'id', in: 'path', required: true, ...string },
          { name: 'page', in: 'query', schema: { type: 'integer' } },
        ],
        responses: { 200: { description: 'ok', content: { 'application/json': {} } } },
      },
    },
    '/things': {
      post: {
        tags: ['things'],
        operationId: 'createThing',
        parameters: [{ name: 'Idempotency-Key', in: 'header', ...string }],
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { type: 'object', properties: { name: { type: 'string' } } } },
          },
        },
        responses: { 201: { description: 'ok' } },
      },
      put: {
        tags: ['things'],
        operationId: 'putThings',
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } } },
            },
          },
        },
        responses: { 200: { description: 'ok' } },
      },
    },
  },
};

beforeAll(async () => {
  http = createHttpClient();
  server = await startLocalServer(async (request, response) => {
    if (request.url === '/openapi.json') return response.end(JSON.stringify(document));
    let body = '';
    for await (const chunk of request) body += chunk;
    requests.push({ method: request.method, url: request.url, headers: request.headers, body });
    return answer(request, response, body);
  });
  settings.url = `${server.url}/openapi.json`;
});

afterAll(async () => {
  await Promise.all([http.close(), server.close()]);
});

beforeEach(() => {
  requests.splice(0);
  waits.splice(0);
  answer = (_, response) => response.setHeader('content-type', 'application/json').end('{"ok":true}');
});

/** A clock that advances when the code waits. */
const waits: number[] = [];
let now = Date.now();
const clock = {
  now: () => new Date(now),
  at(time: number, callback: () => void) {
    waits.push(Math.round(time - now));
    now = time;
    const timer = setImmediate(callback);
    return () => clearImmediate(timer);
  },
};

async function open(): Promise<Source> {
  return createOpenApiSource({ http, readerFolder, clock, random: () => 1 });
}

let pack: Promise<ToolPack> | undefined;

async function find(path: string): Promise<{ source: Source; tool: Tool }> {
  const source = await open();
  pack ??= source
    .load(settings, { sourceId: 'src', namespace: 'api', signal: AbortSignal.timeout(20_000) })
    .then(({ tools }) => ToolPack.open(tools, new ChunkCache()));
  const tool = (await pack).find(path);
  if (tool === undefined) throw new Error(`There is no ${path}.`);
  return { source, tool };
}

const artifacts = new Map<string, NewArtifact>();

async function check(path: string, input: unknown, own: SourceSettings = settings) {
  const { source, tool } = await find(path);
  return source.check?.(
    { tool, input, settings: own },
    { workspaceId: 'ws', hasArtifact: async (id) => artifacts.has(id) },
  );
}

async function call(path: string, input: unknown, more: Partial<Invocation> & { signal?: AbortSignal } = {}) {
  const { source, tool } = await find(path);
  const invocation: Invocation = {
    tool,
    input,
    settings,
    sourceId: 'src',
    auth: {},
    call: { workspaceId: 'ws', executionId: 'exe', index: 0, attempt: 1, id: 'exe.0' },
    ask: () => Promise.reject(new Error('There is no user.')),
    progress() {},
    log() {},
    putArtifact: async ({ mediaType, bytes }) => ({ artifactId: 'art', mediaType, bytes: bytes.length }),
    readArtifact: async (id) => artifacts.get(id),
    allowAnswer: async () => {},
    ...more,
  };
  const outcome = await source.invoke(invocation, more.signal ?? AbortSignal.timeout(20_000));
  return outcome.type === 'json' ? ({ type: 'value', value: JSON.parse(outcome.json) } as const) : outcome;
}

describeSource('openapi', {
  open,
  namespace: 'api',
  get settings() {
    answer = (request, response) => {
      if (request.url === '/things/missing')
        return response.writeHead(404).end('{"message":"No such thing"}');
      if (request.url === '/things/never') return undefined;
      return response.setHeader('content-type', 'application/json').end('{"ok":true}');
    };
    return settings;
  },
  works: { path: 'api.things.getThing', input: { id: '1' } },
  refused: { path: 'api.things.getThing', input: { id: 'missing' } },
  endless: { path: 'api.things.getThing', input: { id: 'never' } },
});

describe('a call', () => {
  test('sends credentials, which the preview does not show', async () => {
    const auth = { headers: { Authorization: 'Bearer s' }, query: { key: 'k&' }, cookies: { sid: '1' } };
    await call('api.things.getThing', { id: 'a/b', page: 2 }, { auth });
    expect(requests).toMatchObject([
      {
        method: 'GET',
        url: '/things/a%2Fb?page=2&key=k%26',
        headers: { authorization: 'Bearer s', cookie: 'sid=1' },
      },
    ]);
    const { source, tool } = await find('api.things.getThing');
    expect(source.preview({ tool, input: { id: 'a/b', page: 2 }, settings })).toEqual({
      method: 'GET',
      url: `${server.url}/things/a%2Fb?page=2`,
      headers: { accept: expect.stringContaining('application/json'), 'user-agent': 'executor' },
    });
  });

  test('that cannot be sent is reported by check, preview and invoke', async () => {
    const { source, tool } = await find('api.things.getThing');
    const problem = '{id} is part of the path and cannot be "." or "..".';
    expect(source.preview({ tool, input: { id: '..' }, settings })).toEqual({ problem });
    const refused = { type: 'error', message: problem, details: { code: 'invalidRequest' } };
    expect(await check('api.things.getThing', { id: '..' })).toEqual(refused);
    expect(await call('api.things.getThing', { id: '..' })).toEqual(refused);
    expect(await check('api.things.getThing', { id: '1' })).toBeUndefined();
    expect(requests).toEqual([]);
  });

  test('with invalid files is reported by check, before approval', async () => {
    artifacts.set('art_1', { bytes: Buffer.from('bytes'), mediaType: 'image/png' });
    const problemOf = async (file: unknown) => (await check('api.things.putThings', { file }))?.message;
    expect(await problemOf({ artifact: 'art_1' })).toBeUndefined();
    expect(await problemOf({ artifact: 'art_2' })).toBe(
      'This run has no artifact art_2. Use the id of an artifact that this run stored.',
    );
    expect(await problemOf({ base64: 'AAA=' })).toBeUndefined();
    expect(await problemOf({ base64: 'no!' })).toBe(
      'The base64 of a file is not valid. Encode the bytes again.',
    );
  });

  test('has its id as idempotency key, and the preview shows it', async () => {
    await call('api.things.createThing', { name: 'n' });
    expect(requests).toMatchObject([{ headers: { 'idempotency-key': 'exe.0' }, body: '{"name":"n"}' }]);
    const { source, tool } = await find('api.things.createThing');
    expect(source.preview({ tool, input: { name: 'n' }, settings })).toMatchObject({
      headers: { 'idempotency-key': '(the id of the call)' },
      body: { name: 'n' },
    });
  });

  test('sends artifacts, and names a missing one', async () => {
    artifacts.set('art_1', { bytes: Buffer.from('bytes'), mediaType: 'image/png', name: 'a.png' });
    await call('api.things.putThings', { file: { artifact: 'art_1' } });
    expect(requests[0]?.body).toContain('filename="a.png"\r\nContent-Type: image/png\r\n\r\nbytes');
    expect(await call('api.things.putThings', { file: { artifact: 'art_2' } })).toMatchObject({
      type: 'error',
      message: 'This run has no artifact art_2. Use the id of an artifact that this run stored.',
    });
  });

  test('reaches a private network only if a user allowed it, and check reports this before approval', async () => {
    const codeFor = async (baseUrl: string, more: object = {}) =>
      (await check('api.things.getThing', { id: '1' }, { baseUrl, ...more }))?.details?.code;
    for (const baseUrl of ['http://10.1.2.3', 'http://localhost:3000', 'http://169.254.169.254'])
      expect(await codeFor(baseUrl)).toBe('privateAddress');
    expect(await codeFor('http://localhost:3000', { allowThisMachine: true })).toBeUndefined();
    expect(await codeFor('http://10.1.2.3', { allowThisMachine: true })).toBe('privateAddress');
    expect(await codeFor('http://10.1.2.3', { allowPrivateNetwork: true })).toBeUndefined();
    expect(await codeFor('https://api.example')).toBeUndefined();
    expect(await call('api.things.getThing', { id: '1' }, { settings: { url: settings.url } })).toEqual({
      type: 'error',
      message:
        '127.0.0.1 is not on the public internet. Private networks are not allowed for this source. To allow them, run: executor sources edit api --allow-private-network',
      details: { code: 'privateAddress' },
    });
    expect(requests).toEqual([]);
  });

  test('drops its credentials when it is redirected to another origin', async () => {
    const otherServer = await startLocalServer((request, response) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(request.headers)),
    );
    answer = (_, response) => response.writeHead(302, { location: `${otherServer.url}/` }).end();
    const outcome = await call(
      'api.things.getThing',
      { id: '1' },
      { auth: { headers: { authorization: 's' } } },
    );
    await otherServer.close();
    expect(outcome).toEqual({ type: 'value', value: expect.not.objectContaining({ authorization: 's' }) });
  });

  test('that writes is not redirected to another origin', async () => {
    answer = (_, response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end();
    expect(await call('api.things.createThing', { name: 'n' })).toMatchObject({
      type: 'error',
      message: expect.stringContaining('redirects this call to http://127.0.0.1:9/'),
      details: { status: 307, code: 'redirected' },
    });
  });

  test('that writes is not redirected to another path, and the error says where it would go', async () => {
    answer = (_, response) => response.writeHead(308, { location: '/everything' }).end();
    expect(await call('api.things.createThing', { name: 'n' })).toMatchObject({
      type: 'error',
      message: expect.stringMatching(
        /redirects this call to \/everything \(HTTP 308 Permanent Redirect\)\. Executor sent nothing there/,
      ),
      details: { status: 308, code: 'redirected', location: '/everything' },
    });
    expect(requests.map(({ url }) => url)).toEqual(['/things']);
  });

  test('returns links and rate limits with $response: full', async () => {
    answer = (_, response) =>
      response
        .setHeader('content-type', 'application/json')
        .setHeader('link', '</things/1?page=2>; rel="next"')
        .setHeader('x-ratelimit-remaining', '5')
        .end('[]');
    expect(await call('api.things.getThing', { id: '1', $response: 'full' })).toEqual({
      type: 'value',
      value: {
        status: 200,
        headers: expect.objectContaining({ 'content-type': 'application/json' }),
        body: [],
        links: {
          next: { url: `${server.url}/things/1?page=2`, input: { id: '1', page: 2, $response: 'full' } },
        },
        rateLimit: { remaining: 5 },
      },
    });
  });
});

describe('transient errors', () => {
  const failing = (...statuses: [number, Record<string, string>?][]) => {
    answer = (_, response) => {
      const [status, headers] = statuses.shift() ?? [200];
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(`{"status":${status}}`);
    };
  };

  test.each([429, 502, 503, 504])('are retried with growing waits: %s', async (status) => {
    failing([status], [status], [status]);
    expect(await call('api.things.getThing', { id: '1' })).toEqual({ type: 'value', value: { status: 200 } });
    expect(waits).toEqual([500, 1000, 2000]);
  });

  test('are retried after Retry-After, in seconds or as a date', async () => {
    failing([429, { 'retry-after': '7' }], [503, { 'retry-after': new Date(now + 20_000).toUTCString() }]);
    expect(await call('api.things.getThing', { id: '1' })).toMatchObject({ type: 'value' });
    expect(waits[0]).toBe(7000);
    expect(waits[1]).toBeGreaterThan(10_000);
    expect(waits[1]).toBeLessThan(20_000);
  });

  test('are not retried if the wait exceeds the timeout of the call', async () => {
    failing([429, { 'retry-after': '600' }]);
    expect(await call('api.things.getThing', { id: '1' })).toMatchObject({
      type: 'error',
      details: { status: 429, code: 'rateLimited', retryAfterMs: 600_000 },
    });
    expect(waits).toEqual([]);
  });

  test('are returned after the last attempt', async () => {
    failing([503], [503], [503], [503], [503]);
    expect(await call('api.things.getThing', { id: '1' })).toMatchObject({ details: { status: 503 } });
    expect(requests).toHaveLength(4);
  });

  test('are never retried for a call that is not safe to repeat', async () => {
    failing([503], [200]);
    expect(await call('api.things.createThing', { name: 'n' })).toMatchObject({ details: { status: 503 } });
    answer = (request) => request.socket.destroy();
    expect(await call('api.things.createThing', { name: 'n' })).toMatchObject({
      type: 'error',
      message: expect.stringMatching(
        /closed the connection.* It is not known whether the call took effect\.$/,
      ),
      details: { code: 'reset' },
    });
    expect(requests).toHaveLength(2);
  });

  test('are retried when the connection breaks', async () => {
    let broken = 2;
    answer = (request, response) =>
      broken-- > 0
        ? request.socket.destroy()
        : response.setHeader('content-type', 'application/json').end('1');
    expect(await call('api.things.getThing', { id: '1' })).toEqual({ type: 'value', value: 1 });
    expect(requests).toHaveLength(3);
  });

  test('are not retried after the call was cancelled', async () => {
    const end = new AbortController();
    answer = (_, response) => {
      end.abort(new Error('enough'));
      response.writeHead(503).end();
    };
    await expect(call('api.things.getThing', { id: '1' }, { signal: end.signal })).rejects.toThrow('enough');
  });
});

test('a call has the timeout of its source', async () => {
  answer = () => {};
  const outcome = await call(
    'api.things.createThing',
    { name: 'n' },
    { settings: { ...settings, timeoutMs: 200 } },
  );
  expect(outcome).toEqual({
    type: 'error',
    message:
      'api.things.createThing did not respond within 0.2 s. It is not known whether the call took effect.',
    details: { code: 'timeout' },
  });
});

describe('a document', () => {
  test('is found from the URL of its API', async () => {
    const source = await open();
    expect(
      await source.detect?.(server.url, { signal: AbortSignal.timeout(20_000), allowPrivateNetwork: true }),
    ).toEqual([
      {
        settings: { url: settings.url },
        transport: 'http',
        title: 'Things',
      },
    ]);
  });

  test('is looked for at a private name only if a user allows it', async () => {
    const named = createHttpClient({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
    const source = createOpenApiSource({ http: named, readerFolder });
    const at = server.url.replace('127.0.0.1', 'intranet.example');
    const detect = (allowPrivateNetwork: boolean) =>
      source.detect?.(at, { signal: AbortSignal.timeout(20_000), allowPrivateNetwork });
    expect(await detect(false)).toBeUndefined();
    expect(await detect(true)).toMatchObject([{ title: 'Things', settings: { url: `${at}/openapi.json` } }]);
    const refused = { signal: AbortSignal.timeout(20_000), allowPrivateNetwork: false };
    expect(await source.detect?.(server.url, refused)).toBeUndefined();
    await named.close();
  });

  test('at an unreachable URL is an error', async () => {
    const source = await open();
    const load = source.load(
      { url: 'http://127.0.0.1:9/x.json', allowPrivateNetwork: true },
      { sourceId: 'src', namespace: 'api', signal: AbortSignal.timeout(20_000) },
    );
    await expect(load).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('refused the connection'),
    });
  });
});
