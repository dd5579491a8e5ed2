import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import type { Invocation, InvocationOutcome, Source, Tool } from '@executor/engine';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { read, withOperation } from '../../../test/read.ts';
import { createHttpClient } from '../../http/create-http-client.ts';
import type { HttpClient } from '../../http/http-client.ts';
import { createOpenApiSource } from '../openapi-source.ts';

/* Hostile inputs, judged by the bytes that the server receives. */

let http: HttpClient;
let source: Source;
let server: Server;
let url: string;
let received = '';
let answer: string;
const sockets = new Set<Socket>();

beforeAll(async () => {
  http = createHttpClient();
  source = createOpenApiSource({ http, readerFolder: '' });
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
      socket.end(Buffer.from(answer, 'latin1'));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`;
});

afterAll(async () => {
  await http.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

beforeEach(() => {
  received = '';
  answer = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n{"ok":true}';
});

async function call(tool: Tool, input: unknown): Promise<InvocationOutcome> {
  const invocation: Invocation = {
    tool: { ...tool, repeatable: false },
    input,
    settings: { document: '', baseUrl: url, allowPrivateNetwork: true },
    auth: {},
    call: { workspaceId: 'ws', executionId: 'exe', index: 0, attempt: 1, id: 'exe.0' },
    ask: () => Promise.reject(new Error('There is no user.')),
    putArtifact: async ({ mediaType, bytes }) => ({ artifactId: 'art', mediaType, bytes: bytes.length }),
    readArtifact: async () => undefined,
    sourceId: 'src',
    progress() {},
    log() {},
    allowAnswer: async () => {},
  };
  const outcome = await source.invoke(invocation, AbortSignal.timeout(20_000));
  return outcome.type === 'json' ? { type: 'value', value: JSON.parse(outcome.json) } : outcome;
}

const string = { schema: { type: 'string' } };
const everywhere = withOperation({
  parameters: [
    { name: 'q', in: 'query', ...string },
    { name: 'raw', in: 'query', allowReserved: true, ...string },
    { name: 'deep', in: 'query', style: 'deepObject', explode: true, schema: { type: 'object' } },
    { name: 'X-A', in: 'header', ...string },
    { name: 'c', in: 'cookie', ...string },
  ],
});
const attack = 'x\r\nX-Evil: 1\r\n\r\nGET /evil HTTP/1.1\r\nHost: a\r\n\r\n';

test.each([
  ['q', attack],
  ['raw', attack],
  ['deep', { [attack]: attack }],
  ['X-A', attack],
  ['c', attack],
  ['c', 'a; admin=1'],
  ['raw', 'a&admin=1#frag ment'],
  ['q', '\u0000\ud800'],
])('%s: %j cannot start another header, cookie or request', async (name, value) => {
  const { tool } = await read(everywhere);
  const outcome = await call(tool('api.t.run'), { [name]: value });
  expect(received).not.toMatch(/^(X-Evil|GET \/evil)/im);
  expect(received.match(/ HTTP\/1\.1\r\n/g) ?? []).toHaveLength(outcome.type === 'value' ? 1 : 0);
  expect(received).not.toMatch(/^cookie:.*;\s*admin=1/im);
  if (outcome.type === 'error') expect(outcome.message).toMatch(/X-A|\bc\b|header|cookie/i);
});

test('names such as __proto__ are sent like any other and have no effect in this process', async () => {
  const schema = { type: 'object', additionalProperties: true };
  const { tool } = await read(
    withOperation({ requestBody: { content: { 'application/json': { schema } } } }, { method: 'post' }),
  );
  const text = '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"a":1}';
  const settings = { document: '', baseUrl: url };
  const input = { body: JSON.parse(text) };
  const { body } = source.preview({ tool: tool('api.t.run'), input, settings });
  expect(JSON.stringify(body)).toBe(text);
  expect(({} as { admin?: boolean }).admin).toBeUndefined();
});

test.each([
  ['HTTP/1.1 204 No Content\r\n\r\n', null],
  ['HTTP/1.1 205 Reset Content\r\ncontent-length: 0\r\n\r\n', null],
  [
    'HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=iso-8859-1\r\nconnection: close\r\n\r\nh\xe9',
    'h\u00e9',
  ],
  ['HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 0\r\n\r\n', null],
])('the response %j is parsed safely', async (bytes, value) => {
  answer = bytes;
  const { tool } = await read(everywhere);
  expect(await call(tool('api.t.run'), {})).toEqual({ type: 'value', value });
});
