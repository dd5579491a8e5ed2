import type { Principal } from '@executor/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { borrowTestPglite, type TestStore } from '../../store/test/test-database.ts';
import { listAudit } from './audit-entry.ts';
import { systemClock } from './clock.ts';
import { createEngine, type Engine } from './engine.ts';
import type { Credential } from './identity/authenticate.ts';

const minute = 60_000;

describe('The engine on a real store', () => {
  let opened: TestStore;
  let engine: Engine;
  let owner: Principal;
  let clock: Date;
  const pass = (milliseconds: number) => {
    clock = new Date(clock.getTime() + milliseconds);
  };
  const start = () =>
    createEngine({
      store: opened.store,
      localToken: 'local-secret',
      accountName: 'Ada',
      version: '0.0.0',
      sandboxes: [],
      baseUrl: () => 'http://executor.test',
      clock: { ...systemClock, now: () => clock },
    });

  beforeAll(async () => {
    opened = await borrowTestPglite();
    clock = new Date('2026-11-15T12:00:00.000Z');
    engine = await start();
    owner = { kind: 'person', credential: 'localToken', ...engine.installation.owner };
  });
  afterAll(() => opened.close());
  beforeEach(() => pass(minute));

  test('finds on later starts what the first start provisioned', async () => {
    expect((await start()).installation).toEqual(engine.installation);
    expect(await engine.workspaces.describe(owner)).toEqual({
      organization: { id: expect.stringMatching(/^org_/), name: 'Personal' },
      workspace: { id: owner.workspaceId, name: 'Default' },
      actor: { id: owner.actorId, name: 'Ada' },
    });
  });

  test('authenticates the owner by the local token, and rejects other tokens', async () => {
    expect(await engine.authenticate({ type: 'secret', secret: 'local-secret' })).toEqual(owner);
    expect(await engine.authenticate({ type: 'secret', secret: 'local-secret2' })).toBeUndefined();
    expect(await engine.authenticate({ type: 'session', cookies: ['a'], token: 'b' })).toBeUndefined();
    expect(await engine.authenticate({ type: 'none' })).toBeUndefined();
  });

  test('shows an API key once, finds it by its hash, and stores its time of use once a minute', async () => {
    const { key, ...shown } = await engine.apiKeys.create(owner, { name: 'Robot', kind: 'agent' });
    expect(key).toMatch(/^exa_[\w-]{43}$/);
    expect(shown).toMatchObject({
      name: 'Robot',
      kind: 'agent',
      hint: key.slice(-4),
      createdAt: clock.toISOString(),
    });
    const { workspaceId, actorId } = owner;
    const agent = { kind: 'agent', credential: 'apiKey', workspaceId, actorId, apiKeyId: shown.id };
    expect(await engine.authenticate({ type: 'secret', secret: key })).toEqual(agent);
    const firstUse = clock.toISOString();
    pass(minute - 1);
    expect(await engine.authenticate({ type: 'secret', secret: key })).toEqual(agent);
    expect((await engine.apiKeys.list(owner, { limit: 1 })).items).toEqual([
      { ...shown, lastUsedAt: firstUse },
    ]);
  });

  test('rejects a revoked key at once', async () => {
    const { key, id } = await engine.apiKeys.create(owner, { name: 'Gone', kind: 'person' });
    expect(key).toMatch(/^exp_/);
    await engine.apiKeys.revoke(owner, id);
    expect(await engine.authenticate({ type: 'secret', secret: key })).toBeUndefined();
    await expect(engine.apiKeys.revoke(owner, id)).rejects.toMatchObject({ code: 'notFound' });
  });

  test('opens one session per link, within five minutes, for thirty days', async () => {
    const { code, expiresAt } = await engine.sessions.createLink(owner);
    expect(expiresAt.getTime() - clock.getTime()).toBe(5 * minute);
    const session = await engine.sessions.open(code);
    await expect(engine.sessions.open(code)).rejects.toMatchObject({ code: 'gone' });
    const credential: Credential = {
      type: 'session',
      cookies: ['other', session.cookie],
      token: session.token,
    };
    const { workspaceId, actorId } = owner;
    const person = { kind: 'person', credential: 'session', workspaceId, actorId, sessionId: session.id };
    expect(await engine.authenticate(credential)).toEqual(person);
    pass(30 * 24 * 60 * minute - 1);
    expect(await engine.authenticate(credential)).toEqual(person);
    pass(1);
    expect(await engine.authenticate(credential)).toBeUndefined();
  });

  test('rejects an expired link', async () => {
    const { code } = await engine.sessions.createLink(owner);
    pass(5 * minute);
    await expect(engine.sessions.open(code)).rejects.toMatchObject({ code: 'gone' });
  });

  test('ends a session permanently, and only if it exists', async () => {
    const { code } = await engine.sessions.createLink(owner);
    const { cookie, token } = await engine.sessions.open(code);
    const principal = await engine.authenticate({ type: 'session', cookies: [cookie], token });
    await engine.sessions.end(principal as Principal);
    expect(await engine.authenticate({ type: 'session', cookies: [cookie], token })).toBeUndefined();
    await expect(engine.sessions.end(owner)).rejects.toMatchObject({ code: 'invalidRequest' });
  });

  test('records actor, credential and both values of a change in the audit', async () => {
    const details = { workspaceName: { from: 'Default', to: 'Lab' } };
    expect(await engine.workspaces.changeSettings(owner, { workspaceName: 'Lab' })).toMatchObject({
      workspaceName: 'Lab',
    });
    const { items } = await listAudit(opened.store, owner, { limit: 1 });
    expect(items).toEqual([
      {
        id: expect.stringMatching(/^aud_/),
        at: clock.toISOString(),
        action: 'settings.changed',
        actorId: owner.actorId,
        credential: 'localToken',
        target: owner.workspaceId,
        details,
      },
    ]);
  });
});
