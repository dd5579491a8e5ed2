import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Auth, Tool } from '@executor/engine';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type LocalServer, startLocalServer } from '../../../test/local-server.ts';
import { createHttpClient } from '../../http/create-http-client.ts';
import type { HttpClient } from '../../http/http-client.ts';
import type { OperationPlan } from '../operation.ts';
import type { OpenApiSettings } from '../settings.ts';
import { callOperation } from './call-operation.ts';

/* What real connections do: answers that break off, have no body or no end, and methods of which there are few. */

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
    ask: () => Promise.reject(new Error('nobody is there')),
    putArtifact: async ({ mediaType, bytes }: { mediaType: string; bytes: Uint8Array }) => ({
      artifactId: 'art',
      mediaType,
      bytes: bytes.length,
    }),
    readArtifact: async () => undefined,
  };
  const clock = {
    now: () => new Date(),
    at(_: number, callback: () => void) {
      const timer = setImmediate(callback);
      return () => clearImmediate(timer);
    },
  };
  return callOperation(invocation, AbortSignal.timeout(20_000), {
    http: more.http ?? http,
    clock,
    random: () => 1,
  });
}

/** The clock says that a minute has passed as soon as the first piece of an answer was taken. */
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

/** Announces more than it sends, and hangs up once that has left. */
function breakOff(response: ServerResponse, type: string, body: string, status = 200): void {
  response.writeHead(status, { 'content-type': type, 'content-length': 10_000 });
  response.write(body, () => response.destroy());
}

describe('an answer that breaks off', () => {
  test('is asked for again where the call may be repeated', async () => {
    answer = (_, response) =>
      requests.length < 3
        ? breakOff(response, 'application/json', '{"a":')
        : response.setHeader('content-type', 'application/json').end('{"a":1}');
    expect(await call()).toEqual({ type: 'value', value: { a: 1 } });
    expect(requests).toHaveLength(3);
  });

  test('is an error where it may not, and never half a value', async () => {
    answer = (_, response) => breakOff(response, 'application/x-ndjson', '{"a":1}\n');
    expect(await call({ method: 'POST' })).toEqual({
      type: 'error',
      message: `127.0.0.1:${server.port} closed the connection before the response was complete. It is not known whether the call took effect.`,
      details: { code: 'reset' },
    });
    expect(requests).toHaveLength(1);
  });

  test('and says no has said so, with as much of its reason as came', async () => {
    answer = (_, response) => breakOff(response, 'text/plain', 'No such thing', 404);
    for (const method of ['GET', 'POST'])
      expect(await call({ method })).toMatchObject({
        type: 'error',
        message: 'No such thing (HTTP 404 Not Found)',
        details: { status: 404, code: 'notFound', body: 'No such thing' },
      });
    expect(requests).toHaveLength(2);
  });

  test('hands on the events that came, with a mark', async () => {
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

describe('an answer without a body', () => {
  test.each([204, 205, 304])('%s is null', async (status) => {
    answer = (_, response) => response.writeHead(status).end();
    expect(await call()).toEqual({ type: 'value', value: null });
    expect(await call({ input: { $response: 'full' } })).toMatchObject({ value: { status, body: null } });
  });
});

describe('methods of which there are few', () => {
  test('HEAD tells whether something is there, and in its headers how large it is', async () => {
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

  test('OPTIONS tells what is allowed', async () => {
    answer = (_, response) => response.writeHead(204, { allow: 'GET, HEAD' }).end();
    expect(await call({ method: 'OPTIONS', input: { $response: 'full' } })).toMatchObject({
      value: { status: 204, headers: { allow: 'GET, HEAD' } },
    });
    expect(requests.map(({ method }) => method)).toEqual(['OPTIONS']);
  });

  test('TRACE gives back the request that arrived', async () => {
    answer = ({ method, url }, response) =>
      response.setHeader('content-type', 'message/http').end(`${method} ${url} HTTP/1.1`);
    expect(await call({ method: 'TRACE' })).toEqual({ type: 'value', value: 'TRACE /x HTTP/1.1' });
  });
});

describe('how much is read', () => {
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
  ])('of %s is limited', async (type, limit) => {
    endless(type);
    expect(await call()).toMatchObject({ type: 'error', details: { code: 'answerTooLarge', limit } });
    // Nothing is left open that goes on sending.
    await expect.poll(() => requests[0]?.socket.destroyed).toBe(true);
  });

  test('is what a person said', async () => {
    endless('application/json');
    expect(await call({ settings: { maxResponseBytes: 1000 } })).toMatchObject({
      details: { code: 'answerTooLarge', limit: 1000 },
    });
  });

  test('of a stream is what comes before the call would be over', async () => {
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
      // Between the two bytes of an umlaut too.
      for (const byte of Buffer.from(text)) {
        response.write(Buffer.from([byte]));
        await new Promise(setImmediate);
      }
      response.end();
    };
  };

  test('of lines are read however they come', async () => {
    inPieces('application/x-ndjson', '{"a":"ä"}\n{"a":2}\n');
    expect(await call()).toEqual({ type: 'value', value: [{ a: 'ä' }, { a: 2 }] });
  });

  test('of events too', async () => {
    inPieces('text/event-stream; charset=utf-8', 'event: e\r\ndata: "ä"\r\n\r\ndata: [DONE]\n\n');
    expect(await call()).toEqual({ type: 'value', value: [{ event: 'e', data: 'ä' }, { data: '[DONE]' }] });
  });
});

test('an idempotency key is the same for each attempt, and sent only where the document has it', async () => {
  answer = (_, response) => response.writeHead(requests.length === 1 ? 503 : 204).end();
  await call({ method: 'POST', repeatable: true, plan: { idempotencyHeader: 'Idempotency-Key' } });
  await call({ method: 'POST' });
  const keys = requests.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual(['exe.0', 'exe.0', undefined]);
});

test('credentials of every place stay with the origin that they are for', async () => {
  let arrived: IncomingMessage | undefined;
  const away = await startLocalServer((request, response) => {
    arrived = request;
    response.end();
  });
  answer = (_, response) => response.writeHead(302, { location: `${away.url}/y` }).end();
  await call({
    auth: { headers: { authorization: 's', 'x-key': 's' }, query: { key: 's' }, cookies: { sid: 's' } },
    settings: { headers: { 'x-team': 's' } },
  });
  await away.close();
  expect(requests[0]?.url).toBe('/x?key=s');
  expect(arrived?.url).toBe('/y');
  expect(Object.keys(arrived?.headers ?? {}).sort()).toEqual(
    ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'].sort(),
  );
});
