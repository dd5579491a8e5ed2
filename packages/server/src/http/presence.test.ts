import { presenceHeader, type Route, routeRows } from '@executor/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, startTestServer, type TestServer } from '../../test/server.ts';

const pin = '471108151623';
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  server.shelf.put('https://shelf.test/openapi.json', { tools: [{ name: 'list' }] });
  await ask('PATCH', '/v1/presence', { body: { mode: 'pin', pin } });
});
afterAll(async () => server[Symbol.asyncDispose]());

const ask = (method: string, path: string, init: Parameters<typeof call>[3] = {}) =>
  call(server, method, path, { token: server.localToken, ...init });

/** A pending question, because a missing one would be reported as not found with or without proof. */
async function askedQuestion(): Promise<string> {
  const body = { code: 'return tools.notes.add({ text: "a" })', waitMs: 20_000 };
  return (await ask('POST', '/v1/executions', { body })).json.interactions[0].id;
}

/** Valid bodies that change nothing, because their target does not exist or already has that state. */
const bodies: Record<string, unknown> = {
  'apiKeys.create': { name: 'guarded' },
  'apiKeys.update': { allowDialog: true },
  'interactions.resolve': { action: 'approve' },
  'interactions.resolveSeveral': { action: 'approve', ids: ['nothing'] },
  'policies.create': { pattern: 'nothing.at.all', decision: 'deny' },
  'policies.update': { decision: 'deny' },
  'presence.update': { mode: 'pin', pin },
  'settings.update': {},
  'sources.create': { url: 'https://shelf.test/openapi.json' },
  'sources.update': { name: 'guarded' },
};

function attempt(
  name: string,
  route: Route,
  init: { headers?: Record<string, string>; body?: object; id?: string } = {},
) {
  const body = route.body && { ...(bodies[name] as object), ...init.body };
  const path = `${route.path.replace(/:\w+/g, init.id ?? 'nothing')}${route.events ? '?follow=false' : ''}`;
  return ask(route.method, path, { headers: init.headers ?? {}, ...(body && { body }) });
}

test('The routes that change permissions are those that need proof of presence', () => {
  const guarded = routeRows().filter(({ route }) => route.presence);
  expect(guarded.map(({ name }) => name).sort()).toEqual([
    'apiKeys.create',
    'apiKeys.remove',
    'apiKeys.update',
    'interactions.resolve',
    'interactions.resolveSeveral',
    'policies.create',
    'policies.remove',
    'policies.update',
    'presence.update',
    'settings.update',
    'sources.create',
    'sources.refresh',
    'sources.remove',
    'sources.update',
  ]);
  expect(guarded.every(({ route }) => route.access === 'person')).toBe(true);
});

describe('with presence on', () => {
  for (const { name, route } of routeRows()) {
    if (route.presence) {
      test(`${name} is rejected without proof, and accepted with it`, async () => {
        const named = name === 'interactions.resolve' ? { id: await askedQuestion() } : {};
        const refused = await attempt(name, route, named);
        expect({ status: refused.status, code: refused.json.error.code }).toEqual({
          status: 403,
          code: 'presenceRequired',
        });
        const allowed = await attempt(name, route, { headers: { [presenceHeader]: pin }, ...named });
        expect(allowed.json?.error?.code).not.toBe('presenceRequired');
        expect([200, 201, 204, 404]).toContain(allowed.status);
      });
    } else if (name !== 'sessions.end') {
      test(`${name} needs no proof`, async () => {
        const { json } = await attempt(name, route);
        expect(json?.error?.code).not.toBe('presenceRequired');
      });
    }
  }

  test('an answer may have its proof in the body', async () => {
    const path = `/v1/interactions/${await askedQuestion()}/resolve`;
    const body = { action: 'approve', presence: pin };
    expect((await ask('POST', path, { body })).status).toBe(200);
  });

  test('an invalid answer uses no attempt at the PIN', async () => {
    const id = await askedQuestion();
    const answer = (action: string, proof: string, target = id) =>
      ask('POST', `/v1/interactions/${target}/resolve`, {
        body: { action },
        headers: { [presenceHeader]: proof },
      });
    for (let round = 0; round < 10; round++) {
      expect((await answer('submit', '0000')).status).toBe(400);
      expect((await answer('approve', '0000', 'nothing')).status).toBe(404);
    }
    expect((await answer('approve', '0000')).json.error).toMatchObject({ code: 'presenceRequired' });
    expect((await answer('approve', pin)).status).toBe(200);
    expect((await answer('approve', '0000')).status).toBe(409);
  });

  test('an agent is rejected as an agent, with or without proof', async () => {
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

  test('the PIN is not in the log', async () => {
    expect(await server.readLog()).not.toContain(pin);
  });
});
