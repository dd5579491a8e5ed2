import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Auth, localJsonReader, type Tool } from '@executor/engine';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type LocalServer, startLocalServer } from '../../../test/local-server.ts';
import { createHttpClient } from '../../http/create-http-client.ts';
import type { HttpClient } from '../../http/http-client.ts';
import type { OperationPlan } from '../operation.ts';
import type { OpenApiSettings } from '../settings.ts';
import { callOperation } from './call-operation.ts';

/* Real connections: responses that are cut off, have no body or no end, and rare methods. */

let http: HttpClient;
let server: LocalServer;
let answer: (request: IncomingMessage, response: ServerResponse) => unknown;
const requests: IncomingMessage[] = [];

beforeAll(async () => {
  http = createHttpClient();
  server = await startLocalServer((request, response) => {
    requests.push(request);
    return answer(request, response);
  });
});
afterAll(() => Promise.all([http.close(), server.close()]));
beforeEach(() => void requests.splice(0));

interface Call {
  method?: string;
  repeatable?: boolean;
  plan?: Partial<OperationPlan>;
  input?: unknown;
  settings?: OpenApiSettings;
  auth?: Auth;
  http?: HttpClient;
}

async function call({ method = 'GET', repeatable = method !== 'POST', ...more }: Call = {}) {
  const plan: OperationPlan = {
    method,
    path: '/x',
    servers: [{ url: server.url }],
    parameters: [],
    accept: ['application/json'],
    ...more.plan,
  };
  const tool: Tool = {
    path: 'api.x',
    description: '',
    effect: method === 'POST' ? 'write' : 'read',
    repeatable,
    version: '1',
    origin: {},
    inputSchema: { type: 'object' },
    plan,
  };
  const invocation = {
    tool,
    input: more.input ?? {},
    settings: { allowPrivateNetwork: true, ...more.settings },
    auth: more.auth ?? {},
    call: { workspaceId: 'ws', executionId: 'exe', index: 0, attempt: 1, id: 'exe.0' },
    ask: () => Promise.reject(new Error('There is no user.')),
    putArtifact: async ({ mediaType, bytes }: { mediaType: string; bytes: Uint8Array }) => ({
      artifactId: 'art',
      mediaType,
      bytes: bytes.length,
    }),
    readArtifact: async () => undefined,
    sourceId: 'src',
    progress() {},
    log() {},
    allowAnswer: async () => {},
  };
  const clock = {
    now: () => new Date(),
    at(_: number, callback: () => void) {
      const timer = setImmediate(callback);
      return () => clearImmediate(timer);
    },
  };
  const outcome = await callOperation(invocation, AbortSignal.timeout(20_000), {
    http: more.http ?? http,
    jsonReader: localJsonReader,
    clock,
    random: () => 1,
  });
  return outcome.type === 'json' ? ({ type: 'value', value: JSON.parse(outcome.json) } as const) : outcome;
}

/** The clock advances by a minute after the first chunk of a response. */
function minutePassing({ send, close }: HttpClient): HttpClient {
  onTestFinished(() => void vi.useRealTimers());
  async function* passing(body: AsyncIterable<Uint8Array>) {
    for await (const piece of body) {
      yield piece;
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    }
  }
  return {
    close,
    async send(request, options) {
      const response = await send(request, options);
      return { ...response, body: passing(response.body) };
    },
  };
}

/** Announces more bytes than it sends, and then closes the connection. */
function breakOff(response: ServerResponse, type: string, body: string, status = 200): void {
  response.writeHead(status, { 'content-type': type, 'content-length': 10_000 });
  response.write(body, () => response.destroy());
}

describe('a response that is cut off', () => {
  test('is requested again if the call is repeatable', async () => {
    answer = (_, response) =>
      requests.length < 3
        ? breakOff(response, 'application/json', '{"a":')
        : response.setHeader('content-type', 'application/json').end('{"a":1}');
    expect(await call()).toEqual({ type: 'value', value: { a: 1 } });
    expect(requests).toHaveLength(3);
  });

  test('is an error if the call is not repeatable, and never half a value', async () => {
    answer = (_, response) => breakOff(response, 'application/x-ndjson', '{"a":1}\n');
    expect(await call({ method: 'POST' })).toEqual({
      type: 'error',
      message: `127.0.0.1:${server.port} closed the connection before the response was complete. It is not known whether the call took effect.`,
      details: { code: 'reset' },
    });
    expect(requests).toHaveLength(1);
  });

  test('with an error status is an error, with the part of its body that arrived', async () => {
    answer = (_, response) => breakOff(response, 'text/plain', 'No such thing', 404);
    for (const method of ['GET', 'POST'])
      expect(await call({ method })).toMatchObject({
        type: 'error',
        message: 'No such thing (HTTP 404 Not Found)',
        details: { status: 404, code: 'notFound', body: 'No such thing' },
      });
    expect(requests).toHaveLength(2);
  });

  test('returns the events that arrived, with a marker', async () => {
    answer = (_, response) => breakOff(response, 'text/event-stream', 'data: 1\n\ndata: 2\n\ndata: ha');
    expect(await call({ method: 'POST' })).toEqual({
      type: 'value',
      value: [
        { data: 1 },
        { data: 2 },
        { event: 'executor:cutOff', data: expect.stringContaining('connection') },
      ],
    });
  });
});

describe('a response without a body', () => {
  test.each([204, 205, 304])('%s is null', async (status) => {
    answer = (_, response) => response.writeHead(status).end();
    expect(await call()).toEqual({ type: 'value', value: null });
    expect(await call({ input: { $response: 'full' } })).toMatchObject({ value: { status, body: null } });
  });
});

describe('rare methods', () => {
  test('HEAD returns whether a resource exists, and its size in the headers', async () => {
    answer = (_, response) =>
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': 12_345, etag: '"e"' }).end();
    expect(await call({ method: 'HEAD' })).toEqual({ type: 'value', value: null });
    expect(await call({ method: 'HEAD', input: { $response: 'full' } })).toMatchObject({
      value: { status: 200, body: null, headers: { 'content-length': '12345', etag: '"e"' } },
    });
    answer = (_, response) => response.writeHead(404, { 'content-length': 99 }).end();
    expect(await call({ method: 'HEAD' })).toMatchObject({ type: 'error', details: { status: 404 } });
    expect(requests.map(({ method }) => method)).toEqual(['HEAD', 'HEAD', 'HEAD']);
  });

  test('OPTIONS returns the allowed methods', async () => {
    answer = (_, response) => response.writeHead(204, { allow: 'GET, HEAD' }).end();
    expect(await call({ method: 'OPTIONS', input: { $response: 'full' } })).toMatchObject({
      value: { status: 204, headers: { allow: 'GET, HEAD' } },
    });
    expect(requests.map(({ method }) => method)).toEqual(['OPTIONS']);
  });

  test('TRACE returns the request', async () => {
    answer = ({ method, url }, response) =>
      response.setHeader('content-type', 'message/http').end(`${method} ${url} HTTP/1.1`);
    expect(await call({ method: 'TRACE' })).toEqual({ type: 'value', value: 'TRACE /x HTTP/1.1' });
  });
});

describe('the size limit', () => {
  const endless = (type: string) => {
    answer = (request, response) => {
      response.setHeader('content-type', type);
      const send = () => {
        while (!request.destroyed && response.write(`${'1,'.repeat(50_000)}\n`));
      };
      response.on('drain', send);
      send();
    };
  };

  test.each([
    ['application/json', 10 * 1024 * 1024],
    ['application/zip', 32 * 1024 * 1024],
  ])('of %s has a default', async (type, limit) => {
    endless(type);
    expect(await call()).toMatchObject({ type: 'error', details: { code: 'answerTooLarge', limit } });
    // The connection is closed, so the server cannot continue to send.
    await expect.poll(() => requests[0]?.socket.destroyed).toBe(true);
  });

  test('comes from the settings of the source', async () => {
    endless('application/json');
    expect(await call({ settings: { maxResponseBytes: 1000 } })).toMatchObject({
      details: { code: 'answerTooLarge', limit: 1000 },
    });
  });

  test('of a stream is the timeout of the call', async () => {
    answer = (_, response) => response.setHeader('content-type', 'text/event-stream').write('data: 1\n\n');
    expect(await call({ http: minutePassing(http) })).toEqual({
      type: 'value',
      value: [
        { data: 1 },
        { event: 'executor:cutOff', data: expect.stringContaining('exceeded the timeout') },
      ],
    });
  });
});

describe('streams', () => {
  const inPieces = (type: string, text: string) => {
    answer = async (_, response) => {
      response.setHeader('content-type', type);
      // One byte at a time, which splits the two bytes of an umlaut.
      for (const byte of Buffer.from(text)) {
        response.write(Buffer.from([byte]));
        await new Promise(setImmediate);
      }
      response.end();
    };
  };

  test('of lines are read from chunks of any size', async () => {
    inPieces('application/x-ndjson', '{"a":"ä"}\n{"a":2}\n');
    expect(await call()).toEqual({ type: 'value', value: [{ a: 'ä' }, { a: 2 }] });
  });

  test('of events are read from chunks of any size', async () => {
    inPieces('text/event-stream; charset=utf-8', 'event: e\r\ndata: "ä"\r\n\r\ndata: [DONE]\n\n');
    expect(await call()).toEqual({ type: 'value', value: [{ event: 'e', data: 'ä' }, { data: '[DONE]' }] });
  });
});

test('the idempotency key is the same for each attempt, and sent only if the document declares it', async () => {
  answer = (_, response) => response.writeHead(requests.length === 1 ? 503 : 204).end();
  await call({ method: 'POST', repeatable: true, plan: { idempotencyHeader: 'Idempotency-Key' } });
  await call({ method: 'POST' });
  const keys = requests.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual(['exe.0', 'exe.0', undefined]);
});

test('credentials in headers, query and cookies are sent only to their origin', async () => {
  let arrived: IncomingMessage | undefined;
  const otherServer = await startLocalServer((request, response) => {
    arrived = request;
    response.end();
  });
  answer = (_, response) => response.writeHead(302, { location: `${otherServer.url}/y` }).end();
  await call({
    auth: { headers: { authorization: 's', 'x-key': 's' }, query: { key: 's' }, cookies: { sid: 's' } },
    settings: { headers: { 'x-team': 's' } },
  });
  await otherServer.close();
  expect(requests[0]?.url).toBe('/x?key=s');
  expect(arrived?.url).toBe('/y');
  expect(Object.keys(arrived?.headers ?? {}).sort()).toEqual(
    ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'].sort(),
  );
});
