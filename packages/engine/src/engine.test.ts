import { createDiscovery } from '@executor/discovery';
import type { Principal } from '@executor/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { borrowTestPglite, type TestStore } from '../../store/test/test-database.ts';
import { PageKey } from '../test/page-key.ts';
import { listAudit } from './audit-entry.ts';
import { systemClock } from './clock.ts';
import { createEngine, type Engine } from './engine.ts';

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
      discovery: createDiscovery(),
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
    const signed = new PageKey().sign([engine.requestProofs.nonce]);
    expect(await engine.authenticate({ type: 'session', cookies: ['a'], signed })).toBeUndefined();
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

  test('opens one session per link, within five minutes, for a week', async () => {
    const { code, expiresAt } = await engine.sessions.createLink(owner);
    expect(expiresAt.getTime() - clock.getTime()).toBe(5 * minute);
    const page = new PageKey();
    const session = await page.open(engine, code);
    await expect(page.open(engine, code)).rejects.toMatchObject({ code: 'gone' });
    const { workspaceId, actorId } = owner;
    const person = { kind: 'person', credential: 'session', workspaceId, actorId, sessionId: session.id };
    const authenticate = async () => {
      const cookies = ['other', session.cookie];
      return engine.authenticate({
        type: 'session',
        cookies,
        signed: page.sign([engine.requestProofs.nonce]),
      });
    };
    expect(await authenticate()).toEqual(person);
    for (let day = 0; day < 14; day += 1) {
      pass(12 * 60 * minute - 1);
      expect(await authenticate()).toEqual(person);
    }
    pass(14);
    expect(await authenticate()).toBeUndefined();
  });

  test('ends a session that was not used for 12 hours, and stores its time of use once a minute', async () => {
    const page = new PageKey();
    const { id, cookie } = await page.open(engine, (await engine.sessions.createLink(owner)).code);
    const isValid = async () =>
      (await engine.authenticate({
        type: 'session',
        cookies: [cookie],
        signed: page.sign([engine.requestProofs.nonce]),
      })) !== undefined;
    pass(minute);
    expect(await isValid()).toBe(true);
    pass(12 * 60 * minute - minute);
    expect(await isValid()).toBe(false);
    expect(await engine.sessions.isLive(id)).toBe(false);
  });

  test('rejects an expired link', async () => {
    const { code } = await engine.sessions.createLink(owner);
    pass(5 * minute);
    await expect(new PageKey().open(engine, code)).rejects.toMatchObject({ code: 'gone' });
  });

  test('ends a session permanently, and only if it exists', async () => {
    const page = new PageKey();
    const { cookie } = await page.open(engine, (await engine.sessions.createLink(owner)).code);
    const authenticate = () =>
      engine.authenticate({
        type: 'session',
        cookies: [cookie],
        signed: page.sign([engine.requestProofs.nonce]),
      });
    const principal = (await authenticate()) as Principal;
    await engine.sessions.endCurrent(principal);
    expect(await authenticate()).toBeUndefined();
    await expect(engine.sessions.endCurrent(owner)).rejects.toMatchObject({ code: 'invalidRequest' });
    await expect(engine.sessions.end(owner, 'ses_none')).rejects.toMatchObject({ code: 'notFound' });
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
