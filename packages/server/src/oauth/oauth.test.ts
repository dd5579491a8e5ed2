import { createHmac } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { exportSPKI } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPair, type Pair, startIssuer } from '../../test/issuer.ts';
import { approveAll, approveOnce, connectMcp, createKey, eras, read } from '../../test/mcp-client.ts';
import { call, startTestServer, type TestServer } from '../../test/server.ts';
import { AuthorizationServer } from './authorization-server.ts';
import { ProtectedResource } from './protected-resource.ts';

let issuer: Awaited<ReturnType<typeof startIssuer>>;
let server: TestServer;
let resource: string;
let otherPair: Pair;

beforeAll(async () => {
  issuer = await startIssuer();
  server = await startTestServer({ MCP_AUTHORIZATION_SERVER: issuer.url });
  resource = `${server.url}/mcp`;
  otherPair = await newPair('one');
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const accept = { accept: 'application/json, text/event-stream' };

function post(token: string | undefined, init: { path?: string; headers?: Record<string, string> } = {}) {
  const headers = { ...accept, ...(token && { authorization: `Bearer ${token}` }), ...init.headers };
  return call(server, 'POST', init.path ?? '/mcp', { body: ping, headers });
}

/** A request with a chosen Host header. */
async function postAs(host: string, token: string) {
  const headers = { ...accept, host, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(`${server.url}/mcp`, { method: 'POST', headers }, resolve);
    sent.on('error', reject).end(JSON.stringify(ping));
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever was answered
  const body = (await json(response)) as any;
  return { status: response.statusCode, body, challenge: response.headers['www-authenticate'] };
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const seconds = () => Math.floor(Date.now() / 1_000);
const metadataUrl = () => `${server.url}/.well-known/oauth-protected-resource/mcp`;

describe('an invalid token', () => {
  const forged: [string, RegExp, () => string | Promise<string>][] = [
    [
      'signed with nothing',
      /algorithm/,
      async () => {
        const [, payload] = (await issuer.sign(resource)).split('.');
        return `${encoded({ alg: 'none', kid: 'one' })}.${payload}.`;
      },
    ],
    [
      'signed with the public key as a shared secret',
      /algorithm/,
      async () => {
        const [, payload] = (await issuer.sign(resource)).split('.');
        const text = `${encoded({ alg: 'HS256', kid: 'one' })}.${payload}`;
        const secret = await exportSPKI((issuer.state.keys[0] as Pair).publicKey);
        return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
      },
    ],
    ['signed by another key of the same name', /signature/, () => issuer.sign(resource, { key: otherPair })],
    [
      'changed after it was signed',
      /signature/,
      async () => {
        const [header, payload, signature] = (await issuer.sign(resource)).split('.');
        const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString());
        return `${header}.${encoded({ ...claims, sub: 'eve' })}.${signature}`;
      },
    ],
    [
      'of another issuer',
      /not from/,
      () => issuer.sign(resource, { claims: { iss: 'https://evil.example' } }),
    ],
    ['for another resource', /is for "https:/, () => issuer.sign('https://other.example/mcp')],
    ['for another path', /not for/, () => issuer.sign(`${server.url}/`)],
    ['without an audience', /no "aud"/, () => issuer.sign(resource, { claims: { aud: undefined as never } })],
    ['that has expired', /expired/, () => issuer.sign(resource, { claims: { exp: seconds() - 60 } })],
    ['that never expires', /no "exp"/, () => issuer.sign(resource, { claims: { exp: undefined as never } })],
    [
      'that is not valid yet',
      /not valid yet/,
      () => issuer.sign(resource, { claims: { nbf: seconds() + 600 } }),
    ],
    ['of no subject', /no "sub"/, () => issuer.sign(resource, { claims: { sub: undefined as never } })],
    [
      'of a subject that is a number',
      /"sub".*42/,
      () => issuer.sign(resource, { claims: { sub: 42 as never } }),
    ],
    ['of a subject without a name', /"sub"/, () => issuer.sign(resource, { claims: { sub: '' } })],
    [
      'of no client: all clients of its subject would be one',
      /does not name its client/,
      () => issuer.sign(resource, { claims: { client_id: undefined } }),
    ],
    [
      'of a client that is a list',
      /"client_id"/,
      () => issuer.sign(resource, { claims: { client_id: ['a'], azp: 'b' } }),
    ],
    ['that is no access token', /type/, () => issuer.sign(resource, { header: { typ: 'logout+jwt' } })],
    [
      'that is bound to a key of its client',
      /bound/,
      () => issuer.sign(resource, { claims: { cnf: { jkt: 'x' } } }),
    ],
    [
      'with a name of a key that is a path',
      /not signed with a key/,
      () => issuer.sign(resource, { header: { kid: '../../../../dev/null' } }),
    ],
    [
      'with a name of a key that is code',
      /not signed with a key/,
      () => issuer.sign(resource, { header: { kid: "one' or '1'='1" } }),
    ],
    [
      'that brings its own key',
      /signature/,
      () => issuer.sign(resource, { key: otherPair, header: { jwk: otherPair.jwk } }),
    ],
    [
      'that says where its key is',
      /signature/,
      () =>
        issuer.sign(resource, {
          key: otherPair,
          header: { jku: `${issuer.url}/attacker`, x5u: `${issuer.url}/attacker` },
        }),
    ],
    [
      'that must be understood in full',
      /not a signed token/,
      async () => {
        const [, payload, signature] = (await issuer.sign(resource)).split('.');
        return `${encoded({ alg: 'ES256', kid: 'one', crit: ['exp'], exp: 1 })}.${payload}.${signature}`;
      },
    ],
    ['that is huge', /longer than/, () => issuer.sign(resource, { claims: { fill: 'x'.repeat(10_000) } })],
    ['that is encrypted', /not a signed token/, () => 'a.b.c.d.e'],
    ['that is none', /not a signed token/, () => `${encoded({ alg: 'ES256' })}.x`],
    ['that is opaque', /Opaque tokens are not accepted/, () => 'a1b2c3d4e5f6'],
  ];

  for (const [name, reason, token] of forged) {
    test(name, async () => {
      const answer = await post(await token());
      expect(answer).toMatchObject({ status: 401, json: { error: { code: 'unauthenticated' } } });
      expect(answer.json.error.message).toMatch(reason);
      const challenge = answer.headers.get('www-authenticate') ?? '';
      expect(challenge).toContain(`resource_metadata="${metadataUrl()}"`);
      expect(challenge).toContain('error="invalid_token", error_description="');
      expect(issuer.state.requests).not.toContain('/attacker');
    });
  }

  test('without the required scope', async () => {
    for (const scope of [undefined, '', 'openid', 'executor:agents', 'executor', ['executor:agent openid']]) {
      const isGranted = Array.isArray(scope);
      const answer = await post(await issuer.sign(resource, { claims: { scope: scope as never } }));
      // A list instead of a text has the same meaning.
      expect(answer.status).toBe(isGranted ? 200 : 403);
      if (isGranted) continue;
      expect(answer.json.error.code).toBe('forbidden');
      const challenge = answer.headers.get('www-authenticate');
      expect(challenge).toContain(`resource_metadata="${metadataUrl()}"`);
      expect(challenge).toContain('scope="executor:agent", error="insufficient_scope"');
    }
  });

  test('in the query, in a form, in x-api-key, or as another scheme', async () => {
    const token = await issuer.sign(resource);
    const attempts = [
      await post(undefined, { path: `/mcp?access_token=${token}` }),
      await post(undefined, { headers: { 'x-api-key': token } }),
      await post(undefined, { headers: { authorization: `DPoP ${token}` } }),
      await post(undefined, { headers: { cookie: `access_token=${token}` } }),
    ];
    expect(attempts.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect(await server.readLog()).not.toContain(token);
  });

  test('for another server of this machine, whatever Host says', async () => {
    for (const host of ['localhost:9999', '127.0.0.1:9999', '[::1]:9999', 'localhost']) {
      const answer = await postAs(host, await issuer.sign(`http://${host}/mcp`));
      expect([answer.status, answer.body.error?.code], host).toEqual([401, 'unauthenticated']);
      expect(answer.body.error.message).toContain('config set publicUrl');
      // A client that fetches a new token would get one that is rejected too.
      expect(answer.challenge).not.toContain('resource_metadata');
    }
  });

  test('from another machine, without a configured publicUrl', async () => {
    const { port } = new URL(server.url);
    const withUrl = (publicUrl?: string) =>
      new ProtectedResource({
        server: new AuthorizationServer({ issuer: issuer.url }),
        clients: server.engine.oauthClients,
        publicUrl,
      });
    const from = (localAddress: string) => ({ host: `localhost:${port}`, localAddress, localPort: +port });
    for (const address of ['10.0.0.5', '::ffff:10.0.0.5', 'fe80::1', '1127.0.0.1', '']) {
      await expect(withUrl().admit('a.b.c', from(address))).rejects.toThrow(/publicUrl/);
      await expect(withUrl().metadata(from(address))).rejects.toMatchObject({ code: 'notFound' });
      const named = await withUrl('https://executor.example.com').metadata(from(address));
      expect(named.resource).toBe('https://executor.example.com/mcp');
    }
    for (const address of ['127.0.0.1', '127.1.2.3', '::ffff:127.0.0.1', '::1'])
      expect((await withUrl().metadata(from(address))).resource).toBe(`http://localhost:${port}/mcp`);
  });

  test('anywhere but at /mcp', async () => {
    const token = await issuer.sign(resource);
    for (const path of ['/v1/me', '/v1/executions', '/v1/interactions']) {
      expect((await call(server, 'GET', path, { token })).status).toBe(401);
    }
  });
});

describe('a valid token', () => {
  test('runs code as an agent in both eras, and keys keep working', async () => {
    const tokens = [await issuer.sign(resource), await createKey(server)];
    for (const token of tokens) {
      for (const era of eras) {
        const client = await connectMcp(server, token, { era });
        const code = 'return tools.notes.add({ text: "by a token" })';
        const { value } = read(await client.callTool({ name: 'execute', arguments: { code } }));
        // Agents do not get the id of a question, because they cannot answer it.
        expect(Object.keys(value.interactions[0])).toEqual(['kind', 'prompt', 'url']);
        await approveAll(server, value.executionId);
        const args = { executionId: value.executionId };
        expect(read(await client.callTool({ name: 'resume', arguments: args })).value).toMatchObject({
          text: 'by a token',
        });
        await client.close();
      }
    }
  });

  test('cannot approve in a dialog of its client', async () => {
    let asked = 0;
    const user = () => {
      asked += 1;
      return approveOnce;
    };
    const token = await issuer.sign(resource);
    for (const era of eras) {
      const client = await connectMcp(server, token, { era, user });
      const args = { code: 'return tools.notes.add({ text: "by a dialog" })', waitMs: 60_000 };
      const { value } = read(await client.callTool({ name: 'execute', arguments: args }));
      expect(value.status).toBe('waiting');
      await client.close();
    }
    expect(asked).toBe(0);
    expect(server.notes.notes).not.toContain('by a dialog');
  });

  test('is identified by subject and client, and others cannot see its runs', async () => {
    const execute = async (token: string) => {
      const client = await connectMcp(server, token);
      const args = { code: 'return tools.notes.add({ text: "mine" })' };
      const { value } = read(await client.callTool({ name: 'execute', arguments: args }));
      await client.close();
      return value.executionId as string;
    };
    const statusFor = async (token: string, executionId: string) => {
      const client = await connectMcp(server, token);
      const args = { executionId, waitMs: 0 };
      const { value } = read(await client.callTool({ name: 'resume', arguments: args }));
      await client.close();
      return value.status ?? value.error.code;
    };
    const id = await execute(await issuer.sign(resource));
    expect(await statusFor(await issuer.sign(resource, { claims: { jti: 'renewed' } }), id)).toBe('waiting');
    const others = [{ sub: 'eve' }, { client_id: 'other' }, { client_id: undefined, azp: 'other' }];
    for (const claims of others) {
      expect(await statusFor(await issuer.sign(resource, { claims }), id)).toBe('notFound');
    }
    expect(await statusFor(await createKey(server), id)).toBe('notFound');
    expect(await statusFor(server.localToken, id)).toBe('notFound');
    const seen = await call(server, 'GET', `/v1/executions/${id}`, { token: server.localToken });
    expect(seen.json).toMatchObject({ id, status: 'waiting' });
  });

  test('is audited once, with its subject and client', async () => {
    const claims = { sub: 'grace', client_id: `\u0000${'x'.repeat(400)}` };
    const token = await issuer.sign(resource, { claims });
    for (let asked = 0; asked < 3; asked++) expect((await post(token)).status).toBe(200);
    await server.restart();
    expect((await post(token)).status).toBe(200);
    const audit = await call(server, 'GET', '/v1/audit?limit=100', { token: server.localToken });
    const entries = audit.json.items.filter(
      ({ details }: { details?: { subject?: string } }) => details?.subject === 'grace',
    );
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      action: 'oauth.clientAdmitted',
      credential: 'oauth',
      credentialId: entries[0].target,
      target: expect.stringMatching(/^oauth_/),
      details: { issuer: issuer.url, subject: 'grace', clientId: `\ufffd${'x'.repeat(299)}` },
    });
  });

  test('may have its scope as scp, several audiences, and a small clock skew', async () => {
    const claims = [
      { scope: undefined, scp: ['openid', 'executor:agent'] },
      { scope: undefined, scp: 'openid executor:agent' },
      { aud: ['https://other.example', resource] },
      { exp: seconds() - 5 },
      { nbf: seconds() + 5 },
    ];
    for (const claim of claims) {
      expect((await post(await issuer.sign(resource, { claims: claim as never }))).status).toBe(200);
    }
    expect((await post(await issuer.sign(resource, { header: { typ: 'JWT' } }))).status).toBe(200);
  });

  test('is valid for the address of the request', async () => {
    const port = new URL(server.url).port;
    const other = { url: `http://localhost:${port}` };
    const token = await issuer.sign(`${other.url}/mcp`);
    expect((await post(token)).status).toBe(401);
    const headers = { ...accept, authorization: `Bearer ${token}` };
    expect((await call(other, 'POST', '/mcp', { body: ping, headers })).status).toBe(200);
    const { json } = await call(other, 'GET', '/.well-known/oauth-protected-resource');
    expect(json.resource).toBe(`${other.url}/mcp`);
  });
});

describe('challenges and metadata', () => {
  test('without a credential name the metadata and no error', async () => {
    const { status, headers, json } = await post(undefined);
    expect([status, json.error.code]).toEqual([401, 'unauthenticated']);
    expect(json.error.message).toContain(issuer.url);
    expect(headers.get('www-authenticate')).toBe(
      `Bearer realm="executor", resource_metadata="${metadataUrl()}", scope="executor:agent"`,
    );
  });

  test('of the resource are at both locations', async () => {
    for (const path of ['', '/mcp']) {
      const { status, json } = await call(server, 'GET', `/.well-known/oauth-protected-resource${path}`);
      expect([status, json]).toEqual([
        200,
        {
          resource,
          resource_name: 'Executor',
          authorization_servers: [issuer.url],
          scopes_supported: ['executor:agent'],
          bearer_methods_supported: ['header'],
        },
      ]);
    }
  });

  test('of the authorization server are forwarded unchanged', async () => {
    const { status, json } = await call(server, 'GET', '/.well-known/oauth-authorization-server');
    expect([status, json]).toEqual([200, { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` }]);
  });

  test('are not sent to pages of other sites', async () => {
    const headers = { origin: 'https://evil.example' };
    expect((await call(server, 'GET', '/.well-known/oauth-protected-resource', { headers })).status).toBe(
      403,
    );
  });
});

test('A server with a public URL accepts only tokens for that URL', async () => {
  await using own = await startTestServer({
    MCP_AUTHORIZATION_SERVER_URL: issuer.url,
    EXECUTOR_PUBLIC_URL: 'https://executor.example.com/',
  });
  const { json } = await call(own, 'GET', '/.well-known/oauth-protected-resource/mcp');
  expect(json.resource).toBe('https://executor.example.com/mcp');
  const statusOf = async (audience: string) => {
    const headers = { ...accept, authorization: `Bearer ${await issuer.sign(audience)}` };
    return (await call(own, 'POST', '/mcp', { body: ping, headers })).status;
  };
  expect(await statusOf('https://executor.example.com/mcp')).toBe(200);
  expect(await statusOf(`${own.url}/mcp`)).toBe(401);
  const { headers } = await call(own, 'POST', '/mcp', { body: ping, headers: accept });
  expect(headers.get('www-authenticate')).toContain(
    'resource_metadata="https://executor.example.com/.well-known/oauth-protected-resource/mcp"',
  );
});

test('A server that cannot reach its authorization server says so, and accepts keys', async () => {
  await using away = await startIssuer();
  away.state.isAway = true;
  await using own = await startTestServer({ MCP_AUTHORIZATION_SERVER: away.url });
  const headers = { ...accept, authorization: `Bearer ${await away.sign(`${own.url}/mcp`)}` };
  const answers = [];
  for (let asked = 0; asked < 20; asked++) {
    answers.push(await call(own, 'POST', '/mcp', { body: ping, headers }));
  }
  for (const { status, json } of answers) {
    expect([status, json.error.code]).toEqual([502, 'unreachable']);
    expect(json.error.message).toMatch(/^The authorization server cannot be used: .*503/);
  }
  // One request for each location. Clients cannot cause more.
  expect(away.state.requests.length).toBe(2);
  const key = await createKey(own);
  expect((await call(own, 'POST', '/mcp', { body: ping, token: key, headers: accept })).status).toBe(200);
});
