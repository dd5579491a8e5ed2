import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { createClient } from './client.ts';

/** A server that sends events as the test says. */
async function serve(listener: RequestListener) {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    listener(request, response);
  });
  const listen = (port: number) =>
    new Promise<number>((resolve) => {
      server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
  const port = await listen(0);
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    restart: () => listen(port),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function event(seq: number) {
  return { id: `e${seq}`, seq, executionId: 'exe_1', at: '2026-01-02T03:04:05.006Z', type: 'log', data: {} };
}

function startStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('retry: 10\n\n');
}

function sendEvents(response: ServerResponse, from: number, to: number): void {
  for (let seq = from; seq <= to; seq++)
    response.write(`id: e${seq}\nevent: log\ndata: ${JSON.stringify(event(seq))}\n\n`);
}

const lastSeen = (request: IncomingMessage) =>
  Number(String(request.headers['last-event-id'] ?? 'e0').slice(1));

test('A stream that breaks repeatedly delivers each event once', async () => {
  await using server = await serve((request, response) => {
    startStream(response);
    const from = lastSeen(request) + 1;
    sendEvents(response, from, Math.min(from + 2, 10));
    // Half an event, then nothing.
    if (from + 2 < 10) response.write(`id: e${from + 3}\ndata: {"se`, () => response.destroy());
    else response.end();
  });
  const received: number[] = [];
  for await (const { seq } of createClient({ url: server.url }).executions.events({
    id: 'exe_1',
    after: 'e0',
  }))
    received.push(seq);
  expect(received).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(server.seen.map(({ url, headers }) => `${url} ${headers['last-event-id']}`)).toEqual([
    '/v1/executions/exe_1/events?after=e0 undefined',
    '/v1/executions/exe_1/events?after=e0 e3',
    '/v1/executions/exe_1/events?after=e0 e6',
    '/v1/executions/exe_1/events?after=e0 e9',
  ]);
});

test('The start position of a stream is kept, even without an event', async () => {
  await using server = await serve((request, response) => {
    startStream(response);
    if (request.headers['last-event-id'] === 'here') return void response.end();
    response.write('id: here\n\n', () => response.destroy());
  });
  for await (const _ of createClient({ url: server.url }).events.list()) throw new Error('there is none');
  expect(server.seen).toHaveLength(2);
});

test('A stream waits for a server that is down for a while', async () => {
  await using server = await serve((request, response) => {
    startStream(response);
    if (lastSeen(request) === 0) sendEvents(response, 1, 1);
    else {
      sendEvents(response, 2, 2);
      response.end();
    }
  });
  const received: number[] = [];
  for await (const { seq } of createClient({ url: server.url }).executions.events({ id: 'exe_1' })) {
    received.push(seq);
    if (seq > 1) continue;
    await server.stop();
    setTimeout(() => server.restart(), 300);
  }
  expect(received).toEqual([1, 2]);
});

test('A shorter timeout ends the stream with the error noServer', async () => {
  await using server = await serve((_, response) => {
    startStream(response);
    sendEvents(response, 1, 1);
  });
  const stream = createClient({ url: server.url }).executions.events({ id: 'exe_1' }, { timeoutMs: 300 });
  const received: number[] = [];
  await expect(async () => {
    for await (const { seq } of stream) {
      received.push(seq);
      await server.stop();
    }
  }).rejects.toMatchObject({ code: 'noServer' });
  expect(received).toEqual([1]);
});

test('A refused reconnection fails with the reason', async () => {
  await using server = await serve((request, response) => {
    if (lastSeen(request) > 0)
      return void response.writeHead(401).end('{"error":{"code":"unauthenticated","message":"Revoked."}}');
    startStream(response);
    sendEvents(response, 1, 1);
    setTimeout(() => response.destroy(), 20);
  });
  await expect(async () => {
    for await (const _ of createClient({ url: server.url }).executions.events({ id: 'exe_1' }));
  }).rejects.toMatchObject({ code: 'unauthenticated', message: 'Revoked.' });
});

test('The first attempt fails at once without a server or run', async () => {
  const first = (url: string) =>
    createClient({ url }).executions.events({ id: 'exe_1' })[Symbol.asyncIterator]().next();
  await expect(first('http://127.0.0.1:1')).rejects.toMatchObject({ code: 'noServer' });
  await using server = await serve(
    (_, response) => void response.writeHead(404).end('{"error":{"code":"notFound","message":"No."}}'),
  );
  await expect(first(server.url)).rejects.toMatchObject({ code: 'notFound' });
});

test('An abort ends the stream without an error in every state', async () => {
  let closed = 0;
  const connecting = new AbortController();
  await using server = await serve((request, response) => {
    response.on('close', () => {
      closed += 1;
    });
    if (request.url?.includes('silent')) return connecting.abort();
    startStream(response);
    sendEvents(response, 1, 1);
  });
  const client = createClient({ url: server.url });
  for await (const _ of client.executions.events({ id: 'silent' }, { signal: connecting.signal }));
  const reading = new AbortController();
  // By then the stream waits for its next event.
  for await (const _ of client.executions.events({ id: 'idle' }, { signal: reading.signal }))
    setImmediate(() => reading.abort());
  const consuming = new AbortController();
  for await (const _ of client.executions.events({ id: 'idle' }, { signal: consuming.signal }))
    consuming.abort();
  await vi.waitUntil(() => closed === 3, 20_000);
  await server.stop();
  const away = new AbortController();
  away.abort();
  for await (const _ of client.executions.events({ id: 'idle' }, { signal: away.signal }));
  expect(server.seen).toHaveLength(3);
});

test('Leaving the loop closes the connection', async () => {
  let closed = false;
  await using server = await serve((_, response) => {
    response.on('close', () => {
      closed = true;
    });
    startStream(response);
    sendEvents(response, 1, 3);
  });
  for await (const _ of createClient({ url: server.url }).executions.events({ id: 'exe_1' })) break;
  await vi.waitUntil(() => closed, 20_000);
});

test('Unknown events are rejected, not skipped', async () => {
  const bodies = [
    'id: 1\ndata: {"seq":1}\n\n',
    'id: 1\ndata: {"seq":\n\n',
    `data: ${JSON.stringify(event(1))}\n\n`,
    Buffer.from([0x64, 0xff, 0x0a]),
  ];
  await using server = await serve((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(bodies[Number(new URL(request.url ?? '', 'http://x').searchParams.get('after'))]);
  });
  for (const after of bodies.keys()) {
    await expect(async () => {
      const stream = createClient({ url: server.url }).executions.events({
        id: 'exe_1',
        after: String(after),
      });
      for await (const _ of stream);
    }).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining('Client and server may have different versions.'),
    });
  }
});
