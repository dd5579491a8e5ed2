import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { Bridge } from './bridge.ts';

test('each request of a list is answered once, also where the client goes before all of them are', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const written: unknown[] = [];
  const bridge = new Bridge({
    server: { access: async () => ({ url, key: 'k' }), lost: () => {}, refused: () => false },
    write: (message) => written.push(message),
  });
  bridge.take(JSON.stringify([1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }))));
  await expect.poll(() => written).toHaveLength(1);
  bridge.leave();
  await bridge.settled();
  bridge.leave();
  expect(written).toMatchObject([
    { id: 1, result: {} },
    { id: 2, error: { message: expect.stringContaining('no answer') } },
  ]);
  server.closeAllConnections();
  server.close();
});
