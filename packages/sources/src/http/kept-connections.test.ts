import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createHttpClient } from './create-http-client.ts';
import { UnreachableError } from './unreachable-error.ts';

/** A server that closes idle connections without announcing it, as many proxies do. */
async function impatientServer(idleMs: number) {
  const arrived = new Map<string, number>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let idle = setTimeout(() => {}, 0);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      clearTimeout(idle);
      const [, id = ''] = /^POST \/(\d+) /.exec(bytes.toString()) ?? [];
      arrived.set(id, (arrived.get(id) ?? 0) + 1);
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      idle = setTimeout(() => socket.destroy(), idleMs);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, arrived, sockets, close };
}

test('requests on idle connections that the server closes are never sent twice, and errors say if one may have arrived', async () => {
  const { url, arrived, sockets, close } = await impatientServer(20);
  const http = createHttpClient();
  const failures: [string, unknown][] = [];
  for (let id = 0; id < 40; id++) {
    try {
      const { body } = await http.send(
        { method: 'POST', url: `${url}/${id}`, headers: {}, body: 'x' },
        { signal: AbortSignal.timeout(60_000), allowPrivateNetwork: true, redirects: 'write' },
      );
      for await (const _ of body);
    } catch (error) {
      failures.push([String(id), error]);
    }
    // The server closes the connection at about this time.
    await sleep(17 + (id % 8));
  }
  await http.close();
  close();
  expect([...arrived.values()].filter((count) => count > 1)).toEqual([]);
  for (const [id, error] of failures) {
    expect(error).toBeInstanceOf(UnreachableError);
    if (arrived.has(id)) expect(error).toMatchObject({ mayHaveArrived: true });
  }
  expect(sockets.size).toBeGreaterThan(1);
});
