import { expect } from 'vitest';
import { newBrowser, newSignInCode, openBrowserSession, redeem } from '../../test/browser-session.ts';
import { call, type TestServer, test } from '../../test/server.ts';

let server: TestServer;
test.beforeAll(async ({ server: shared }) => {
  server = shared;
});

const newCode = () => newSignInCode(server);
const open = async (code: string, headers?: Record<string, string>) =>
  redeem(server, await newBrowser(), { code, ...(headers && { headers }) });

test('A link opens one session, also for two browsers at once', async () => {
  const code = await newCode();
  const attempts = await Promise.all([open(code), open(code), open(code)]);
  expect(attempts.map(({ status }) => status).sort()).toEqual([201, 410, 410]);
  const { status, json } = await open(code);
  expect({ status, ...json.error }).toEqual({
    status: 410,
    code: 'gone',
    message:
      'This sign-in link was used before, has expired, or is older than the last restart of the server. Run `executor web` for a new one.',
  });
});

test('The cookie is hidden from scripts and other sites, and named after the installation', async () => {
  const { headers } = await open(await newCode());
  const name = `executor_session_${server.engine.installation.id.slice(-8)}`;
  expect(headers.get('set-cookie')).toMatch(
    new RegExp(`^${name}=exs_[\\w-]{43}; Path=/v1; HttpOnly; SameSite=Strict; Expires=`),
  );
});

test('Cookie and key of different sessions are rejected', async () => {
  const [first, second] = [await openBrowserSession(server), await openBrowserSession(server)];
  const { cookie } = first;
  expect((await first.call('GET', '/v1/me')).status).toBe(200);
  expect((await second.call('GET', '/v1/me', { headers: { cookie } })).status).toBe(401);
});

test('An ended session is rejected, and start and end are audited', async () => {
  const session = await openBrowserSession(server);
  const ended = await session.call('DELETE', '/v1/sessions/current');
  expect({ status: ended.status, cookie: ended.headers.get('set-cookie') }).toMatchObject({
    status: 204,
    cookie: expect.stringContaining('Max-Age=0'),
  });
  expect((await session.call('GET', '/v1/me')).status).toBe(401);
  const { items } = (await call(server, 'GET', '/v1/audit?limit=2', { token: server.localToken })).json;
  expect(items.map((entry: { action: string; target: string }) => [entry.action, entry.target])).toEqual([
    ['session.ended', session.id],
    ['session.opened', session.id],
  ]);
});

test('Only a browser session can be signed out', async () => {
  const { status, json } = await call(server, 'DELETE', '/v1/sessions/current', { token: server.localToken });
  expect({ status, code: json.error.code }).toEqual({ status: 400, code: 'invalidRequest' });
});

test('A cookie of the same name from another port does not lock out the page', async () => {
  const session = await openBrowserSession(server);
  const [name, value] = session.cookie.split('=');
  const cookie = `${name}=evil; other=1; ${name}=${value}`;
  expect((await session.call('GET', '/v1/me', { headers: { cookie } })).status).toBe(200);
});

test('A session ends with the key that created its link', async () => {
  const key = (
    await call(server, 'POST', '/v1/api-keys', {
      token: server.localToken,
      body: { name: 'k', kind: 'person' },
    })
  ).json;
  const session = await openBrowserSession(server, { token: key.key });
  expect((await session.call('GET', '/v1/me')).status).toBe(200);
  await call(server, 'DELETE', `/v1/api-keys/${key.id}`, { token: server.localToken });
  expect((await session.call('GET', '/v1/me')).status).toBe(401);
});

test('Behind a TLS proxy the link and the cookie use TLS', async () => {
  const headers = { 'x-forwarded-proto': 'https' };
  const link = await call(server, 'POST', '/v1/sessions/links', { token: server.localToken, headers });
  expect(link.json.url).toMatch(/^https:/);
  const session = await openBrowserSession(server, { headers });
  expect(session.setCookie).toMatch(/; Secure$/);
});

test('Sessions are listed with their browser, and which one asks', async () => {
  await call(server, 'DELETE', '/v1/sessions', { token: server.localToken });
  const userAgent = `Mozilla/5.0 ${'x'.repeat(400)}`;
  const first = await openBrowserSession(server, { headers: { 'user-agent': userAgent } });
  const second = await openBrowserSession(server, { headers: { 'user-agent': 'Firefox/150.0' } });
  const { items } = (await second.call('GET', '/v1/sessions')).json;
  const me = (await second.call('GET', '/v1/me')).json;
  expect(items).toEqual(
    [
      { id: second.id, userAgent: 'Firefox/150.0', current: true },
      { id: first.id, userAgent: userAgent.slice(0, 300), current: false },
    ]
      .sort((one, other) => (one.id < other.id ? 1 : -1))
      .map((session) => ({
        ...session,
        actorId: me.actor.id,
        openedAt: expect.any(String),
        lastUsedAt: expect.any(String),
        expiresAt: expect.any(String),
      })),
  );
  const [{ expiresAt, lastUsedAt }] = items;
  expect(Date.parse(expiresAt) - Date.parse(lastUsedAt)).toBe(12 * 3_600_000);
});

test('A session is ended by its id, once', async () => {
  const [kept, ended] = [await openBrowserSession(server), await openBrowserSession(server)];
  expect((await kept.call('DELETE', `/v1/sessions/${ended.id}`)).status).toBe(204);
  expect((await ended.call('GET', '/v1/me')).status).toBe(401);
  expect((await kept.call('DELETE', `/v1/sessions/${ended.id}`)).status).toBe(404);
  expect((await kept.call('GET', '/v1/me')).status).toBe(200);
});

test('Signing out everywhere ends all sessions, unused links, and open streams at once', async () => {
  const [one, other] = [await openBrowserSession(server), await openBrowserSession(server)];
  const unused = await newCode();
  const stream = await fetch(`${server.url}/v1/events`, {
    headers: await other.headers('GET', '/v1/events'),
  });
  const reader = stream.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);

  const { ended } = (await one.call('DELETE', '/v1/sessions')).json;
  expect(ended).toBeGreaterThanOrEqual(2);
  // The server cuts the connection.
  await expect(
    (async () => {
      while (!(await reader?.read())?.done);
    })(),
  ).rejects.toThrow();
  for (const { call: send } of [one, other]) expect((await send('GET', '/v1/me')).status).toBe(401);
  expect((await open(unused)).status).toBe(410);
});
