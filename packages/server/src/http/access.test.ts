import { routeRows } from '@executor/protocol';
import { describe, expect } from 'vitest';
import {
  type Browser,
  type BrowserSession,
  newBrowser,
  openBrowserSession,
  redeem,
} from '../../test/browser-session.ts';
import { call, type TestServer, test } from '../../test/server.ts';

let server: TestServer;
let credentials: Record<string, Record<string, string>>;
let session: BrowserSession;
let otherPage: Browser;

test.beforeAll(async ({ server: shared }) => {
  server = shared;
  const create = async (kind: string) =>
    (await call(server, 'POST', '/v1/api-keys', { token: server.localToken, body: { name: kind, kind } }))
      .json;
  const agent = await create('agent');
  const revoked = await create('person');
  await call(server, 'DELETE', `/v1/api-keys/${revoked.id}`, { token: server.localToken });
  session = await openBrowserSession(server);
  otherPage = await newBrowser();
  await redeem(server, otherPage, { code: 'none' });
  credentials = {
    anonymous: {},
    'a wrong key': { authorization: 'Bearer exa_wrong' },
    'a revoked person key': { authorization: `Bearer ${revoked.key}` },
    'a cookie without the page': { cookie: session.cookie },
    'a cookie with the signature of another key': { cookie: session.cookie },
    'a page without its cookie': {},
    'an agent key': { authorization: `Bearer ${agent.key}` },
    'an agent key as x-api-key': { 'x-api-key': agent.key },
    'the local token': { authorization: `Bearer ${server.localToken}` },
    'a person key': { authorization: `Bearer ${(await create('person')).key}` },
    'a browser session': { cookie: session.cookie },
  };
});

/** For the routes that end sessions. */
async function signInAgain(): Promise<void> {
  session = await openBrowserSession(server);
  const { cookie } = session;
  for (const headers of Object.values(credentials)) if ('cookie' in headers) headers.cookie = cookie;
}

/** The signature of a request, if a page makes it. */
async function proofOf(
  credential: string,
  method: string,
  target: string,
  body: object | undefined,
): Promise<Record<string, string>> {
  const signer = {
    'a browser session': session.signer,
    'a page without its cookie': session.signer,
    'a cookie with the signature of another key': otherPage.signer,
  }[credential];
  const signed = await signer?.sign({ method, target, body: body && JSON.stringify(body) });
  return signed?.headers ?? {};
}

/** The kind of principal of each credential. */
const principals: Record<string, 'anonymous' | 'agent' | 'person'> = {
  anonymous: 'anonymous',
  'a wrong key': 'anonymous',
  'a revoked person key': 'anonymous',
  'a cookie without the page': 'anonymous',
  'a cookie with the signature of another key': 'anonymous',
  'a page without its cookie': 'anonymous',
  'an agent key': 'agent',
  'an agent key as x-api-key': 'agent',
  'the local token': 'person',
  'a person key': 'person',
  'a browser session': 'person',
};

const refusals = {
  public: { anonymous: undefined, agent: undefined, person: undefined },
  any: { anonymous: 401, agent: undefined, person: undefined },
  person: { anonymous: 401, agent: 403, person: undefined },
};

describe('Every route accepts exactly the principals of its row', () => {
  // Ending the session is last, because it invalidates one of the credentials.
  const ends = ['sessions.end', 'sessions.removeAll'];
  const rows = routeRows().sort((a, b) => ends.indexOf(a.name) - ends.indexOf(b.name));
  for (const { name, route } of rows) {
    for (const [credential, principal] of Object.entries(principals)) {
      const refusal = refusals[route.access][principal];
      test(`${name} ${refusal ? 'refuses' : 'takes'} ${credential}`, async () => {
        // The body is empty, so that an accepted request fails later for another reason and changes nothing.
        const path = `${route.path.replace(/:\w+/g, 'nothing')}${route.events ? '?follow=false' : ''}`;
        if (ends.includes(name)) await signInAgain();
        const body = route.body && { unknownField: true };
        const { status, json } = await call(server, route.method, path, {
          headers: { ...credentials[credential], ...(await proofOf(credential, route.method, path, body)) },
          ...(body && { body }),
        });
        if (refusal)
          expect({ status, code: json?.error.code }).toEqual({
            status: refusal,
            code: refusal === 401 ? 'unauthenticated' : 'forbidden',
          });
        else expect([401, 403]).not.toContain(status);
      });
    }
  }
});

test('The table has the documented routes and principals', () => {
  expect(
    routeRows()
      .map(({ route }) => `${route.access.padEnd(6)} ${route.method} ${route.path}`)
      .sort(),
  ).toEqual([
    'any    GET /v1/artifacts/:id',
    'any    GET /v1/executions',
    'any    GET /v1/executions/:id',
    'any    GET /v1/executions/:id/calls',
    'any    GET /v1/executions/:id/events',
    'any    GET /v1/me',
    'any    GET /v1/sources',
    'any    GET /v1/sources/:id',
    'any    GET /v1/sources/:id/tools',
    'any    GET /v1/tools',
    'any    GET /v1/tools/:path',
    'any    POST /v1/executions',
    'any    POST /v1/executions/:id/cancel',
    'any    POST /v1/executions/:id/wait',
    'any    POST /v1/policies/explain',
    'person DELETE /v1/api-keys/:id',
    'person DELETE /v1/policies/:id',
    'person DELETE /v1/sessions',
    'person DELETE /v1/sessions/:id',
    'person DELETE /v1/sessions/current',
    'person DELETE /v1/sources/:id',
    'person GET /v1/api-keys',
    'person GET /v1/audit',
    'person GET /v1/events',
    'person GET /v1/interactions',
    'person GET /v1/interactions/:id',
    'person GET /v1/policies',
    'person GET /v1/presence',
    'person GET /v1/providers',
    'person GET /v1/resources',
    'person GET /v1/sessions',
    'person GET /v1/settings',
    'person GET /v1/sources/:id/document',
    'person GET /v1/sources/:id/logs',
    'person GET /v1/workers',
    'person PATCH /v1/api-keys/:id',
    'person PATCH /v1/policies/:id',
    'person PATCH /v1/presence',
    'person PATCH /v1/settings',
    'person PATCH /v1/sources/:id',
    'person POST /v1/api-keys',
    'person POST /v1/executions/:id/replay',
    'person POST /v1/interactions/:id/resolve',
    'person POST /v1/interactions/resolve',
    'person POST /v1/policies',
    'person POST /v1/sessions/links',
    'person POST /v1/sources',
    'person POST /v1/sources/:id/refresh',
    'person POST /v1/sources/detect',
    'public GET /v1/health',
    'public GET /v1/openapi.json',
    'public POST /v1/sessions',
  ]);
});

test('An unknown path reveals nothing without a credential', async () => {
  expect((await call(server, 'GET', '/v1/nothing')).status).toBe(401);
  const known = await call(server, 'GET', '/v1/nothing', { token: server.localToken });
  expect(known.json.error).toEqual({
    code: 'notFound',
    message: 'There is no route /v1/nothing. GET /v1/openapi.json lists all routes.',
  });
});
