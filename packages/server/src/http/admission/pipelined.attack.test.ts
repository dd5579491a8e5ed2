import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { call, startTestServer, type TestServer } from '../../../test/server.ts';

let server: TestServer;
test.beforeAll(async () => {
  server = await startTestServer();
});
test.afterAll(() => server[Symbol.asyncDispose]());

async function newKey(): Promise<string> {
  const { json } = await call(server, 'POST', '/v1/api-keys', {
    token: server.localToken,
    body: { name: 'pipelining', kind: 'agent' },
  });
  return json.key;
}

function textOf(method: string, path: string, key: string, body = ''): string {
  const entity = body && `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n${entity}\r\n${body}`;
}

/** Sends requests on one connection without waiting for responses, and disconnects while the first one waits. */
async function pipeline(texts: string[]): Promise<void> {
  const { requests, waits } = server.engine.resources.held;
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  socket.write(texts.join(''));
  await expect.poll(() => socket.destroyed || requests.usage().used + waits.usage().used > 0).toBe(true);
  socket.destroy();
  await closed;
}

function heldNow() {
  const { requests, requestBytes, waits, streams, connections } = server.engine.resources.held;
  return [requests, requestBytes, waits, streams, connections].map((resource) => resource.usage().used);
}
const nothing = [0, 0, 0, 0, 0];

test('Requests behind one that waits hold nothing after their connection has closed', async () => {
  const key = await newKey();
  expect((await call(server, 'GET', '/v1/me', { token: key })).status).toBe(200);
  const body = JSON.stringify({
    code: 'await new Promise((done) => setTimeout(done, 60_000))',
    waitMs: 60_000,
    typecheck: false,
  });
  const run = textOf('POST', '/v1/executions', key, body);
  const { json } = await call(server, 'POST', '/v1/executions', {
    token: key,
    body: { code: 'return 1', waitMs: 9_000 },
  });
  const stream = textOf('GET', `/v1/executions/${json.id}/events`, key);
  for (const behind of [textOf('GET', '/v1/me', key), run, stream, textOf('GET', '/v1/me', 'exk_invalid')]) {
    await pipeline([run, ...Array.from({ length: 10 }, () => behind)]);
    await expect.poll(heldNow, { timeout: 10_000 }).toEqual(nothing);
  }
});

test('Requests on a connection that is closed because there are too many of them hold nothing', async () => {
  const key = await newKey();
  expect((await call(server, 'GET', '/v1/me', { token: key })).status).toBe(200);
  await pipeline(Array.from({ length: 200 }, () => textOf('GET', '/v1/me', key)));
  await expect.poll(heldNow, { timeout: 10_000 }).toEqual(nothing);
});
