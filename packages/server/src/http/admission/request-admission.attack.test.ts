import { connect } from 'node:net';
import type { Account, Hold } from '@executor/engine';
import { expect, onTestFinished, test } from 'vitest';
import { newBrowser, openBrowserSession, redeem } from '../../../test/browser-session.ts';
import { call, startTestServer, type TestServer } from '../../../test/server.ts';

let server: TestServer;
test.beforeAll(async () => {
  server = await startTestServer();
});
test.afterAll(() => server[Symbol.asyncDispose]());

async function newAgent(name: string): Promise<{ token: string; account: Account }> {
  const { json } = await call(server, 'POST', '/v1/api-keys', {
    token: server.localToken,
    body: { name, kind: 'agent' },
  });
  return { token: json.key, account: { kind: 'agent', key: json.id, workspaceId: json.workspaceId } };
}

/** Takes all that an account may hold, as requests in flight would. */
function occupy(account: Account): Hold {
  const { requests } = server.engine.resources.held;
  const hold = requests.takeAnyway(account, requests.limits.perKey);
  onTestFinished(() => hold.release());
  return hold;
}
const me = (token: string) => call(server, 'GET', '/v1/me', { token });
const refusal = {
  status: 429,
  json: { error: { code: 'tooManyRequests', details: { retryAfterSeconds: expect.any(Number) } } },
};

test('A key with too many requests in flight is refused, and nobody else', async () => {
  const [busy, other] = [await newAgent('busy'), await newAgent('other')];
  const hold = occupy(busy.account);
  const [refused, ...answered] = await Promise.all([me(busy.token), me(other.token), me(server.localToken)]);
  expect(refused).toMatchObject(refusal);
  expect(refused?.json.error.details).toMatchObject({ resource: 'requests', perKey: 32 });
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(answered.map(({ status }) => status)).toEqual([200, 200]);
  const waiting = me(busy.token);
  hold.release();
  expect((await waiting).status).toBe(200);
});

test('A key that makes too many requests per second is refused on all of /v1, and at /mcp', async () => {
  const [busy, other] = [await newAgent('fast'), await newAgent('slow')];
  expect((await me(busy.token)).status).toBe(200);
  const { requestRate } = server.engine.resources;
  // Spends what the key regains while the requests are on their way.
  const spending = setInterval(() => {
    while (requestRate.take(busy.account.key, 1) === undefined);
  }, 1);
  onTestFinished(() => clearInterval(spending));
  const refused = async (method: string, path: string) => {
    const { status, headers } = await call(server, method, path, { token: busy.token });
    return status === 429 && Number(headers.get('retry-after')) > 0;
  };
  await expect.poll(() => refused('GET', '/v1/executions'), { timeout: 10_000 }).toBe(true);
  await expect.poll(() => refused('POST', '/mcp'), { timeout: 10_000 }).toBe(true);
  expect((await me(other.token)).status).toBe(200);
  expect((await me(server.localToken)).status).toBe(200);
});

test('Requests with invalid keys are charged to their address, and delay no caller who is known', async () => {
  const known = await newAgent('known');
  expect((await me(known.token)).status).toBe(200);
  const address: Account = { kind: 'agent', key: 'address 127.0.0.1', workspaceId: '' };
  expect((await me(server.localToken)).status).toBe(200);
  const hold = occupy(address);
  const [refused, agent, person] = await Promise.all([
    me('exk_invalid'),
    me(known.token),
    me(server.localToken),
  ]);
  expect(refused).toMatchObject(refusal);
  expect([agent.status, person.status]).toEqual([200, 200]);
  hold.release();
  expect((await me('exk_invalid')).status).toBe(401);
});

test('A person is known from the first request on, and whatever agents send', async () => {
  const { token } = await newAgent('forgetful');
  const fresh = await startTestServer();
  onTestFinished(() => fresh[Symbol.asyncDispose]());
  const { requests } = fresh.engine.resources.held;
  requests.takeAnyway({ kind: 'agent', key: 'address 127.0.0.1', workspaceId: '' }, requests.limits.perKey);
  expect((await call(fresh, 'GET', '/v1/me', { token: fresh.localToken })).status).toBe(200);
  // The same key with other headers is the same caller.
  expect((await me(token)).status).toBe(200);
  const address = occupy({ kind: 'agent', key: 'address 127.0.0.1', workspaceId: '' });
  const variants: Record<string, string>[] = [
    { authorization: `bEaReR    ${token}` },
    { authorization: `Bearer ${token}`, 'x-api-key': 'exk_other' },
    { 'x-api-key': token, cookie: 'executor_session=1' },
  ];
  for (const headers of variants) expect((await call(server, 'GET', '/v1/me', { headers })).status).toBe(200);
  address.release();
});

test('A caller without a valid credential holds no place while it does not read its response', async () => {
  const { requests } = server.engine.resources.held;
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1').pause();
  onTestFinished(() => void socket.destroy());
  const get = (path: string) =>
    `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer exk_invalid\r\n\r\n`;
  socket.write(get('/v1/openapi.json').repeat(20) + get('/v1/me').repeat(12));
  await expect.poll(() => requests.usage().used).toBe(0);
  await expect.poll(async () => (await me('exk_invalid')).status).toBe(401);
});

test('A person signs in, and a new key works at once, while an address and all agents have used up their shares', async () => {
  const address: Account = { kind: 'agent', key: 'address 127.0.0.1', workspaceId: '' };
  const { requests, requestBytes } = server.engine.resources.held;
  const agents = { ...address, key: 'all agents' };
  const holds = [
    requests.takeAnyway(address, requests.limits.perKey),
    requestBytes.takeAnyway(agents, requestBytes.limits.agents),
  ];
  onTestFinished(() => {
    for (const hold of holds) hold.release();
  });
  expect(await redeem(server, await newBrowser(), { code: 'exc_none' })).toMatchObject(refusal);
  const session = await openBrowserSession(server);
  expect((await session.call('GET', '/v1/interactions')).status).toBe(200);
  const { token } = await newAgent('new');
  const headers = { 'x-api-key': token };
  expect((await me(token)).status).toBe(200);
  expect((await call(server, 'GET', '/v1/me', { headers })).status).toBe(200);
});

test('Bodies that are announced but not sent take no room, and those of unknown callers are not read', async () => {
  const { token } = await newAgent('sender');
  const { requestBytes } = server.engine.resources.held;
  const announce = (key: string) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(
      `POST /v1/executions HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n` +
        `content-type: application/json\r\ncontent-length: 7000000\r\n\r\n{`,
    );
    return socket;
  };
  for (let number = 0; number < 10; number += 1) announce(token);
  const answer = await new Promise((resolve) => announce('exk_invalid').once('data', resolve));
  expect(String(answer)).toMatch(/^HTTP\/1.1 401 /);
  expect(String(answer)).toMatch(/connection: close/i);
  expect(requestBytes.usage().used).toBeLessThan(1_000);
});

test('Bodies are charged to the key, and refused if it has no room', async () => {
  const [busy, other] = [await newAgent('large'), await newAgent('small')];
  const { requestBytes } = server.engine.resources.held;
  const hold = requestBytes.takeAnyway(busy.account, requestBytes.limits.perKey);
  onTestFinished(() => hold.release());
  const run = (token: string) =>
    call(server, 'POST', '/v1/executions', {
      token,
      body: { code: `return "${'x'.repeat(300_000)}".length` },
    });
  const [refused, ...answered] = await Promise.all([
    run(busy.token),
    run(other.token),
    run(server.localToken),
  ]);
  expect(refused).toMatchObject(refusal);
  expect(answered.map(({ status }) => status)).toEqual([201, 201]);
});

test('Everything that requests hold is given back', async () => {
  const { token } = await newAgent('tidy');
  await Promise.all([
    me(token),
    me('exk_invalid'),
    call(server, 'GET', '/v1/nothing', { token }),
    call(server, 'POST', '/v1/executions', { token, body: { code: 'return 1', waitMs: 5_000 } }),
    call(server, 'POST', '/v1/executions', { token, body: '{' }),
    call(server, 'POST', '/v1/sessions', { body: { code: 'exc_none' } }),
  ]);
  const { requests, waits, streams, requestBytes } = server.engine.resources.held;
  await expect
    .poll(() => [requests, waits, streams, requestBytes].map((resource) => resource.usage().used))
    .toEqual([0, 0, 0, 0]);
});
