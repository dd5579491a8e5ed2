import { createHash, randomBytes } from 'node:crypto';
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAuthorizationSuite } from '../../test/conformance/authorization-suite.ts';
import { eras, read } from '../../test/mcp-client.ts';
import { browse, startOidcProvider } from '../../test/oidc-provider.ts';
import { call, startTestServer, type TestServer } from '../../test/server.ts';

let provider: Awaited<ReturnType<typeof startOidcProvider>>;
let server: TestServer;

beforeAll(async () => {
  provider = await startOidcProvider({ login: 'ada', grants: ['executor:agent'] });
  server = await startTestServer({ MCP_AUTHORIZATION_SERVER: provider.url });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

const redirectUrl = 'http://127.0.0.1:9/callback';

/** The state that an MCP client keeps while it gets a token. */
class ClientMemory implements OAuthClientProvider {
  readonly redirectUrl = redirectUrl;
  readonly clientMetadata = {
    client_name: 'A client of the tests',
    redirect_uris: [redirectUrl],
    application_type: 'native' as const,
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
  };
  authorizationUrl: URL | undefined;
  #information: StoredOAuthClientInformation | undefined;
  #tokens: StoredOAuthTokens | undefined;
  #verifier = '';
  #discovered: OAuthDiscoveryState | undefined;

  clientInformation = () => this.#information;
  saveClientInformation = (information: StoredOAuthClientInformation) => {
    this.#information = information;
  };
  tokens = () => this.#tokens;
  saveTokens = (tokens: StoredOAuthTokens) => {
    this.#tokens = tokens;
  };
  redirectToAuthorization = (url: URL) => {
    this.authorizationUrl = url;
  };
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier;
  };
  codeVerifier = () => this.#verifier;
  saveDiscoveryState = (discovered: OAuthDiscoveryState) => {
    this.#discovered = discovered;
  };
  discoveryState = () => this.#discovered;
}

/** Connects with only the address of the server, and signs in. */
async function signIn(era: (typeof eras)[number]) {
  const memory = new ClientMemory();
  const connect = async () => {
    const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode: era } });
    const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
      authProvider: memory,
    });
    return { client, transport, connecting: client.connect(transport) };
  };
  const first = await connect();
  await expect(first.connecting).rejects.toThrow(/unauthorized/i);
  const back = await browse(memory.authorizationUrl as URL, redirectUrl);
  await first.transport.finishAuth(back.searchParams);
  await first.client.close();
  return { memory, connect };
}

for (const era of eras) {
  test(`a client of the ${era === 'legacy' ? 'session era' : 'protocol of 2026-07-28'} discovers, registers, signs in and runs code`, async () => {
    const { memory, connect } = await signIn(era);
    const { searchParams } = memory.authorizationUrl as URL;
    expect(Object.fromEntries(searchParams)).toMatchObject({
      resource: `${server.url}/mcp`,
      scope: expect.stringContaining('executor:agent'),
      code_challenge_method: 'S256',
    });
    expect(decodeJwt(memory.tokens()?.access_token ?? '')).toMatchObject({
      iss: provider.url,
      aud: `${server.url}/mcp`,
      sub: 'ada',
      scope: 'executor:agent',
    });
    const { client, connecting } = await connect();
    await connecting;
    const answer = await client.callTool({ name: 'execute', arguments: { code: 'return 6 * 7' } });
    expect(read(answer).value).toBe(42);
    await client.close();
  });
}

describe('two clients of one user', () => {
  test('cannot see each other’s runs, nor those of another user', async () => {
    const clients = [await signIn('auto'), await signIn('auto')];
    provider.visitor.login = 'eve';
    clients.push(await signIn('auto'));
    provider.visitor.login = 'ada';
    const open = await Promise.all(clients.map(({ connect }) => connect()));
    await Promise.all(open.map(({ connecting }) => connecting));
    const args = { code: 'return tools.notes.add({ text: "x" })' };
    const [first] = open.map(({ client }) => client) as [Client];
    const own = read(await first.callTool({ name: 'execute', arguments: args })).value;
    const seen = [];
    for (const { client } of open) {
      const { executionId } = own;
      const resumed = await client.callTool({ name: 'resume', arguments: { executionId, waitMs: 0 } });
      const { value } = read(resumed);
      seen.push(value.status ?? value.error.code);
      await client.close();
    }
    expect(seen).toEqual(['waiting', 'notFound', 'notFound']);
  });
});

async function register(): Promise<string> {
  const registered = await fetch(`${provider.url}/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(new ClientMemory().clientMetadata),
  });
  return (await registered.json()).client_id;
}

/** Gets tokens by the authorization code flow with PKCE. */
async function obtain(asked: { resource?: string; scope: string }): Promise<Record<string, string>> {
  const clientId = await register();
  const verifier = randomBytes(32).toString('base64url');
  const address = new URL(`${provider.url}/auth`);
  address.search = String(
    new URLSearchParams({
      ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUrl, ...asked },
      ...{ code_challenge: createHash('sha256').update(verifier).digest('base64url') },
      ...{ code_challenge_method: 'S256' },
    }),
  );
  const code = (await browse(address, redirectUrl)).searchParams.get('code') ?? '';
  const answered = await fetch(`${provider.url}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', client_id: clientId, redirect_uri: redirectUrl },
      ...{ code, code_verifier: verifier, ...(asked.resource && { resource: asked.resource }) },
    }),
  });
  return answered.json();
}

/** Sends a request to `/mcp` with only a token. */
async function ping(token: string) {
  const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const headers = { accept: 'application/json, text/event-stream' };
  const answered = await call(server, 'POST', '/mcp', { token, body, headers });
  const challenge = answered.headers.get('www-authenticate') ?? '';
  return { status: answered.status, challenge, message: answered.json?.error?.message };
}

test('A token without the scope is rejected with the missing scope', async () => {
  provider.visitor.grants = [];
  const { memory } = await signIn('auto');
  provider.visitor.grants = ['executor:agent'];
  const token = memory.tokens()?.access_token ?? '';
  expect(decodeJwt(token).scope ?? '').toBe('');
  const { status, challenge } = await ping(token);
  expect(status).toBe(403);
  expect(challenge).toContain('scope="executor:agent", error="insufficient_scope"');
});

describe('tokens of the same server that are rejected', () => {
  const refused: [string, RegExp, { resource?: string; scope: string }, 'access_token' | 'id_token'][] = [
    [
      'a token for another resource',
      /is for "https:\/\/other\.example\/mcp"/,
      { resource: 'https://other.example/mcp', scope: 'executor:agent' },
      'access_token',
    ],
    ['an opaque token', /Opaque tokens are not accepted/, { scope: 'openid executor:agent' }, 'access_token'],
    ['what says who signed in', /not for/, { scope: 'openid executor:agent' }, 'id_token'],
  ];
  for (const [name, reason, asked, kind] of refused) {
    test(name, async () => {
      const { status, challenge, message } = await ping((await obtain(asked))[kind] ?? '');
      expect([status, message]).toEqual([401, expect.stringMatching(reason)]);
      const metadata = `${server.url}/.well-known/oauth-protected-resource/mcp`;
      expect(challenge).toContain(`resource_metadata="${metadata}"`);
      expect(challenge).toContain('scope="executor:agent"');
      expect(challenge).toContain('error="invalid_token"');
    });
  }
});

test('A client whose token expired gets another one without its user', async () => {
  const { memory, connect } = await signIn('auto');
  const { access_token: old = '', ...rest } = memory.tokens() as StoredOAuthTokens;
  const [header, payload] = old.split('.');
  memory.saveTokens({ ...rest, access_token: `${header}.${payload}.${'A'.repeat(86)}` });
  expect(await ping(memory.tokens()?.access_token ?? '')).toMatchObject({ status: 401 });
  memory.authorizationUrl = undefined;
  const { client, connecting } = await connect();
  await connecting;
  const answer = await client.callTool({ name: 'execute', arguments: { code: 'return 6 * 7' } });
  expect(read(answer).value).toBe(42);
  expect(memory.authorizationUrl).toBeUndefined();
  await client.close();
});

test('The metadata of the provider is forwarded, with its registration endpoint', async () => {
  const path = '/.well-known/oauth-authorization-server';
  const { json } = await call(server, 'GET', path);
  expect(json).toEqual(await (await fetch(`${provider.url}${path}`)).json());
  expect(json).toMatchObject({ issuer: provider.url, registration_endpoint: `${provider.url}/reg` });
});

test('The official suite accepts the authorization server and its tokens for this resource', async () => {
  const clientId = await register();
  const checks = await runAuthorizationSuite({
    issuer: provider.url,
    clientId,
    resource: `${server.url}/mcp`,
    visit: (address, back) => {
      // The suite requests no scope, and this provider then grants none.
      address.searchParams.set('scope', 'executor:agent');
      return browse(address, back);
    },
  });
  expect(checks.map(({ id, status }) => [id, status])).toEqual([
    ['authorization-code-grant', 'SUCCESS'],
    ['authorization-server-metadata', 'SUCCESS'],
    // Clients of this provider register themselves instead.
    ['authorization-server-metadata-cimd', 'WARNING'],
  ]);
});
