import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@executor/client';
import { expect, test } from 'vitest';
import { startTestServer } from '../test/server.ts';

test('Stopping finishes requests in flight and accepts no new ones', async () => {
  await using server = await startTestServer();
  const { hostname, port } = new URL(server.url);
  const body = JSON.stringify({ name: 'slow' });
  const answer = new Promise<number>((resolve, reject) => {
    const outgoing = request({
      hostname,
      port,
      method: 'POST',
      path: '/v1/api-keys',
      headers: {
        authorization: `Bearer ${server.localToken}`,
        'content-type': 'application/json',
        'content-length': body.length,
      },
    });
    outgoing.on('response', (response) => resolve(response.statusCode ?? 0)).on('error', reject);
    outgoing.write(body.slice(0, 5));
    setTimeout(() => outgoing.end(body.slice(5)), 500);
  });
  await sleep(200);
  const stopped = server.stop();
  await expect(createClient({ url: server.url }).health.get()).rejects.toMatchObject({ code: 'noServer' });
  expect(await answer).toBe(201);
  await stopped;
});

test('A port in use is reported with its process, and the database is closed', async () => {
  const otherServer = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => otherServer.once('listening', resolve));
  const { port } = otherServer.address() as AddressInfo;
  try {
    await expect(startTestServer({ EXECUTOR_PORT: String(port) })).rejects.toMatchObject({
      code: 'portInUse',
      message: expect.stringMatching(
        new RegExp(`^Port ${port} on 127.0.0.1 is in use by process ${process.pid} \\(.*\\)`),
      ),
      details: { pid: process.pid },
    });
  } finally {
    otherServer.close();
  }
});

test('An address of another machine is reported', async () => {
  await expect(startTestServer({ EXECUTOR_HOST: '192.0.2.1' })).rejects.toMatchObject({
    code: 'invalidConfig',
    message: 'Cannot listen on 192.0.2.1:0 (EADDRNOTAVAIL). Set EXECUTOR_HOST to an address of this machine.',
  });
});

test('The server can listen on every address', async () => {
  await using server = await startTestServer({ EXECUTOR_HOST: '0.0.0.0' });
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  expect((await fetch(`http://127.0.0.2:${new URL(server.url).port}/v1/health`)).status).toBe(200);
});
