import { request } from 'node:http';
import { proofHeader } from '@executor/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowserSession } from '../../test/browser-session.ts';
import { acceptHeader, approveOnce, connectMcp, createKey, eras, read } from '../../test/mcp-client.ts';
import { call, startTestServer, type TestServer } from '../../test/server.ts';

let server: TestServer;
let agentKey: string;
let personKey: string;
let credentials: Record<string, Record<string, string>>;

beforeAll(async () => {
  server = await startTestServer();
  agentKey = await createKey(server);
  personKey = await createKey(server, 'person');
  const revoked = await call(server, 'POST', '/v1/api-keys', {
    token: server.localToken,
    body: { name: 'r' },
  });
  await call(server, 'DELETE', `/v1/api-keys/${revoked.json.id}`, { token: server.localToken });
  const session = await openBrowserSession(server);
  credentials = {
    anonymous: {},
    'a wrong key': { authorization: 'Bearer exa_wrong' },
    'no proper header': { authorization: 'Basic eDp5' },
    'a revoked key': { authorization: `Bearer ${revoked.json.key}` },
    'a browser session': await session.headers('POST', '/mcp', JSON.stringify(ping)),
    'an agent key': { authorization: `Bearer ${agentKey}` },
    'an agent key as x-api-key': { 'x-api-key': agentKey },
    'a person key': { authorization: `Bearer ${personKey}` },
    'the local token': { authorization: `Bearer ${server.localToken}` },
  };
});
afterAll(async () => server[Symbol.asyncDispose]());

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const write = 'return tools.notes.add({ text: "by myself" })';

function post(body: unknown, headers: Record<string, string>) {
  return call(server, 'POST', '/mcp', { body, headers: { ...acceptHeader, ...headers } });
}

describe('credentials at /mcp', () => {
  for (const name of ['anonymous', 'a wrong key', 'no proper header', 'a revoked key', 'a browser session']) {
    test(`not ${name}`, async () => {
      for (const method of ['POST', 'GET', 'DELETE', 'PUT']) {
        const body = method === 'POST' ? { body: ping } : {};
        const headers = { ...acceptHeader, ...credentials[name] };
        const answer = await call(server, method, '/mcp', { headers, ...body });
        expect([answer.status, answer.json.error.code]).toEqual([401, 'unauthenticated']);
        const reason = credentials[name]?.authorization ? ', error="invalid_token"' : '';
        expect(answer.headers.get('www-authenticate')).toBe(`Bearer realm="executor"${reason}`);
      }
    });
  }

  for (const name of ['an agent key', 'an agent key as x-api-key', 'a person key', 'the local token']) {
    test(`${name}, as an agent`, async () => {
      for (const era of eras) {
        const client = await connectMcp(server, '', { era, headers: credentials[name] ?? {} });
        const { value } = read(await client.callTool({ name: 'execute', arguments: { code: write } }));
        // Agents do not get the id of a question, because they cannot answer it.
        expect(Object.keys(value.interactions[0])).toEqual(['kind', 'prompt', 'url']);
        await client.close();
      }
    });
  }

  test('a person’s credential at /mcp sees neither that person’s runs nor those of other keys', async () => {
    const run = (token: string) =>
      call(server, 'POST', '/v1/executions', { token, body: { code: 'return 7', waitMs: 60_000 } });
    const foreign = [await run(server.localToken), await run(personKey), await run(agentKey)];
    const otherKey = await createKey(server);
    for (const token of [server.localToken, personKey, otherKey]) {
      const client = await connectMcp(server, token);
      for (const { json } of foreign) {
        const args = { executionId: json.id };
        const { value, isError } = read(await client.callTool({ name: 'resume', arguments: args }));
        expect({ isError, code: value.error?.code }).toEqual({ isError: true, code: 'notFound' });
      }
      const own = read(await client.callTool({ name: 'execute', arguments: { code: write } })).value;
      await client.close();
      const again = await connectMcp(server, token, { era: 'legacy' });
      const args = { executionId: own.executionId, waitMs: 0 };
      expect(read(await again.callTool({ name: 'resume', arguments: args })).value.status).toBe('waiting');
      await again.close();
      const seen = await call(server, 'GET', `/v1/executions/${own.executionId}`, {
        token: server.localToken,
      });
      expect(seen.status).toBe(200);
    }
  });
});

describe('pages of other sites', () => {
  test('a foreign origin, another port and a navigation are rejected before authentication', async () => {
    const key = { authorization: `Bearer ${agentKey}` };
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'http://localhost:1' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreign) expect((await post(ping, { ...key, ...headers })).status).toBe(403);
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect((await call(server, 'GET', '/mcp', { headers: { ...key, ...link } })).status).toBe(403);
    const own = { origin: server.url, 'sec-fetch-site': 'same-origin' };
    expect((await post(ping, { ...key, ...own })).status).toBe(200);
  });

  test('a foreign host name is rejected', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = { ...acceptHeader, host: 'rebound.example', authorization: `Bearer ${agentKey}` };
      request(`${server.url}/mcp`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
      })
        .on('response', (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end(JSON.stringify(ping));
    });
    expect(status).toBe(421);
  });
});

describe('an agent that tries to approve its own call', () => {
  async function waitingRun() {
    const client = await connectMcp(server, agentKey);
    const { value } = read(await client.callTool({ name: 'execute', arguments: { code: write } }));
    await client.close();
    const { json } = await call(server, 'GET', '/v1/interactions?status=pending', {
      token: server.localToken,
    });
    const interaction = json.items.find(
      (item: { executionId: string }) => item.executionId === value.executionId,
    );
    return { executionId: value.executionId as string, interactionId: interaction.id as string };
  }

  test('cannot, by arguments, metadata, answers, methods, batches or code', async () => {
    const { executionId, interactionId } = await waitingRun();
    const yes = { action: 'approve', approve: true, content: { approve: true }, interactionId };
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {}, url: {} } },
    };
    const resume = (params: object) => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'resume', arguments: { executionId, waitMs: 0 }, ...params },
    });
    const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'resume' };
    const attempts: [unknown, Record<string, string>?][] = [
      [resume({ arguments: { executionId, waitMs: 0, ...yes } })],
      [resume({ ...yes, _meta: yes })],
      [resume({ _meta: { ...meta, ...yes } }), modern],
      [
        resume({ _meta: meta, inputResponses: { [interactionId]: { action: 'accept', content: yes } } }),
        modern,
      ],
      [
        resume({
          _meta: meta,
          requestState: JSON.stringify(yes),
          inputResponses: { a: { action: 'accept' } },
        }),
        modern,
      ],
      [{ jsonrpc: '2.0', id: interactionId, result: { action: 'accept', content: yes } }],
      [{ jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: yes }],
      [{ jsonrpc: '2.0', id: 1, method: 'interactions/resolve', params: yes }],
      [
        {
          jsonrpc: '2.0',
          method: 'notifications/elicitation/complete',
          params: { elicitationId: interactionId },
        },
      ],
      [[resume({}), { jsonrpc: '2.0', id: 0, result: { action: 'accept', content: yes } }]],
    ];
    for (const [body, headers = {}] of attempts) {
      for (const authorization of [agentKey, personKey, server.localToken]) {
        await post(body, { ...headers, authorization: `Bearer ${authorization}` });
      }
    }
    for (const token of [agentKey, personKey, server.localToken]) {
      const client = await connectMcp(server, token);
      const code = `return await tools.executor.interactions.resolve({ id: "${interactionId}", action: "approve" })`;
      expect(read(await client.callTool({ name: 'execute', arguments: { code } })).isError).toBe(true);
      await client.close();
    }
    const { json } = await call(server, 'GET', `/v1/interactions/${interactionId}`, {
      token: server.localToken,
    });
    expect(json.status).toBe('pending');
    expect(server.notes.notes).toEqual([]);
    await call(server, 'POST', `/v1/executions/${executionId}/cancel`, { token: server.localToken });
  });

  test('gains nothing from a second or partial credential', async () => {
    const { executionId, interactionId } = await waitingRun();
    const page = await openBrowserSession(server);
    const { cookie } = page;
    const agent = { authorization: `Bearer ${agentKey}` };
    const attemptsWith = (session: Record<string, string>): [number, Record<string, string>][] => [
      [403, { ...agent, ...session }],
      [403, { 'x-api-key': agentKey, ...session }],
      [403, { 'x-api-key': agentKey, cookie }],
      [403, { ...agent, 'x-api-key': personKey }],
      [403, { ...agent, 'x-api-key': server.localToken, ...session }],
      [401, { 'x-api-key': `${agentKey}, ${personKey}` }],
      [401, { authorization: `Bearer ${agentKey} ${personKey}`, 'x-api-key': personKey }],
      [401, { authorization: 'Basic eDp5', ...session }],
      [401, { authorization: 'Bearer exa_wrong', 'x-api-key': personKey, ...session }],
      [401, { cookie }],
      [401, { [proofHeader]: session[proofHeader] ?? '' }],
    ];
    for (const [path, body] of [
      [`/v1/interactions/${interactionId}/resolve`, { action: 'approve' }],
      ['/v1/interactions/resolve', { action: 'approve', ids: [interactionId] }],
    ] as const) {
      const attempts = attemptsWith(await page.headers('POST', path, JSON.stringify(body)));
      for (const [expected, headers] of attempts) {
        const { status } = await call(server, 'POST', path, { headers, body });
        expect([Object.keys(headers), path, status]).toEqual([Object.keys(headers), path, expected]);
      }
    }
    const own = await page.call('GET', `/v1/interactions/${interactionId}`);
    expect(own.json.status).toBe('pending');
    expect(server.notes.notes).toEqual([]);
    await call(server, 'POST', `/v1/executions/${executionId}/cancel`, { token: server.localToken });
  });

  test('gains nothing from declaring a dialog', async () => {
    const { executionId } = await waitingRun();
    let asked = 0;
    const user = () => {
      asked += 1;
      return approveOnce;
    };
    for (const era of eras) {
      const client = await connectMcp(server, agentKey, { era, user });
      const { value } = read(
        await client.callTool({ name: 'resume', arguments: { executionId, waitMs: 200 } }),
      );
      expect(value.status).toBe('waiting');
      await client.close();
    }
    expect(asked).toBe(0);
  });
});

describe('invalid and excessive requests', () => {
  const key = () => ({ authorization: `Bearer ${agentKey}` });

  test('bodies that are too large, not JSON, or of another type', async () => {
    const large = await post({ ...ping, params: { text: 'x'.repeat(8 * 1024 * 1024) } }, key());
    expect(large.status).toBe(413);
    const noJson = await post('{', key());
    expect([noJson.status, noJson.json]).toMatchObject([
      400,
      { jsonrpc: '2.0', id: null, error: { code: -32_700 } },
    ]);
    expect((await post(ping, { ...key(), 'content-type': 'text/plain' })).status).toBe(415);
    expect(
      (
        await post(
          Array.from({ length: 51 }, () => ping),
          key(),
        )
      ).status,
    ).toBe(400);
    for (const body of [null, 7, '"text"', [], [null], {}, { jsonrpc: '2.0', id: {}, method: 7 }]) {
      const { status } = await post(body === null ? 'null' : body, key());
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    }
  });

  test('a megabyte of code is accepted', async () => {
    const client = await connectMcp(server, agentKey);
    const code = `return "${'x'.repeat(900_000)}".length`;
    expect(read(await client.callTool({ name: 'execute', arguments: { code } })).value).toBe(900_000);
    await client.close();
  });

  test('other HTTP methods are rejected', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await call(server, method, '/mcp', { headers: { ...acceptHeader, ...key() } });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  test('a key with too many requests gets 429, and other keys do not', async () => {
    const busy = await createKey(server);
    // Messages count like requests. Concurrent batches exceed the limit even on a slow machine.
    const batch = Array.from({ length: 50 }, () => ({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    const authorization = `Bearer ${busy}`;
    const statuses = new Set<number>();
    for (let round = 0; round < 10 && !statuses.has(429); round++) {
      const answers = await Promise.all(Array.from({ length: 40 }, () => post(batch, { authorization })));
      for (const answer of answers) {
        statuses.add(answer.status);
        if (answer.status !== 429) continue;
        expect(answer.json.error.code).toBe('tooManyRequests');
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      }
    }
    expect([...statuses]).toEqual([202, 429]);
    expect((await post(ping, key())).status).toBe(200);
  });

  test('responses have the security headers, and the log has no secrets', async () => {
    const { headers } = await post(ping, key());
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-request-id')).toBeTruthy();
    const log = await server.readLog();
    expect(log).toContain('"/mcp"');
    expect(log).not.toContain(agentKey);
    expect(log).not.toContain('by myself');
  });

  test('programs that look for OAuth metadata get no page', async () => {
    const { status, json } = await call(server, 'GET', '/.well-known/oauth-protected-resource/mcp');
    expect([status, json.error.code]).toEqual([404, 'notFound']);
  });
});
