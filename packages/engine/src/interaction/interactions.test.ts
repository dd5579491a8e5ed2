import type { InteractionKind, NewPolicy, Principal, Resolution } from '@executor/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { Fixture } from '../../../store/test/fixture.ts';
import { borrowTestPglite, type TestStore } from '../../../store/test/test-database.ts';
import { knownTools } from '../../test/known-tools.ts';
import { newId } from '../id.ts';
import { ApiKeys } from '../identity/api-keys.ts';
import { Policies } from '../policy/policies.ts';
import type { NewInteractionRow } from '../ports/interaction-store.ts';
import { PresenceGuard } from '../presence/presence-guard.ts';
import { InputValidator } from '../validation/input-validator.ts';
import { Interactions } from './interactions.ts';

const remember: NewPolicy = {
  scope: { type: 'client', clientId: 'robot' },
  pattern: 'github.issues.create',
  conditions: [{ field: 'repo', equals: 'a' }],
  decision: 'allow',
};

describe('Interactions', () => {
  let opened: TestStore;
  let interactions: Interactions;
  let presence: PresenceGuard;
  let ada: Principal;
  let bob: Principal;
  let clock: Date;
  let executionId: string;
  let batch: number;
  const now = () => clock;
  const pass = (milliseconds: number) => {
    clock = new Date(clock.getTime() + milliseconds);
  };
  const journal = async () => {
    const events = await opened.store.executions.events(executionId, { afterSeq: 0, limit: 100 });
    return events.filter(({ type }) => type === 'interaction.resolved');
  };
  const audit = async () => (await opened.store.audit.list(ada.workspaceId, { limit: 10 })).items;
  const resolve = (id: string, resolution: Resolution, by = ada) => interactions.resolve(by, id, resolution);
  const refused = (resolution: Resolution, code: string, message: string | RegExp) => async (id: string) => {
    await expect(resolve(id, resolution)).rejects.toMatchObject({
      code,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
    expect((await interactions.get(ada, id)).status).toBe('pending');
  };

  /** Asks like a worker that holds the run. */
  async function ask(kind: InteractionKind, changes: Partial<NewInteractionRow> = {}): Promise<string> {
    const id = newId('int', clock);
    batch += 1;
    const row: NewInteractionRow = {
      id,
      workspaceId: ada.workspaceId,
      executionId,
      callIndex: batch,
      ordinal: 0,
      kind,
      toolPath: 'github.issues.create',
      effect: 'write',
      input: '{"repo":"a","title":"x"}',
      request: '{"method":"POST","url":"https://api.github.com/repos/a/issues"}',
      prompt: 'Create an issue?',
      binding: `binding ${batch}`,
      remember,
      createdAt: clock,
      expiresAt: null,
      ...changes,
    };
    await opened.store.executions.append({ id: executionId, owner: 'w', epoch: 1 }, batch, {
      events: [],
      ask: [row],
    });
    return id;
  }

  async function startRun(ownerId = ada.actorId): Promise<void> {
    batch = 0;
    executionId = newId('exe', clock);
    await opened.store.executions.create(
      {
        id: executionId,
        workspaceId: ada.workspaceId,
        actorId: ada.actorId,
        ownerId,
        principalKind: 'agent',
        clientId: 'robot',
        credentialId: null,
        runtimeId: 'quickjs',
        code: 'return 1',
        program: null,
        build: 'b',
        seed: 's',
        epoch: 0,
        limits: { cpuMs: 1, memoryMb: 4, calls: 1, resultBytes: 1, logBytes: 1 },
        metadata: null,
        idempotencyKey: null,
        requestHash: 'h',
        createdAt: clock,
      },
      [{ type: 'execution.created', at: clock }],
      { type: 'leased', owner: 'w', ttlMs: 600_000 },
    );
  }

  beforeAll(async () => {
    opened = await borrowTestPglite();
    clock = new Date('2026-11-15T12:00:00.000Z');
    const { store } = opened;
    const validator = new InputValidator();
    presence = new PresenceGuard({ store, now });
    const policies = new Policies({ store, now, validator, tools: knownTools() });
    interactions = new Interactions({
      store,
      policies,
      presence,
      validator,
      now,
      toolNow: async () => undefined,
      baseUrl: () => 'http://localhost:8788',
      // No worker runs here.
      outcomeWaitMs: 0,
    });
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    const fixture = new Fixture(() => opened);
    const { workspace, actor } = await fixture.newWorkspace('Ada');
    const other = await fixture.newWorkspace('Bob');
    await fixture.sql(
      `insert into memberships (workspace_id, actor_id, role, created_at) values ('${workspace.id}', '${other.actor.id}', 'owner', now())`,
    );
    ada = { kind: 'person', credential: 'localToken', workspaceId: workspace.id, actorId: actor.id };
    bob = { ...ada, actorId: other.actor.id };
    pass(60_000);
    await startRun();
  });

  test('show exactly what will be sent, where to answer, and the possible actions', async () => {
    const id = await ask('approval', { expiresAt: new Date(clock.getTime() + 5_000) });
    const shown = {
      id,
      kind: 'approval',
      status: 'pending',
      prompt: 'Create an issue?',
      url: `http://localhost:8788/approvals/${id}`,
      executionId,
      askedBy: { kind: 'agent', ownerId: ada.actorId, clientId: 'robot' },
      callId: `${executionId}.1`,
      tool: { path: 'github.issues.create', input: { repo: 'a', title: 'x' }, effect: 'write' },
      request: { method: 'POST', url: 'https://api.github.com/repos/a/issues' },
      actions: ['approve', 'deny'],
      remember,
      createdAt: clock.toISOString(),
      expiresAt: new Date(clock.getTime() + 5_000).toISOString(),
    };
    expect(await interactions.get(ada, id)).toEqual(shown);
    expect(await interactions.list(ada, { limit: 10, status: 'pending' })).toEqual({ items: [shown] });
    pass(5_000);
    expect(await interactions.get(ada, id)).toEqual({ ...shown, status: 'expired' });
    await expect(resolve(id, { action: 'approve' })).rejects.toMatchObject({
      code: 'gone',
      message: `This question expired at ${shown.expiresAt}. It can no longer be answered.`,
    });
  });

  test('say which key asks, in lists, alone and in answers', async () => {
    const keys = new ApiKeys({ store: opened.store, now });
    const { id: ownerId } = await keys.create(ada, { name: 'editor', kind: 'agent' });
    await startRun(ownerId);
    const id = await ask('approval');
    const askedBy = { kind: 'agent', ownerId, keyName: 'editor', clientId: 'robot' };
    expect((await interactions.get(ada, id)).askedBy).toEqual(askedBy);
    expect((await interactions.list(ada, { limit: 10 })).items).toMatchObject([{ id, askedBy }]);
    expect(await resolve(id, { action: 'approve' })).toMatchObject({ status: 'resolved', askedBy });
  });

  test('are answered even if the journal cannot be read for what happened to the call', async () => {
    const id = await ask('approval');
    const { executions } = opened.store;
    const events = vi.spyOn(executions, 'events').mockRejectedValue(new Error('The database is gone.'));
    try {
      expect(await resolve(id, { action: 'approve' })).toMatchObject({ status: 'resolved' });
    } finally {
      events.mockRestore();
    }
    expect(await journal()).toMatchObject([{ interactionId: id, action: 'approve' }]);
  });

  test('are answered once; the journal and the audit name the actor', async () => {
    const id = await ask('approval');
    const answered = await resolve(id, { action: 'deny', reason: 'Not in this\u0000 repo' });
    expect(answered).toMatchObject({
      status: 'resolved',
      resolvedAt: clock.toISOString(),
      resolution: { action: 'deny', actorId: ada.actorId, reason: 'Not in this\u0000 repo' },
    });
    expect(await journal()).toMatchObject([
      { interactionId: id, action: 'deny', reason: 'Not in this\u0000 repo', index: 1 },
    ]);
    expect(await audit()).toMatchObject([
      {
        action: 'interaction.resolved',
        target: id,
        actorId: ada.actorId,
        credential: 'localToken',
        details: {
          kind: 'approval',
          executionId,
          path: 'github.issues.create',
          action: 'deny',
          reason: 'Not in this\ufffd repo',
        },
      },
    ]);
    const at = clock.toISOString();
    pass(1_000);
    await expect(resolve(id, { action: 'approve' }, bob)).rejects.toMatchObject({
      code: 'conflict',
      message: `Actor Ada denied it at ${at}. That stands; this answer changed nothing.`,
      details: { id, action: 'deny', actorId: ada.actorId, resolvedAt: at },
    });
    await expect(resolve(id, { action: 'deny' })).rejects.toThrow(`You denied it at ${at}`);
    expect(await journal()).toHaveLength(1);
  });

  test('accept one of twenty concurrent answers', async () => {
    const id = await ask('approval');
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        resolve(id, { action: index % 2 ? 'approve' : 'deny' }, index % 3 ? ada : bob),
      ),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'conflict' });
    }
    expect(await journal()).toHaveLength(1);
    expect(await audit()).toHaveLength(1);
  });

  test('reject an answer that does not fit, and say which does', async () => {
    const approval = await ask('approval');
    const reconcile = await ask('reconcile');
    const form = await ask('elicitation', {
      request: '{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}',
    });
    const invalid = 'invalidRequest';
    await refused(
      { action: 'retry' },
      invalid,
      'action: approval takes approve or deny, not retry.',
    )(approval);
    await refused(
      { action: 'approve' },
      invalid,
      'action: reconcile takes retry, complete or fail, not approve.',
    )(reconcile);
    await refused(
      { action: 'approve', reason: 'x' },
      invalid,
      /^reason: is only for deny and fail/,
    )(approval);
    await refused({ action: 'deny', remember }, invalid, /^remember: is only for approve/)(approval);
    await refused(
      { action: 'approve', data: 1 },
      invalid,
      /^data: is only for submit and complete/,
    )(approval);
    await refused(
      { action: 'retry', scope: 'identical' },
      invalid,
      /^scope: "identical" is only for/,
    )(reconcile);
    await refused({ action: 'complete' }, invalid, /^data: complete needs the result/)(reconcile);
    await refused({ action: 'submit' }, invalid, /^data: submit needs/)(form);
    await refused({ action: 'submit', data: { nam: 'x' } }, invalid, /^data\.name is missing/)(form);
    await expect(resolve('int_nothing', { action: 'approve' })).rejects.toMatchObject({ code: 'notFound' });
    expect((await resolve(reconcile, { action: 'complete', data: null })).status).toBe('resolved');
    const submitted = await resolve(form, { action: 'submit', data: { name: 'secret' } });
    expect(JSON.stringify([submitted, await audit()])).not.toContain('secret');
    expect(await journal()).toMatchObject([{ action: 'complete', data: null }, { data: { name: 'secret' } }]);
  });

  test('remember a rule that covers the call, and reject one that does not', async () => {
    const id = await ask('approval');
    const attempts: [Partial<NewPolicy>, RegExp][] = [
      [
        { pattern: 'github.issues.list' },
        /its pattern github\.issues\.list is not for github\.issues\.create/,
      ],
      [{ conditions: [{ field: 'repo', equals: 'b' }] }, /repo is not "b"/],
      [{ conditions: [{ field: 'owner', equals: 'b' }] }, /the input has no owner/],
      [{ scope: { type: 'client', clientId: 'other' } }, /its scope is another client/],
      [{ decision: 'deny' }, /it says deny, but the answer is approve/],
    ];
    for (const [change, message] of attempts) {
      const rule = { ...remember, ...change };
      await refused({ action: 'approve', remember: rule }, 'invalidRequest', message)(id);
    }
    await expect(
      resolve(id, { action: 'approve', remember: { ...remember, pattern: 'x.y' } }),
    ).rejects.toMatchObject({
      message: expect.stringContaining(JSON.stringify(remember)),
      details: { narrowest: remember },
    });
    const wider: NewPolicy = { ...remember, pattern: 'github.**', conditions: [] };
    const { resolution } = await resolve(id, { action: 'approve', remember: wider });
    const [policy] = await opened.store.policies.all(ada.workspaceId);
    expect(policy).toMatchObject({ ...wider, id: resolution?.policyId, createdBy: ada.actorId });
    expect((await audit()).map(({ action }) => action).sort()).toEqual([
      'interaction.resolved',
      'policy.created',
    ]);
  });

  test('are answered together if they are identical, singly and in a list', async () => {
    const same = { binding: 'same' };
    const ids = [
      await ask('approval', same),
      await ask('approval', same),
      await ask('approval'),
      'int_nothing',
    ];
    const reconcile = await ask('reconcile', same);
    const { items } = await interactions.resolveSeveral(ada, {
      ids: [...ids, reconcile, ids[0] as string],
      action: 'approve',
      scope: 'identical',
      remember,
    });
    expect(items.map(({ id, interaction, error }) => [id, interaction?.status ?? error?.code])).toEqual([
      [ids[0], 'resolved'],
      [ids[1], 'resolved'],
      [ids[2], 'resolved'],
      ['int_nothing', 'notFound'],
      [reconcile, 'invalidRequest'],
      [ids[0], 'resolved'],
    ]);
    const [policy, ...more] = await opened.store.policies.all(ada.workspaceId);
    expect(more).toEqual([]);
    expect(items[2]?.interaction?.resolution?.policyId).toBe(policy?.id);
    expect(items[0]?.interaction?.alsoResolved).toEqual([ids[1]]);
    const entries = (await audit()).filter(({ action }) => action === 'interaction.resolved');
    expect(entries.map(({ target, details }) => [target, details?.alsoResolved]).sort()).toEqual(
      [
        [ids[0], [ids[1]]],
        [ids[2], undefined],
      ].sort(),
    );
    expect((await journal()).map((event) => 'interactionId' in event && event.interactionId).sort()).toEqual(
      ids.slice(0, 3).sort(),
    );
  });

  test('need the PIN if presence is on, and other mistakes cost no attempt', async () => {
    await presence.update(ada, { mode: 'pin', pin: '4711' }, undefined);
    const id = await ask('approval');
    for (let slip = 0; slip < 6; slip++) {
      await refused({ action: 'retry', presence: '0000' }, 'invalidRequest', /^action:/)(id);
    }
    await refused({ action: 'approve' }, 'presenceRequired', /^Presence is on/)(id);
    await refused({ action: 'approve', presence: '0000' }, 'presenceRequired', /^That is not the PIN/)(id);
    const several = { ids: [id], action: 'approve' as const };
    await expect(interactions.resolveSeveral(ada, several)).rejects.toMatchObject({
      code: 'presenceRequired',
    });
    expect((await resolve(id, { action: 'approve', presence: '4711' })).status).toBe('resolved');
  });

  test('cannot be seen or answered by agents or by people of another workspace', async () => {
    const id = await ask('approval');
    const agent: Principal = { ...ada, kind: 'agent', credential: 'apiKey', apiKeyId: 'key_1' };
    const forbidden = { code: 'forbidden' };
    await expect(interactions.list(agent, { limit: 10 })).rejects.toMatchObject(forbidden);
    await expect(interactions.get(agent, id)).rejects.toMatchObject(forbidden);
    await expect(resolve(id, { action: 'approve' }, agent)).rejects.toMatchObject(forbidden);
    const several = { ids: [id], action: 'approve' as const };
    await expect(interactions.resolveSeveral(agent, several)).rejects.toMatchObject(forbidden);
    const { workspace, actor } = await new Fixture(() => opened).newWorkspace('Eve');
    const eve: Principal = { ...ada, workspaceId: workspace.id, actorId: actor.id };
    await expect(resolve(id, { action: 'approve' }, eve)).rejects.toMatchObject({ code: 'notFound' });
    expect((await interactions.list(eve, { limit: 10 })).items).toEqual([]);
    expect((await interactions.get(ada, id)).status).toBe('pending');
  });

  test('that were withdrawn reject answers and say why', async () => {
    const id = await ask('approval');
    batch += 1;
    await opened.store.executions.append({ id: executionId, owner: 'w', epoch: 1 }, batch, {
      events: [],
      settle: [{ id, status: 'withdrawn', at: clock }],
    });
    await expect(resolve(id, { action: 'approve' })).rejects.toMatchObject({
      code: 'gone',
      message: expect.stringMatching(/^This question was withdrawn/),
    });
  });
});
