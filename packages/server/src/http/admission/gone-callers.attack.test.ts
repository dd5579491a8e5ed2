import { request } from 'node:http';
import { expect, test } from 'vitest';
import { call, startTestServer, type TestServer } from '../../../test/server.ts';

let server: TestServer;
test.beforeAll(async () => {
  server = await startTestServer();
});
test.afterAll(() => server[Symbol.asyncDispose]());

test('Callers that disconnect cannot start more work than those who stay', async () => {
  const { json } = await call(server, 'POST', '/v1/api-keys', {
    token: server.localToken,
    body: { name: 'impatient', kind: 'agent' },
  });
  expect((await call(server, 'GET', '/v1/me', { token: json.key })).status).toBe(200);
  const { starts, requests, requestBytes } = server.engine.resources.held;
  const account = { kind: 'agent', key: json.id, workspaceId: json.workspaceId } as const;
  const busy = starts.takeAnyway(account, starts.limits.perKey);
  /** Disconnects when the server has begun to work on it, or has refused it. */
  const send = () =>
    new Promise<number | undefined>((resolve) => {
      const known = starts.usage().waiting;
      const headers = { authorization: `Bearer ${json.key}`, 'content-type': 'application/json' };
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
