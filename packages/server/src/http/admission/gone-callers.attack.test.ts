import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import type { Account } from '@executor/engine';
import { expect, test } from 'vitest';
import { call, startTestServer, type TestServer } from '../../../test/server.ts';

let server: TestServer;
test.beforeAll(async () => {
  server = await startTestServer();
});
test.afterAll(() => server[Symbol.asyncDispose]());

async function newAgent(): Promise<{ token: string; account: Account }> {
  const { json } = await call(server, 'POST', '/v1/api-keys', {
    token: server.localToken,
    body: { name: 'impatient', kind: 'agent' },
  });
  return { token: json.key, account: { kind: 'agent', key: json.id, workspaceId: json.workspaceId } };
}

test('Callers that disconnect cannot start more work than those who stay', async () => {
  const { token, account } = await newAgent();
  const { starts, requests, requestBytes } = server.engine.resources.held;
  const busy = starts.takeAnyway(account, starts.limits.perKey);
  /** Disconnects when the server has begun to work on it, or has refused it. */
  const send = () =>
    new Promise<number | undefined>((resolve) => {
      const known = starts.usage().waiting;
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const sent = request(`${server.url}/v1/executions`, { method: 'POST', headers, agent: false });
      const leave = setInterval(() => {
        if (starts.usage().waiting > known) sent.destroy();
      }, 1);
      sent.on('response', ({ statusCode }) => resolve(statusCode)).on('error', () => resolve(undefined));
      sent.on('close', () => clearInterval(leave));
      sent.end(JSON.stringify({ code: `return "${'x'.repeat(10_000)}".length`, waitMs: 0 }));
    });
  for (let number = 0; number < requests.limits.perKey; number += 1) expect(await send()).toBeUndefined();
  expect(await send()).toBe(429);
  expect(starts.usage().waiting).toBe(requests.limits.perKey);
  expect(requestBytes.usage().used).toBeGreaterThan(10_000 * requests.limits.perKey);
  busy.release();
  await expect
    .poll(() => [starts, requests, requestBytes].map((resource) => resource.usage().used), {
      timeout: 20_000,
    })
    .toEqual([0, 0, 0]);
});

test('Callers that disconnect at once are charged for the work that they leave behind', async () => {
  const { token, account } = await newAgent();
  const { starts, requests, requestBytes } = server.engine.resources.held;
  const busy = starts.takeAnyway(account, starts.limits.perKey);
  const body = JSON.stringify({ code: `return "${'x'.repeat(10_000)}".length`, waitMs: 0, typecheck: false });
  const { hostname, port } = new URL(server.url);
  const head = `POST /v1/executions HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${token}`;
  const text = `${head}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const sent = Array.from({ length: 3 * requests.limits.perKey }, async () => {
    const socket = connect(Number(port), hostname).on('error', () => {});
    socket.end(text);
    socket.resume();
    await once(socket, 'close');
  });
  await Promise.all(sent);
  const waiting = () => starts.usage().waiting;
  await expect.poll(waiting).toBeGreaterThan(0);
  expect(waiting()).toBeLessThanOrEqual(requests.limits.perKey);
  // The others are refused when they have waited for a place.
  await expect.poll(() => requests.usage().used - waiting()).toBe(0);
  expect(requestBytes.usage().used).toBeGreaterThanOrEqual(body.length * waiting());
  busy.release();
  await expect
    .poll(() => [starts, requests, requestBytes].map((resource) => resource.usage().used), {
      timeout: 20_000,
    })
    .toEqual([0, 0, 0]);
});
