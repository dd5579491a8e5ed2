import { setMaxListeners } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, HeldResource } from '@executor/engine';
import { Hono } from 'hono';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { listen } from '../../listen.ts';
import { respondError } from '../error-response.ts';
import { EventStreams } from './event-streams.ts';

const account: Account = { kind: 'person', key: 'act', workspaceId: 'ws' };
interface Event {
  id: string;
  type: string;
  text?: string;
}

interface Stage {
  events(signal: AbortSignal, beginAt: (eventId: string) => void): AsyncIterable<Event>;
  isAllowed?: () => Promise<boolean>;
  heartbeatMs?: number;
  perKey?: number;
}

/** A real server with one route. The test creates its events. */
async function serveEvents({ events, isAllowed = async () => true, perKey = 64, ...options }: Stage) {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const streams = new EventStreams({
    logger: pino({ level: 'silent' }),
    stopping: stopping.signal,
    slots: new HeldResource('streams', { perKey, agents: perKey, total: perKey }),
    ...options,
  });
  const app = new Hono();
  app.get('/', async (http) =>
    streams.serve({ http, account, isAllowed, open: async (signal, beginAt) => events(signal, beginAt) }),
  );
  app.onError((error, http) => respondError(http, error as never));
  const listener = await listen(app, { host: '127.0.0.1', port: 0 });
  return {
    url: `http://127.0.0.1:${listener.port}/`,
    stopping,
    close: () => listener.close(600_000),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await listener.close(0);
    },
  };
}

async function* listed(events: Event[]): AsyncGenerator<Event> {
  yield* events;
}

async function* endless(signal: AbortSignal, events: Event[] = []): AsyncGenerator<Event> {
  yield* events;
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
}

function open(url: string, method = 'GET'): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    httpRequest(url, { method, agent: false }, resolve).on('error', reject).end();
  });
}

/** The text of a stream until it ends (`ended`) or is cut off (`cut`). */
async function drain(
  response: IncomingMessage,
  onText: (text: string) => void = () => {},
): Promise<{ text: string; how: 'ended' | 'cut' }> {
  let text = '';
  try {
    for await (const chunk of response) {
      text += chunk;
      onText(text);
    }
    return { text, how: 'ended' };
  } catch {
    return { text, how: 'cut' };
  }
}

test('Events are sent in order, one data line each, and the stream ends with the iterator', async () => {
  await using server = await serveEvents({
    events(_, beginAt) {
      beginAt('start');
      return listed([
        { id: '1', type: 'execution.created' },
        { id: '2', type: 'log', text: 'two\nlines\r\n\u2028' },
      ]);
    },
  });
  const response = await open(server.url);
  expect(response.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-store',
    'x-accel-buffering': 'no',
  });
  expect(await drain(response)).toEqual({ how: 'ended', text: expect.any(String) });
  expect((await drain(await open(server.url))).text).toBe(
    [
      'retry: 500\nid: start\n\n',
      'id: 1\nevent: execution.created\ndata: {"id":"1","type":"execution.created"}\n\n',
      'id: 2\nevent: log\ndata: {"id":"2","type":"log","text":"two\\nlines\\r\\n\u2028"}\n\n',
    ].join(''),
  );
});

test('A caller that disconnects stops the iterator', async () => {
  let signal: AbortSignal | undefined;
  await using server = await serveEvents({
    events: (eventSignal) => {
      signal = eventSignal;
      return endless(eventSignal);
    },
  });
  const response = await open(server.url);
  expect(signal?.aborted).toBe(false);
  response.destroy();
  await vi.waitUntil(() => signal?.aborted, 20_000);
});

test('A stopping server cuts its streams at once', async () => {
  await using server = await serveEvents({ events: (signal) => endless(signal, [{ id: '1', type: 'a' }]) });
  const opened = await Promise.all(Array.from({ length: 20 }, () => open(server.url)));
  const drained = Promise.all(opened.map((response) => drain(response)));
  server.stopping.abort();
  await server.close();
  expect((await drained).map(({ how }) => how)).toEqual(Array(20).fill('cut'));
});

test('Heartbeats are sent while idle, and a revoked credential ends the stream at the next one', async () => {
  let allowed = true;
  await using server = await serveEvents({
    heartbeatMs: 50,
    events: (signal) => endless(signal),
    isAllowed: async () => allowed,
  });
  let beats = 0;
  const drained = drain(await open(server.url), (text) => {
    beats = text.match(/: still here\n\n/g)?.length ?? 0;
  });
  await expect.poll(() => beats).toBeGreaterThan(2);
  allowed = false;
  expect((await drained).how).toBe('cut');
});

test('A database outage ends no stream', async () => {
  const isAllowed = vi.fn(() => Promise.reject(new Error('away')));
  await using server = await serveEvents({
    heartbeatMs: 20,
    events: (signal) => endless(signal),
    isAllowed,
  });
  const response = await open(server.url);
  const drained = drain(response);
  // The credential of an ended stream is not checked again.
  await expect.poll(() => isAllowed.mock.calls.length).toBeGreaterThan(4);
  expect(response.destroyed).toBe(false);
  server.stopping.abort();
  expect((await drained).how).toBe('cut');
});

test('An iterator that fails cuts the stream, so that the caller reconnects', async () => {
  await using server = await serveEvents({
    // biome-ignore lint/correctness/useYield: it fails before
    async *events() {
      await sleep(20);
      throw new Error('broken');
    },
  });
  expect((await drain(await open(server.url))).how).toBe('cut');
});

test('A caller that does not read is not sent more events', async () => {
  let made = 0;
  await using server = await serveEvents({
    async *events(signal) {
      while (!signal.aborted) yield { id: String(++made), type: 'log', text: 'x'.repeat(10_000) };
    },
  });
  const response = await open(server.url);
  response.pause();
  for (let held = 0, looks = 0; looks < 6 && made < 5_000; looks += 1) {
    await sleep(50);
    if (made === 0 || made > held) looks = 0;
    held = made;
  }
  expect(made).toBeLessThan(5_000);
  response.destroy();
});

test('A caller that has not read for long is cut off and may reconnect', async () => {
  let signal: AbortSignal | undefined;
  await using server = await serveEvents({
    heartbeatMs: 30,
    async *events(eventSignal) {
      signal = eventSignal;
      while (!eventSignal.aborted) yield { id: '1', type: 'log', text: 'x'.repeat(10_000) };
    },
  });
  const response = await open(server.url);
  response.pause();
  await vi.waitUntil(() => signal?.aborted, 20_000);
  response.destroy();
});

test('One credential may open a limited number of streams, and closed streams free their slots', async () => {
  await using server = await serveEvents({ perKey: 3, events: (signal) => endless(signal) });
  const held = await Promise.all([open(server.url), open(server.url), open(server.url)]);
  const refused = await open(server.url);
  expect(refused.statusCode).toBe(429);
  expect(JSON.parse((await drain(refused)).text).error).toMatchObject({
    code: 'tooManyStreams',
    message: expect.stringContaining('The limit is 3 per credential'),
  });
  held[0]?.destroy();
  await vi.waitUntil(async () => (await open(server.url)).statusCode === 200, 20_000);
  for (const response of held) response.destroy();
});

test('An ended stream frees its slot', async () => {
  await using server = await serveEvents({ perKey: 1, events: () => listed([{ id: '1', type: 'a' }]) });
  for (let round = 0; round < 5; round++) {
    const response = await vi.waitUntil(async () => {
      const attempt = await open(server.url);
      return attempt.statusCode === 200 && attempt;
    }, 20_000);
    expect((await drain(response)).how).toBe('ended');
  }
});

test('A HEAD request gets the headers and takes no slot', async () => {
  let signal: AbortSignal | undefined;
  await using server = await serveEvents({
    perKey: 1,
    events: (eventSignal) => {
      signal = eventSignal;
      return endless(eventSignal);
    },
  });
  const response = await open(server.url, 'HEAD');
  expect(response.headers['content-type']).toBe('text/event-stream');
  await drain(response);
  await vi.waitUntil(() => signal?.aborted, 20_000);
  expect((await open(server.url)).statusCode).toBe(200);
});

test('A hundred idle streams take little memory and CPU time', async () => {
  await using server = await serveEvents({
    perKey: 1_000,
    heartbeatMs: 100,
    events: (signal) => endless(signal),
  });
  await open(server.url);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const responses = await Promise.all(Array.from({ length: 100 }, () => open(server.url)));
  for (const response of responses) response.resume();
  const cpu = process.cpuUsage();
  await sleep(1_000);
  const { user, system } = process.cpuUsage(cpu);
  globalThis.gc?.();
  const bytes = (process.memoryUsage().heapUsed - before) / 100;
  console.info(
    `an idle stream: ${Math.round(bytes / 1024)} KB with its client; ten beats of all: ${Math.round((user + system) / 1000)} ms`,
  );
  expect(bytes).toBeLessThan(500 * 1024);
  for (const response of responses) response.destroy();
});
