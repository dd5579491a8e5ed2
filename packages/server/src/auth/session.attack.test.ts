import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../../store/test/test-database.ts';
import { newBrowser, newSignInCode, openBrowserSession, redeem } from '../../test/browser-session.ts';
import { call, startTestServer } from '../../test/server.ts';

async function newServer(env: NodeJS.ProcessEnv = {}) {
  const server = await startTestServer(env);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

test('A captured request does nothing when it is sent again, to the same server or a restarted one', async () => {
  const server = await newServer();
  const session = await openBrowserSession(server);
  const rename = (name: string, headers: Record<string, string>) =>
    call(server, 'PATCH', '/v1/settings', { headers, body: { workspaceName: name } });
  const bodyOf = (name: string) => JSON.stringify({ workspaceName: name });
  const nameNow = async () =>
    (await call(server, 'GET', '/v1/settings', { token: server.localToken })).json.workspaceName;

  const used = await session.headers('PATCH', '/v1/settings', bodyOf('First'));
  expect((await rename('First', used)).status).toBe(200);
  await call(server, 'PATCH', '/v1/settings', {
    token: server.localToken,
    body: { workspaceName: 'Second' },
  });
  const repeated = await rename('First', used);
  expect([repeated.status, repeated.json.error.code]).toEqual([409, 'conflict']);

  const undelivered = await session.headers('PATCH', '/v1/settings', bodyOf('Third'));
  await server.restart();
  const late = await rename('Third', undelivered);
  expect([late.status, late.json.error.code]).toEqual([401, 'nonceRequired']);
  expect((await rename('Third', { cookie: session.cookie })).status).toBe(401);
  expect(await nameNow()).toBe('Second');

  // The page itself goes on with the nonce of the new process.
  const learning = await session.signer.sign({ method: 'GET', target: '/v1/me', body: undefined });
  learning.learnFrom(await call(server, 'GET', '/v1/me', { headers: { ...learning.headers } }));
  expect((await session.call('GET', '/v1/me')).status).toBe(200);
});

test('A captured signature is worth nothing for another method, path, query or body', async () => {
  const server = await newServer();
  const session = await openBrowserSession(server);
  const attempts: [string, string, object | undefined, number][] = [
    ['DELETE', '/v1/sessions', undefined, 401],
    ['POST', '/v1/sessions/links', undefined, 401],
    ['GET', '/v1/audit?limit=1', undefined, 401],
    ['PATCH', '/v1/settings?x=1', { workspaceName: 'a' }, 401],
    ['PATCH', '/v1/settings', { workspaceName: 'b' }, 400],
    ['PATCH', '/v1/settings', {}, 400],
  ];
  for (const [method, path, body, status] of attempts) {
    const headers = await session.headers('PATCH', '/v1/settings', JSON.stringify({ workspaceName: 'a' }));
    const answer = await call(server, method, path, { headers, ...(body && { body }) });
    expect([method, path, answer.status]).toEqual([method, path, status]);
  }
});

test('A sign-in link that an impostor received opens nothing once the server is back', async () => {
  const server = await newServer();
  const code = await newSignInCode(server);
  await server.restart();
  const late = await redeem(server, await newBrowser(), { code });
  expect([late.status, late.json.error.code]).toEqual([410, 'gone']);
});

test('A captured sign-in opens no session for another key, and none without a signature', async () => {
  const server = await newServer();
  const code = await newSignInCode(server);
  const [page, impostor] = [await newBrowser(), await newBrowser()];
  const refused = [
    await redeem(server, { publicKey: page.publicKey, signer: impostor.signer }, { code }),
    await redeem(server, { publicKey: impostor.publicKey, signer: page.signer }, { code }),
    await call(server, 'POST', '/v1/sessions', { body: { code, publicKey: impostor.publicKey } }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([401, 401, 401]);
  expect((await redeem(server, page, { code })).status).toBe(201);
});

test('Proofs that are malformed or too large are refused without an error of the server', async () => {
  const server = await newServer();
  const { cookie, headers } = await openBrowserSession(server);
  const proof = (await headers('GET', '/v1/me'))['x-executor-proof'] ?? '';
  const [nonces, id, hash, signature = ''] = proof.split(';');
  const forged = [
    '',
    ';;;',
    'x'.repeat(10_000),
    `${nonces};${id};${hash};${'A'.repeat(86)}`,
    `${nonces};${id};${hash};${signature.slice(1)}`,
    `${Array(9).fill(nonces).join(',')};${id};${hash};${signature}`,
  ];
  for (const value of forged) {
    const answer = await call(server, 'GET', '/v1/me', { headers: { cookie, 'x-executor-proof': value } });
    expect(answer.status).toBe(401);
  }
  expect(
    (await call(server, 'GET', '/v1/me', { headers: { cookie, 'x-executor-proof': proof } })).status,
  ).toBe(200);
});

test('On Postgres a page goes on at another server, and an undelivered request is worth nothing there', async () => {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  const env = { EXECUTOR_DATABASE_URL: url };
  const [one, other] = [await newServer(env), await newServer(env)];
  const code = await newSignInCode(one);
  const page = await newBrowser();
  const opened = await redeem(other, page, { code });
  expect(opened.status).toBe(201);
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  const send = async (server: { url: string }) => {
    const signed = await page.signer.sign({ method: 'GET', target: '/v1/me', body: undefined });
    const headers = { cookie, ...signed.headers };
    const answer = await call(server, 'GET', '/v1/me', { headers });
    signed.learnFrom(answer);
    return { headers, status: answer.status };
  };
  // A proxy may alternate. From the second request on, the page knows the nonces of both.
  expect((await send(one)).status).toBe(401);
  for (const server of [one, other, one, other]) expect((await send(server)).status).toBe(200);

  await one.stop();
  const undelivered = await openBrowserSession(other).then(async (session) => {
    await other.restart();
    return session.headers('GET', '/v1/me');
  });
  expect((await call(other, 'GET', '/v1/me', { headers: undelivered })).status).toBe(401);
});
