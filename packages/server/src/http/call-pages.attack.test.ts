import { expect } from 'vitest';
import { call, type TestServer, test } from '../../test/server.ts';

let server: TestServer;
test.beforeAll(async ({ server: shared }) => {
  server = shared;
});

test('Forty pages of calls in flight do not make a person wait for all of them', async () => {
  const { json: key } = await call(server, 'POST', '/v1/api-keys', {
    token: server.localToken,
    body: { name: 'reader', kind: 'agent' },
  });
  const code = `await Promise.all(Array.from({ length: 400 }, (_, n) => tools.notes.list()))`;
  const { json: run } = await call(server, 'POST', '/v1/executions', {
    token: key.key,
    body: { code, waitMs: 60_000, typecheck: false },
  });
  expect(run.status).toBe('completed');
  let answered = 0;
  const path = `/v1/executions/${run.id}/calls?limit=200`;
  const pages = Array.from({ length: 40 }, async () => {
    const page = await call(server, 'GET', path, { token: key.key });
    answered += 1;
    return page.status;
  });
  await pages[0];
  const before = answered;
  const list = await call(server, 'GET', '/v1/interactions?status=pending', { token: server.localToken });
  expect(list.status).toBe(200);
  expect(answered - before).toBeLessThan(25);
  expect(new Set(await Promise.all(pages))).toEqual(new Set([200]));
});
