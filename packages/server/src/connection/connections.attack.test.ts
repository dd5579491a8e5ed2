import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type Account, HeldResource } from '@executor/engine';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { respondError } from '../http/error-response.ts';
import { inPieces } from '../http/stream/pieces.ts';
import { listen } from '../listen.ts';
import { Connections } from './connections.ts';

const accounts: Record<string, Account> = {
  ada: { kind: 'person', key: 'ada', workspaceId: 'w' },
  bot: { kind: 'agent', key: 'bot', workspaceId: 'w' },
  other: { kind: 'agent', key: 'other', workspaceId: 'w' },
};
const large = 32 * 1024 * 1024;

/** A real server. The header `x-key` stands for a credential. */
async function serve(stallMs?: number) {
  const held = new HeldResource('connections', { perKey: 8, agents: 12, total: 16 });
  const connections = new Connections({ held, ...(stallMs !== undefined && { stallMs }) });
  const app = new Hono<{ Bindings: { incoming: IncomingMessage } }>();
  app.onError((error, http) => respondError(http as never, error as never));
  app.use(async (http, next) => {
    const account = accounts[http.req.header('x-key') ?? ''];
    if (account) connections.credit(http.env.incoming.socket, account);
    await next();
  });
  app.get('/', (http) => http.text('here'));
  app.get('/large', (http) => http.body(inPieces(new Uint8Array(large))));
  const listener = await listen(app as never, { host: '127.0.0.1', port: 0, connections });
  onTestFinished(() => listener.close(0));
  const open = async (text = ''): Promise<Socket> => {
    const socket = connect(listener.port, '127.0.0.1');
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write(text);
    return socket;
  };
  const ask = (key: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = { 'x-key': key };
      const request = httpRequest({ port: listener.port, host: '127.0.0.1', headers, agent: false });
      request.on('error', reject).on('response', (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      });
      request.end();
    });
  return { held, open, ask };
}

const textOf = (key: string, path = '/') =>
  `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-key: ${key}\r\n\r\n`;

/** The response to what was sent on a connection, or undefined if the server closes it. */
function answered(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    socket.once('data', (data) => resolve(String(data).split('\r\n')[0]));
    socket.once('close', () => resolve(undefined));
  });
}

test('Connections without a credential keep nobody out, whatever they have sent', async () => {
  const { held, open, ask } = await serve();
  for (const text of ['', 'GET / HTTP/1.1\r\nhost: a', 'POST / HTTP/1.1\r\ncontent-length: 9\r\n\r\na']) {
    for (let number = 0; number < 20; number += 1) await open(text);
    expect(await ask('ada')).toBe(200);
  }
  expect(held.usage().used).toBeLessThanOrEqual(16);
});

test('A burst of connections does not close one that has just been opened', async () => {
  const { open } = await serve();
  const first = await open();
  const answer = answered(first);
  for (let number = 0; number < 10; number += 1) await open();
  first.write(textOf('ada'));
  expect(await answer).toBe('HTTP/1.1 200 OK');
});

test('Open connections of agents keep no person and no other agent out', async () => {
  const { held, open, ask } = await serve();
  for (const key of ['bot', 'other'])
    for (let number = 0; number < 8; number += 1) await answered(await open(textOf(key)));
  expect(held.usage().byAgents).toBeLessThanOrEqual(12);
  for (let number = 0; number < 20; number += 1) await open();
  expect(await ask('ada')).toBe(200);
});

test('A key with too many busy connections is refused, and its idle ones are closed first', async () => {
  const { open, ask } = await serve();
  const idle = await open(textOf('bot'));
  expect(await answered(idle)).toBe('HTTP/1.1 200 OK');
  const isClosed = new Promise((resolve) => idle.once('close', resolve));
  for (let number = 0; number < 8; number += 1) {
    const busy = await open(textOf('bot', '/large'));
    await answered(busy);
    busy.pause();
  }
  await isClosed;
  expect(await ask('bot')).toBe(429);
  expect(await ask('other')).toBe(200);
});

test('A response that nobody reads is cut off, and a slow reader gets all of it', async () => {
  const { held, open } = await serve(1_000);
  const unread = await open(textOf('bot', '/large'));
  unread.pause();
  const slow = await open(textOf('other', '/large'));
  let bytes = 0;
  slow.on('data', (data) => {
    bytes += data.length;
    slow.pause();
    setImmediate(() => slow.resume());
  });
  await expect.poll(() => bytes, { timeout: 20_000 }).toBeGreaterThan(large);
  await expect
    .poll(() => held.usage().users.some(({ key }) => key === 'bot'), { timeout: 20_000 })
    .toBe(false);
});

test('Many requests on one connection that does not wait for responses close it', async () => {
  const { open } = await serve();
  const socket = await open(textOf('bot').repeat(1_000));
  socket.pause();
  const flood = await open(textOf('bot', '/large').repeat(1_000));
  const closed = new Promise((resolve) => flood.once('close', resolve));
  flood.resume();
  await closed;
});
