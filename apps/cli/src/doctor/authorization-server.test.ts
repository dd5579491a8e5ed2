import { type Config, loadConfig, resolveFolders } from '@executor/home';
import { expect, test } from 'vitest';
import { startIssuer } from '../../../../packages/server/test/issuer.ts';
import { checkAuthorizationServer } from './authorization-server.ts';

const folders = resolveFolders({ EXECUTOR_HOME: '/nowhere/at/all' });

function configWith(env: Record<string, string>): { config: Config } {
  return { config: loadConfig({ folders, env }) };
}

test('There is no check if no authorization server is configured', async () => {
  expect(await checkAuthorizationServer(configWith({}))).toEqual([]);
});

test('A server that answers passes, and the check says whether clients can register', async () => {
  await using issuer = await startIssuer();
  const installation = configWith({ MCP_AUTHORIZATION_SERVER: issuer.url });
  expect(await checkAuthorizationServer(installation)).toEqual([
    {
      name: 'sign-in',
      state: 'ok',
      message: `${issuer.url} answers; clients must be registered there manually`,
    },
  ]);
  issuer.state.metadata = { registration_endpoint: `${issuer.url}/register` };
  expect(await checkAuthorizationServer(installation)).toMatchObject([
    { state: 'ok', message: `${issuer.url} answers; clients can register` },
  ]);
});

test('A server without keys, or that answers an error, fails with its response', async () => {
  await using issuer = await startIssuer();
  const installation = configWith({ MCP_AUTHORIZATION_SERVER: issuer.url });
  issuer.state.metadata = { jwks_uri: `${issuer.url}/nothing` };
  expect(await checkAuthorizationServer(installation)).toMatchObject([
    { state: 'failed', message: expect.stringContaining('/nothing answers 404') },
  ]);
  issuer.state.isAway = true;
  expect(await checkAuthorizationServer(installation)).toMatchObject([
    {
      state: 'failed',
      message: expect.stringContaining('answers 503'),
      fix: expect.stringContaining('MCP_AUTHORIZATION_SERVER'),
    },
  ]);
});

test('An installation behind a proxy without a public URL gets a warning', async () => {
  await using issuer = await startIssuer();
  const behind = {
    MCP_AUTHORIZATION_SERVER: issuer.url,
    EXECUTOR_ALLOWED_HOSTS: 'executor.example.com',
  };
  expect(await checkAuthorizationServer(configWith(behind))).toMatchObject([
    { state: 'warning', fix: expect.stringContaining('publicUrl https://executor.example.com') },
  ]);
  const registered = { ...behind, EXECUTOR_PUBLIC_URL: 'https://executor.example.com' };
  expect(await checkAuthorizationServer(configWith(registered))).toMatchObject([{ state: 'ok' }]);
});
