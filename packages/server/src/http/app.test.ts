import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, startTestServer, type TestServer } from '../../test/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ EXECUTOR_ALLOWED_HOSTS: 'executor.example.com' });
});
afterAll(async () => server[Symbol.asyncDispose]());

const person = () => ({ token: server.localToken });

describe('answers', () => {
  test('health needs no credential and reports the version', async () => {
    const { status, json } = await call(server, 'GET', '/v1/health');
    expect({ status, json }).toEqual({
      status: 200,
      json: {
        status: 'ok',
        name: 'executor',
        version: '1.2.3',
        installationId: server.engine.installation.id,
        database: 'ok',
      },
    });
  });

  test('me names the person, the workspace and the server', async () => {
    const { json } = await call(server, 'GET', '/v1/me', person());
    const { actorId, workspaceId } = server.engine.installation.owner;
    expect(json).toMatchObject({
      principal: { kind: 'person', credential: 'localToken', actorId, workspaceId },
      workspace: { id: workspaceId, name: 'Default' },
      organization: { name: 'Personal' },
      server: { version: '1.2.3', database: 'pglite' },
    });
  });

  test('settings can be read and changed, and the change is audited', async () => {
    const changed = await call(server, 'PATCH', '/v1/settings', {
      ...person(),
      body: { workspaceName: 'Lab' },
    });
    expect({ status: changed.status, json: changed.json }).toEqual({
      status: 200,
      json: { workspaceName: 'Lab', limits: expect.anything(), retentionDays: 30, answerWithinHours: null },
    });
    expect((await call(server, 'GET', '/v1/settings', person())).json).toEqual(changed.json);
    const { items } = (await call(server, 'GET', '/v1/audit?limit=1', person())).json;
    expect(items[0]).toMatchObject({
      action: 'settings.changed',
      details: { workspaceName: { from: 'Default', to: 'Lab' } },
    });
  });

  test('every response has a request id, the caller’s own if it is valid', async () => {
    expect(
      (await call(server, 'GET', '/v1/health', { headers: { 'x-request-id': 'abc-1' } })).headers.get(
        'x-request-id',
      ),
    ).toBe('abc-1');
    const odd = await call(server, 'GET', '/v1/health', {
      headers: { 'x-request-id': 'a b{"level":"fatal"}' },
    });
    expect(odd.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('keys', () => {
  test('a key is shown once, works at once, and stops working the moment it is revoked', async () => {
    const created = (await call(server, 'POST', '/v1/api-keys', { ...person(), body: { name: ' robot ' } }))
      .json;
    expect(created).toMatchObject({ name: 'robot', kind: 'agent', hint: created.key.slice(-4) });
    expect((await call(server, 'GET', '/v1/me', { token: created.key })).json.principal).toMatchObject({
      kind: 'agent',
      apiKeyId: created.id,
    });
    const listed = (await call(server, 'GET', '/v1/api-keys', person())).text;
    expect(listed).toContain(created.id);
    expect(listed).not.toContain(created.key);
    expect((await call(server, 'DELETE', `/v1/api-keys/${created.id}`, person())).status).toBe(204);
    expect((await call(server, 'GET', '/v1/me', { token: created.key })).status).toBe(401);
    const again = await call(server, 'DELETE', `/v1/api-keys/${created.id}`, person());
    expect({ status: again.status, code: again.json.error.code }).toEqual({ status: 404, code: 'notFound' });
  });

  test('lists have pages', async () => {
    for (let index = 0; index < 3; index++)
      await call(server, 'POST', '/v1/api-keys', { ...person(), body: { name: `page ${index}` } });
    const first = (await call(server, 'GET', '/v1/api-keys?limit=2', person())).json;
    const second = (await call(server, 'GET', `/v1/api-keys?limit=2&cursor=${first.nextCursor}`, person()))
      .json;
    expect(first.items.map((key: { name: string }) => key.name)).toEqual(['page 2', 'page 1']);
    expect(second.items[0].name).toBe('page 0');
  });
});

describe('invalid requests are rejected with the reason', () => {
  const cases: [
    string,
    string,
    string,
    Parameters<typeof call>[3],
    { status: number; code: string; message: string | RegExp },
  ][] = [
    [
      'a body that is not JSON',
      'POST',
      '/v1/api-keys',
      { body: '{"name":' },
      { status: 400, code: 'invalidRequest', message: /^The body is not JSON: / },
    ],
    [
      'an empty body',
      'POST',
      '/v1/api-keys',
      { body: '' },
      { status: 400, code: 'invalidRequest', message: 'The body is not JSON: it is empty.' },
    ],
    [
      'a missing field',
      'POST',
      '/v1/api-keys',
      { body: {} },
      { status: 400, code: 'invalidRequest', message: /^The body is invalid: name: / },
    ],
    [
      'an unknown field',
      'POST',
      '/v1/api-keys',
      { body: { name: 'a', nmae: 'b' } },
      { status: 400, code: 'invalidRequest', message: /nmae/ },
    ],
    [
      'a wrong value',
      'POST',
      '/v1/api-keys',
      { body: { name: 'a', kind: 'robot' } },
      { status: 400, code: 'invalidRequest', message: /kind: .*"person"\|"agent"/ },
    ],
    [
      'half a character',
      'POST',
      '/v1/api-keys',
      { body: '{"name":"\\ud800x"}' },
      { status: 400, code: 'invalidRequest', message: /control characters/ },
    ],
    [
      'a cursor that is none',
      'GET',
      '/v1/api-keys?cursor=%00',
      {},
      { status: 400, code: 'invalidRequest', message: /cursor: must be a nextCursor/ },
    ],
    [
      'an id that cannot be one',
      'DELETE',
      '/v1/api-keys/%00',
      {},
      { status: 400, code: 'invalidRequest', message: /id may contain only/ },
    ],
    [
      'control characters in a name',
      'POST',
      '/v1/api-keys',
      { body: { name: 'a\u001b[31m' } },
      { status: 400, code: 'invalidRequest', message: /name: must not contain control characters/ },
    ],
    [
      'a form',
      'POST',
      '/v1/api-keys',
      { body: 'name=a', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      {
        status: 415,
        code: 'unsupportedMediaType',
        message: 'The body must be application/json, got application/x-www-form-urlencoded.',
      },
    ],
    [
      'an unknown query parameter',
      'GET',
      '/v1/audit?lmit=2',
      {},
      { status: 400, code: 'invalidRequest', message: /lmit/ },
    ],
    [
      'a repeated query parameter',
      'GET',
      '/v1/audit?limit=2&limit=3',
      {},
      { status: 400, code: 'invalidRequest', message: 'The query has "limit" 2 times; give it once.' },
    ],
    [
      'a limit that is too large',
      'GET',
      '/v1/audit?limit=100000',
      {},
      { status: 400, code: 'invalidRequest', message: /limit: .*200/ },
    ],
    [
      'a wrong method',
      'PUT',
      '/v1/settings',
      {},
      { status: 405, code: 'methodNotAllowed', message: '/v1/settings supports GET and PATCH, not PUT.' },
    ],
    [
      'a wrong scheme',
      'GET',
      '/v1/me',
      { headers: { authorization: 'Basic abc' } },
      { status: 401, code: 'unauthenticated', message: /must be "Bearer"/ },
    ],
    [
      'a body that is too large',
      'POST',
      '/v1/api-keys',
      { body: { name: 'a'.repeat(1024 * 1024) } },
      { status: 413, code: 'payloadTooLarge', message: 'The body is larger than 1048576 bytes.' },
    ],
  ];
  for (const [what, method, path, init, expected] of cases) {
    test(what, async () => {
      const { status, json } = await call(server, method, path, { ...person(), ...init });
      expect({ status, ...json.error }).toMatchObject({
        ...expected,
        message:
          typeof expected.message === 'string' ? expected.message : expect.stringMatching(expected.message),
      });
    });
  }

  test('an endless body is cut off at the limit', async () => {
    const outcome = await new Promise<number | string>((resolve) => {
      const { hostname, port } = new URL(server.url);
      const outgoing = request({
        hostname,
        port,
        method: 'POST',
        path: '/v1/api-keys',
        headers: { authorization: `Bearer ${server.localToken}`, 'content-type': 'application/json' },
      });
      outgoing.on('response', (response) => resolve(response.statusCode ?? 0));
      outgoing.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
      let sent = 0;
      const pump = () => {
        if (sent++ > 64 || outgoing.destroyed) return outgoing.end();
        outgoing.write('x'.repeat(64 * 1024), () => setImmediate(pump));
      };
      pump();
    });
    expect([413, 'EPIPE', 'ECONNRESET']).toContain(outcome);
  });
});

describe('requests that a web page could have sent', () => {
  const refused: [string, Record<string, string>, number][] = [
    ['a DNS-rebinding host', { host: 'evil.example' }, 421],
    ['a host that only looks like ours', { host: '127.0.0.1.evil.example' }, 421],
    ['a page of another site', { origin: 'https://evil.example' }, 403],
    ['a page on another port of this machine', { origin: 'http://127.0.0.1:1' }, 403],
    ['a sandboxed page', { origin: 'null' }, 403],
    [
      'an image or script tag of another site',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
      403,
    ],
    [
      'an image or script tag of another port',
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
      403,
    ],
    [
      'a navigation from another site to the API',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
      403,
    ],
  ];
  for (const [what, headers, status] of refused) {
    for (const path of ['/v1/health', '/v1/me', '/v1/openapi.json']) {
      test(`${what} gets nothing from ${path}, not even with a credential`, async () => {
        const answer = await rawGet(path, { authorization: `Bearer ${server.localToken}`, ...headers });
        expect(answer.status).toBe(status);
        expect(Object.keys(JSON.parse(answer.text))).toEqual(['error']);
        expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      });
    }
  }

  test('a request target with another host than the Host header is rejected', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST http://evil.example/v1/sessions/links HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${server.localToken}\r\nconnection: close\r\n\r\n`,
    );
    let answer = '';
    for await (const chunk of socket) answer += chunk;
    expect(answer).toMatch(/^HTTP\/1\.1 421 /);
    expect(answer).not.toContain('sign-in');
  });

  test('a preflight of another origin is rejected', async () => {
    const { status, headers } = await call(server, 'OPTIONS', '/v1/api-keys', {
      headers: { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' },
    });
    expect({ status, allowed: headers.get('access-control-allow-origin') }).toEqual({
      status: 403,
      allowed: null,
    });
  });

  test('requests of its own pages and of allowed names are accepted', async () => {
    const { host } = new URL(server.url);
    expect(
      (await rawGet('/v1/health', { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })).status,
    ).toBe(200);
    expect((await rawGet('/v1/health', { host: 'localhost' })).status).toBe(200);
    expect(
      (await rawGet('/v1/health', { host: 'Executor.Example.com', origin: 'https://executor.example.com' }))
        .status,
    ).toBe(200);
  });

  /** `fetch` does not let a program choose the Host header. */
  function rawGet(path: string, headers: Record<string, string>) {
    const { hostname, port } = new URL(server.url);
    return new Promise<{ status: number; text: string; headers: NodeJS.Dict<string | string[]> }>(
      (resolve, reject) => {
        request({ hostname, port, path, headers }, async (response) => {
          let text = '';
          for await (const chunk of response) text += chunk;
          resolve({ status: response.statusCode ?? 0, text, headers: response.headers });
        })
          .on('error', reject)
          .end();
      },
    );
  }
});

describe('invalid HTTP', () => {
  const cases: [string, string, number][] = [
    ['garbage', 'hello\r\n\r\n', 400],
    ['headers without end', `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['a host that is none', 'GET /v1/health HTTP/1.1\r\nhost: a b/c\r\nconnection: close\r\n\r\n', 400],
  ];
  for (const [what, bytes, status] of cases) {
    test(`${what} gets an ordinary error response`, async () => {
      const { hostname, port } = new URL(server.url);
      const socket = connect(Number(port), hostname);
      socket.write(bytes);
      let answer = '';
      for await (const chunk of socket) answer += chunk;
      expect(answer.split('\r\n')[0]).toContain(`HTTP/1.1 ${status}`);
      expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({
        error: { code: 'invalidRequest' },
      });
    });
  }
});

describe('pages', () => {
  test('every path without an extension is the page, with a strict content security policy', async () => {
    for (const path of ['/', '/approvals', '/executions/exe_1']) {
      const { status, text, headers } = await call(server, 'GET', path);
      expect({ status, text: text.trim() }).toEqual({
        status: 200,
        text: '<!doctype html><title>Executor</title>',
      });
      expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  test('assets can be cached forever, and files outside the folder cannot be read', async () => {
    expect((await call(server, 'GET', '/assets/main-abc123.js')).headers.get('cache-control')).toContain(
      'immutable',
    );
    for (const path of [
      '/assets/nothing.js',
      '/../server.ts',
      '/..%2fserver.ts',
      '/%2e%2e/%2e%2e/package.json',
    ]) {
      expect((await call(server, 'GET', path)).text).not.toContain('import');
    }
  });
});

test('The log has one line for each request and no secret', async () => {
  const { key } = (await call(server, 'POST', '/v1/api-keys', { ...person(), body: { name: 'logged' } }))
    .json;
  await call(server, 'GET', '/v1/me?token=inquery', {
    token: key,
    headers: { cookie: 'executor_session=incookie', 'x-request-id': 'find-me' },
  });
  const log = await server.readLog();
  expect(log).toContain('"requestId":"find-me","method":"GET","path":"/v1/me"');
  for (const secret of [key, server.localToken, 'inquery', 'incookie', 'authorization'])
    expect(log).not.toContain(secret);
});
