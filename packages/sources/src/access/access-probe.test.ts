import { afterEach, expect, test } from 'vitest';
import { type LocalServer, startLocalServer } from '../../test/local-server.ts';
import { createHttpClient } from '../http/create-http-client.ts';
import { createAccessProbe } from './access-probe.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

interface Answer {
  status?: number;
  challenge?: string;
  body?: object;
}

async function probe(path: string, answers: (url: string) => Record<string, Answer>) {
  const server: LocalServer = await startLocalServer((request, response) => {
    const { status = 200, challenge, body } = answers(server.url)[request.url ?? ''] ?? { status: 404 };
    response.writeHead(status, challenge === undefined ? {} : { 'www-authenticate': challenge });
    response.end(body && JSON.stringify(body));
  });
  const http = createHttpClient();
  open.push(server, http);
  const found = await createAccessProbe(http).probe(server.url + path, {
    signal: AbortSignal.timeout(2_000),
    allowPrivateNetwork: true,
  });
  return { url: server.url, found };
}

const server = (url: string) => ({
  issuer: url,
  authorization_endpoint: `${url}/authorize`,
  token_endpoint: `${url}/token`,
  scopes_supported: ['read', 'write'],
});

test('the challenge leads to the metadata of the resource and of its authorization server', async () => {
  const { url, found } = await probe('/mcp', (at) => ({
    '/mcp': { status: 401, challenge: `Bearer error="x", resource_metadata="${at}/meta"` },
    '/meta': {
      body: { resource: `${at}/mcp`, authorization_servers: [`${at}/as`], scopes_supported: ['use'] },
    },
    '/.well-known/oauth-authorization-server/as': { body: { ...server(at), issuer: `${at}/as` } },
  }));
  expect(found).toEqual({
    refused: true,
    authorizationServers: [`${url}/as`],
    security: [
      {
        name: 'oauth',
        type: 'oauth2',
        flows: {
          authorizationCode: {
            authorizationUrl: `${url}/authorize`,
            tokenUrl: `${url}/token`,
            scopes: { use: '' },
          },
        },
      },
    ],
  });
});

test.each([
  ['the usual path of the resource', '/mcp', '/.well-known/oauth-protected-resource/mcp', '/mcp'],
  ['the usual path of the host', '/mcp', '/.well-known/oauth-protected-resource', ''],
])('without a challenge, the metadata is at %s', async (_, path, at, resource) => {
  const { url, found } = await probe(path, (own) => ({
    [path]: { status: 405 },
    [at]: { body: { resource: own + resource, authorization_servers: [own] } },
    '/.well-known/openid-configuration': { body: server(own) },
  }));
  expect(found).toMatchObject({
    refused: false,
    authorizationServers: [url],
    security: [{ type: 'oauth2' }],
  });
});

test('a server without metadata of the resource may be its own authorization server', async () => {
  const { url, found } = await probe('/sse', (own) => ({
    '/sse': { status: 401 },
    '/.well-known/oauth-authorization-server': { body: server(own) },
  }));
  expect(found).toMatchObject({ authorizationServers: [url], security: [{ type: 'oauth2' }] });
});

test.each([
  ['Bearer', [{ name: 'bearer', type: 'http', scheme: 'bearer' }]],
  ['Basic realm="a, Bearer b"', [{ name: 'basic', type: 'http', scheme: 'basic' }]],
  ['Digest qop="auth", Basic realm="x"', [{ name: 'basic', type: 'http', scheme: 'basic' }]],
  ['Negotiate', []],
])('the challenge %s says which credential is needed', async (challenge, security) => {
  const { found } = await probe('/', () => ({ '/': { status: 401, challenge } }));
  expect(found).toEqual({ refused: true, authorizationServers: [], security });
});

test('a server that answers without credentials says nothing', async () => {
  const { found } = await probe('/', () => ({ '/': { body: {} } }));
  expect(found).toBeUndefined();
});
