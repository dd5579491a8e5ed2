import type { Principal } from '@executor/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Fixture } from '../../../store/test/fixture.ts';
import { borrowTestPglite, type TestStore } from '../../../store/test/test-database.ts';
import { defaultLimits, Workspaces } from './workspaces.ts';

describe('Settings of a workspace', () => {
  let opened: TestStore;
  let workspaces: Workspaces;
  let ada: Principal;
  let name: string;
  const clock = new Date('2026-11-15T12:00:00.000Z');

  beforeAll(async () => {
    opened = await borrowTestPglite();
    workspaces = new Workspaces({ store: opened.store, now: () => clock });
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    const { workspace, actor } = await new Fixture(() => opened).newWorkspace('settings');
    name = workspace.name;
    ada = { kind: 'person', credential: 'localToken', workspaceId: workspace.id, actorId: actor.id };
  });

  test('have defaults and are changed separately', async () => {
    const defaults = {
      workspaceName: name,
      limits: defaultLimits,
      retentionDays: 30,
      answerWithinHours: null,
    };
    expect(await workspaces.settings(ada)).toEqual(defaults);
    expect(await workspaces.changeSettings(ada, { limits: { cpuMs: 500 } })).toEqual({
      ...defaults,
      limits: { ...defaultLimits, cpuMs: 500 },
    });
    const changed = await workspaces.changeSettings(ada, { limits: { calls: 5 }, retentionDays: 7 });
    expect(changed).toEqual({
      workspaceName: name,
      limits: { ...defaultLimits, cpuMs: 500, calls: 5 },
      retentionDays: 7,
      answerWithinHours: null,
    });
    expect(await workspaces.retentionDays(ada.workspaceId)).toBe(7);
  });

  test('write old and new values to the audit, and nothing if nothing changed', async () => {
    const entries = async () => (await opened.store.audit.list(ada.workspaceId, { limit: 5 })).items;
    await workspaces.changeSettings(ada, { retentionDays: 30, limits: { memoryMb: 64 } });
    expect(await entries()).toEqual([]);
    await workspaces.changeSettings(ada, { retentionDays: 7, limits: { memoryMb: 32, cpuMs: 10_000 } });
    expect(await entries()).toMatchObject([
      {
        action: 'settings.changed',
        target: ada.workspaceId,
        details: { retentionDays: { from: 30, to: 7 }, 'limits.memoryMb': { from: 64, to: 32 } },
      },
    ]);
  });

  test('limit what a run may request', async () => {
    expect(await workspaces.limitsFor(ada.workspaceId)).toEqual(defaultLimits);
    expect(await workspaces.limitsFor(ada.workspaceId, { calls: 3, cpuMs: 10_000 })).toEqual({
      ...defaultLimits,
      calls: 3,
    });
    await expect(workspaces.limitsFor(ada.workspaceId, { cpuMs: 10_001 })).rejects.toMatchObject({
      code: 'invalidRequest',
      message:
        'limits.cpuMs: 10001 is more than the 10000 that this workspace allows. Ask for less, or raise it in the settings.',
      details: { limit: 'cpuMs', requested: 10_001, allowed: 10_000 },
    });
    await workspaces.changeSettings(ada, { limits: { cpuMs: 20_000 } });
    expect((await workspaces.limitsFor(ada.workspaceId, { cpuMs: 10_001 })).cpuMs).toBe(10_001);
  });
});
