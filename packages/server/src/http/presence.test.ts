import { presenceHeader, type Route, routeRows } from '@executor/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, startTestServer, type TestServer } from '../../test/server.ts';

const pin = '4711';
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await ask('PATCH', '/v1/presence', { body: { mode: 'pin', pin } });
});
afterAll(async () => server[Symbol.asyncDispose]());

const ask = (method: string, path: string, init: Parameters<typeof call>[3] = {}) =>
  call(server, method, path, { token: server.localToken, ...init });

/** Bodies that are right in form, and change nothing: what they name does not exist, or is as they say already. */
const bodies: Record<string, unknown> = {
  'apiKeys.create': { name: 'guarded' },
  'interactions.resolve': { action: 'approve' },
  'interactions.resolveSeveral': { action: 'approve', ids: ['nothing'] },
  'policies.create': { pattern: 'nothing.at.all', decision: 'deny' },
  'policies.update': { decision: 'deny' },
  'presence.update': { mode: 'pin', pin },
  'settings.update': {},
};

function attempt(name: string, route: Route, init: { headers?: Record<string, string>; body?: object } = {}) {
  const body = route.body && { ...(bodies[name] as object), ...init.body };
  const path = `${route.path.replace(/:\w+/g, 'nothing')}${route.events ? '?follow=false' : ''}`;
  return ask(route.method, path, { headers: init.headers ?? {}, ...(body && { body }) });
}

test('the rows that change who may do what are those that take proof of a person', () => {
  const guarded = routeRows().filter(({ route }) => route.presence);
  expect(guarded.map(({ name }) => name).sort()).toEqual([
    'apiKeys.create',
    'apiKeys.remove',
    'interactions.resolve',
    'interactions.resolveSeveral',
    'policies.create',
    'policies.remove',
    'policies.update',
    'presence.update',
    'settings.update',
  ]);
  expect(guarded.every(({ route }) => route.access === 'person')).toBe(true);
});

describe('where presence is on', () => {
  for (const { name, route } of routeRows()) {
    if (route.presence) {
      test(`${name} is refused without proof, and goes on with it`, async () => {
        const refused = await attempt(name, route);
        expect({ status: refused.status, code: refused.json.error.code }).toEqual({
          status: 403,
          code: 'presenceRequired',
        });
        const allowed = await attempt(name, route, { headers: { [presenceHeader]: pin } });
        expect(allowed.json?.error?.code).not.toBe('presenceRequired');
        expect([200, 201, 204, 404]).toContain(allowed.status);
      });
    } else if (name !== 'sessions.end') {
      test(`${name} asks for none`, async () => {
        const { json } = await attempt(name, route);
        expect(json?.error?.code).not.toBe('presenceRequired');
      });
    }
  }

  test('an answer may bring its proof in the body', async () => {
    const { route } = routeRows().find(({ name }) => name === 'interactions.resolve') as { route: Route };
    expect((await attempt('interactions.resolve', route, { body: { presence: pin } })).status).toBe(404);
  });

  test('an agent is refused as an agent, proof or not', async () => {
    const { key } = (
      await ask('POST', '/v1/api-keys', { body: { name: 'agent' }, headers: { [presenceHeader]: pin } })
    ).json;
    for (const { name, route } of routeRows().filter(({ route }) => route.presence)) {
      const path = route.path.replace(/:\w+/g, 'nothing');
      const init = {
        token: key,
        headers: { [presenceHeader]: pin },
        ...(route.body && { body: bodies[name] }),
      };
      const { status, json } = await call(server, route.method, path, init);
      expect({ name, status, code: json.error.code }).toEqual({ name, status: 403, code: 'forbidden' });
    }
  });

  test('the PIN is in no log', async () => {
    expect(await server.readLog()).not.toContain(pin);
  });
});
