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

/** What an agent program keeps for itself while it gets a token. */
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

/** Connects with nothing but the address of the server, and signs in on the way. */
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

describe('two clients of one person', () => {
  test('do not find each other’s runs, and neither finds those of another person', async () => {
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

test('a token without the scope is refused with what is missing', async () => {
  provider.visitor.grants = [];
  const { memory } = await signIn('auto');
  provider.visitor.grants = ['executor:agent'];
  const token = memory.tokens()?.access_token ?? '';
  expect(decodeJwt(token).scope ?? '').toBe('');
  const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const headers = { accept: 'application/json, text/event-stream' };
  const { status, headers: answered } = await call(server, 'POST', '/mcp', { token, body, headers });
  expect(status).toBe(403);
  expect(answered.get('www-authenticate')).toContain('scope="executor:agent", error="insufficient_scope"');
});
