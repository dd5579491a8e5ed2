import { sessionHeader } from '@executor/protocol';
import { expect } from 'vitest';
import { call, type TestServer, test } from '../../test/server.ts';

let server: TestServer;
test.beforeAll(async ({ server: shared }) => {
  server = shared;
});

async function newCode(): Promise<string> {
  const { json } = await call(server, 'POST', '/v1/sessions/links', { token: server.localToken });
  expect(json.url).toMatch(new RegExp(`^${server.url}/#sign-in=exc_`));
  return new URL(json.url).hash.replace('#sign-in=', '');
}

const open = (code: string) => call(server, 'POST', '/v1/sessions', { body: { code } });

test('A link opens one session, also for two browsers at once', async () => {
  const code = await newCode();
  const attempts = await Promise.all([open(code), open(code), open(code)]);
  expect(attempts.map(({ status }) => status).sort()).toEqual([201, 410, 410]);
  const { status, json } = await open(code);
  expect({ status, ...json.error }).toEqual({
    status: 410,
    code: 'gone',
    message: 'This sign-in link was used before or has expired. Run `executor web` for a new one.',
  });
});

test('The cookie is hidden from scripts and other sites, and named after the installation', async () => {
  const { headers } = await open(await newCode());
  const name = `executor_session_${server.engine.installation.id.slice(-8)}`;
  expect(headers.get('set-cookie')).toMatch(
    new RegExp(`^${name}=exs_[\\w-]{43}; Path=/v1; HttpOnly; SameSite=Strict; Expires=`),
  );
});

test('Cookie and page token of different sessions are rejected', async () => {
  const [first, second] = [await open(await newCode()), await open(await newCode())];
  const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
  const me = (token: string) =>
    call(server, 'GET', '/v1/me', { headers: { cookie, [sessionHeader]: token } });
  expect((await me(first.json.token)).status).toBe(200);
  expect((await me(second.json.token)).status).toBe(401);
});

test('An ended session is rejected, and start and end are audited', async () => {
  const session = await open(await newCode());
  const headers = {
    cookie: session.headers.get('set-cookie')?.split(';')[0] ?? '',
    [sessionHeader]: session.json.token,
  };
  const ended = await call(server, 'DELETE', '/v1/sessions/current', { headers });
  expect({ status: ended.status, cookie: ended.headers.get('set-cookie') }).toMatchObject({
    status: 204,
    cookie: expect.stringContaining('Max-Age=0'),
  });
  expect((await call(server, 'GET', '/v1/me', { headers })).status).toBe(401);
  const { items } = (await call(server, 'GET', '/v1/audit?limit=2', { token: server.localToken })).json;
  expect(items.map((entry: { action: string; target: string }) => [entry.action, entry.target])).toEqual([
    ['session.ended', session.json.id],
    ['session.opened', session.json.id],
  ]);
});

test('Only a browser session can be signed out', async () => {
  const { status, json } = await call(server, 'DELETE', '/v1/sessions/current', { token: server.localToken });
  expect({ status, code: json.error.code }).toEqual({ status: 400, code: 'invalidRequest' });
});

test('A cookie of the same name from another port does not lock out the page', async () => {
  const session = await open(await newCode());
  const [name, value] = (session.headers.get('set-cookie')?.split(';')[0] ?? '').split('=');
  const headers = { cookie: `${name}=evil; other=1; ${name}=${value}`, [sessionHeader]: session.json.token };
  expect((await call(server, 'GET', '/v1/me', { headers })).status).toBe(200);
});

test('A session ends with the key that created its link', async () => {
  const key = (
    await call(server, 'POST', '/v1/api-keys', {
      token: server.localToken,
      body: { name: 'k', kind: 'person' },
    })
  ).json;
  const link = (await call(server, 'POST', '/v1/sessions/links', { token: key.key })).json;
  const session = await open(new URL(link.url).hash.replace('#sign-in=', ''));
  const headers = {
    cookie: session.headers.get('set-cookie')?.split(';')[0] ?? '',
    [sessionHeader]: session.json.token,
  };
  expect((await call(server, 'GET', '/v1/me', { headers })).status).toBe(200);
  await call(server, 'DELETE', `/v1/api-keys/${key.id}`, { token: server.localToken });
  expect((await call(server, 'GET', '/v1/me', { headers })).status).toBe(401);
});

test('Behind a TLS proxy the link and the cookie use TLS', async () => {
  const headers = { 'x-forwarded-proto': 'https' };
  const link = await call(server, 'POST', '/v1/sessions/links', { token: server.localToken, headers });
  expect(link.json.url).toMatch(/^https:/);
  const code = new URL(link.json.url).hash.replace('#sign-in=', '');
  const session = await call(server, 'POST', '/v1/sessions', { body: { code }, headers });
  expect(session.headers.get('set-cookie')).toMatch(/; Secure$/);
});
