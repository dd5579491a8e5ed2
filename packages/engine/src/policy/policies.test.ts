import type { NewPolicy, Principal } from '@executor/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Fixture } from '../../../store/test/fixture.ts';
import { borrowTestPglite, type TestStore } from '../../../store/test/test-database.ts';
import { knownTools } from '../../test/known-tools.ts';
import type { Tool } from '../ports/source.ts';
import { InputValidator } from '../validation/input-validator.ts';
import { Policies } from './policies.ts';

const tool: Tool = {
  path: 'github.issues.create',
  description: 'Creates an issue',
  inputSchema: {
    type: 'object',
    properties: { repo: { type: 'string' }, state: { type: 'string', default: 'open' } },
    additionalProperties: false,
  },
  effect: 'write',
  repeatable: false,
  version: '1',
  origin: {},
};

describe('policies', () => {
  let opened: TestStore;
  let policies: Policies;
  let ada: Principal;
  let agent: Principal;
  let clock: Date;
  const now = () => clock;
  const pass = (milliseconds: number) => {
    clock = new Date(clock.getTime() + milliseconds);
  };
  const open = () =>
    new Policies({
      store: opened.store,
      now,
      validator: new InputValidator(),
      tools: knownTools(tool),
    });
  const rule = (changes: Partial<NewPolicy> = {}): NewPolicy => ({
    scope: { type: 'workspace' },
    pattern: 'github.**',
    conditions: [],
    decision: 'deny',
    ...changes,
  });
  const decide = (input: unknown = {}, options?: { fresh: boolean }) =>
    policies.decide(ada, tool, input, options);
  const audit = async () => (await opened.store.audit.list(ada.workspaceId, { limit: 1 })).items[0];

  beforeAll(async () => {
    opened = await borrowTestPglite();
    clock = new Date('2026-11-15T12:00:00.000Z');
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    const { workspace, actor } = await new Fixture(() => opened).newWorkspace('policies');
    ada = { kind: 'person', credential: 'localToken', workspaceId: workspace.id, actorId: actor.id };
    agent = { ...ada, kind: 'agent', credential: 'apiKey', apiKeyId: 'key_1' };
    policies = open();
    pass(60_000);
  });

  test('apply from the next call until they are removed, and the audit has every change', async () => {
    expect(await decide()).toEqual({
      decision: 'requireApproval',
      reason: 'No rule matches. The default for writes is ask.',
    });
    const created = await policies.create(ada, rule({ note: 'Not ours' }));
    expect(created).toEqual({
      ...rule({ note: 'Not ours' }),
      id: expect.stringMatching(/^pol_/),
      createdBy: ada.actorId,
      createdAt: clock.toISOString(),
      updatedAt: clock.toISOString(),
    });
    expect(await decide()).toEqual({
      decision: 'deny',
      reason: `Rule ${created.id} for the workspace (github.**) says deny.`,
      policyId: created.id,
    });
    expect(await audit()).toMatchObject({
      action: 'policy.created',
      details: { after: { note: 'Not ours' } },
    });
    pass(1);
    const updated = await policies.update(ada, created.id, { decision: 'allow' });
    expect(updated).toEqual({ ...created, decision: 'allow', updatedAt: clock.toISOString() });
    expect((await decide()).decision).toBe('allow');
    expect(await audit()).toMatchObject({
      action: 'policy.updated',
      target: created.id,
      details: { before: { decision: 'deny' }, after: { decision: 'allow', pattern: 'github.**' } },
    });
    expect((await policies.list(ada, { limit: 10 })).items).toEqual([updated]);
    pass(1);
    await policies.remove(ada, created.id);
    expect((await decide()).decision).toBe('requireApproval');
    expect(await audit()).toMatchObject({
      action: 'policy.removed',
      details: { before: { decision: 'allow' } },
    });
  });

  test('are changed by people of their workspace only', async () => {
    const forbidden = { code: 'forbidden' };
    await expect(policies.create(agent, rule())).rejects.toMatchObject(forbidden);
    await expect(policies.update(agent, 'pol_1', { decision: 'allow' })).rejects.toMatchObject(forbidden);
    await expect(policies.remove(agent, 'pol_1')).rejects.toMatchObject(forbidden);
    await expect(policies.remove(ada, 'pol_1')).rejects.toThrow(
      'There is no policy "pol_1". `executor policy ls` lists them.',
    );
    await expect(policies.update(ada, 'pol_1', { note: 'x' })).rejects.toMatchObject({ code: 'notFound' });
    await expect(policies.update(ada, 'pol_1', {})).rejects.toMatchObject({ code: 'invalidRequest' });
    const nobody = rule({ scope: { type: 'actor', actorId: 'act_nobody' } });
    await expect(policies.create(ada, nobody)).rejects.toMatchObject({ code: 'invalidRequest' });
    const foreign = await new Fixture(() => opened).newWorkspace('foreign');
    const eve: Principal = { ...ada, workspaceId: foreign.workspace.id, actorId: foreign.actor.id };
    const { id } = await policies.create(ada, rule());
    await expect(policies.remove(eve, id)).rejects.toMatchObject({ code: 'notFound' });
    expect((await policies.list(eve, { limit: 10 })).items).toEqual([]);
  });

  test('of another process apply at once if read fresh, and within seconds otherwise', async () => {
    await decide();
    // A process that sends no change notices.
    const { subscribe: _, ...silent } = opened.store;
    const other = new Policies({
      store: { ...silent, policies: opened.store.policies, subscribe: () => () => {} },
      now,
      validator: new InputValidator(),
      tools: knownTools(tool),
    });
    const unnotified = new Policies({
      store: { ...opened.store, subscribe: () => () => {} },
      now,
      validator: new InputValidator(),
      tools: knownTools(tool),
    });
    const decideUnnotified = (options?: { fresh: boolean }) => unnotified.decide(ada, tool, {}, options);
    expect((await decideUnnotified()).decision).toBe('requireApproval');
    const { id } = await other.create(ada, rule());
    expect((await decide()).decision).toBe('deny');
    expect((await decideUnnotified()).decision).toBe('requireApproval');
    expect((await decideUnnotified({ fresh: true })).decision).toBe('deny');
    await other.remove(ada, id);
    pass(5_001);
    expect((await decideUnnotified()).decision).toBe('requireApproval');
    await other.create(ada, rule());
    pass(2_001);
    expect((await decideUnnotified()).decision).toBe('requireApproval');
    await expect.poll(async () => (await decideUnnotified()).decision).toBe('deny');
  });

  test('are saved with warnings, or rejected for them if strict', async () => {
    const ahead = rule({ pattern: 'githib.issues.creat', conditions: [{ field: 'x', equals: 1 }] });
    const warnings = ['No tool matches githib.issues.creat. Did you mean github.issues.create?'];
    await expect(policies.create(ada, ahead, { strict: true })).rejects.toMatchObject({
      code: 'invalidRequest',
      message: `${warnings[0]} The rule was not saved.`,
      details: { warnings },
    });
    expect((await policies.list(ada, { limit: 10 })).items).toEqual([]);
    const { id } = await policies.create(ada, ahead);
    const change = { pattern: tool.path };
    await expect(policies.update(ada, id, change, { strict: true })).rejects.toThrow('has no field x');
    expect(await policies.update(ada, id, change)).toMatchObject({
      pattern: tool.path,
      warnings: [`${tool.path} has no field x.`],
    });
    const fixed = await policies.update(ada, id, { conditions: [] }, { strict: true });
    expect(fixed).not.toHaveProperty('warnings');
  });

  test('may contain any text, and so may their audit entries', async () => {
    const odd = rule({
      pattern: '**',
      conditions: [{ field: 'a\u0000', equals: '\ud800 \\u0000 \u0000' }],
      note: 'a\u0000b',
    });
    const created = await policies.create(ada, odd);
    expect(created).toMatchObject(odd);
    expect((await policies.list(ada, { limit: 1 })).items).toEqual([created]);
    expect(await audit()).toMatchObject({
      details: {
        after: { conditions: [{ field: 'a\ufffd', equals: '\ufffd \\u0000 \ufffd' }], note: 'a\ufffdb' },
      },
    });
  });

  test('with conditions do not hide a tool, and say so without an input', async () => {
    const { id } = await policies.create(ada, rule({ conditions: [{ field: 'amount', greaterThan: 100 }] }));
    expect((await policies.outlook(ada))(tool)).toBe('requireApproval');
    expect(await decide({})).toMatchObject({ decision: 'deny', policyId: id });
    expect(await decide({ amount: 5 })).toMatchObject({ decision: 'requireApproval' });
    expect(await policies.explain(ada, { path: tool.path })).toMatchObject({
      decision: 'requireApproval',
      considered: [{ matched: false, why: 'It does not match: it depends on amount.' }],
      note: 'Without an input, rules with conditions do not match.',
    });
  });

  describe('explain', () => {
    test('shows a person every rule for this path and caller, strongest first', async () => {
      const wide = await policies.create(ada, rule({ pattern: '**', decision: 'allow' }));
      const closed = await policies.create(
        ada,
        rule({ pattern: tool.path, conditions: [{ field: 'state', equals: 'closed' }] }),
      );
      const opens = await policies.create(
        ada,
        rule({
          decision: 'requireApproval',
          conditions: [{ field: 'state', equals: 'open' }],
          note: 'Look first',
        }),
      );
      await policies.create(ada, rule({ pattern: 'slack.**' }));
      await policies.create(ada, rule({ scope: { type: 'client', clientId: 'other' } }));
      expect(await policies.explain(ada, { path: tool.path, input: { repo: 'a' } })).toEqual({
        decision: 'requireApproval',
        reason: `Rule ${opens.id} for the workspace (github.**, on state) says ask.`,
        policy: opens,
        considered: [
          { policy: opens, matched: true, why: 'It decides.' },
          {
            policy: wide,
            matched: true,
            why: `It matches. ${opens.id} decides: it is more specific, or equally specific and at least as strict.`,
          },
          { policy: closed, matched: false, why: 'It does not match: state is not "closed".' },
        ],
        tool: { path: tool.path, effect: 'write' },
      });
    });

    test('notes an unknown tool and an invalid input', async () => {
      expect(await policies.explain(ada, { path: 'github.gone' })).toEqual({
        decision: 'requireApproval',
        reason: 'No rule matches. The default for writes is ask.',
        considered: [],
        note: 'There is no tool github.gone now. This is the decision for a tool that writes.',
      });
      expect(await policies.explain(ada, { path: tool.path, input: { repos: 1 } })).toMatchObject({
        note: 'A call with this input is rejected before the rules are applied: input.repos is unknown; did you mean repo?',
      });
    });

    test('shows an agent the rule that decides and no other, and hides whether a denied tool exists', async () => {
      const { note: _, ...shown } = await policies.create(
        ada,
        rule({ note: 'They leak', decision: 'allow' }),
      );
      const secret = await policies.create(ada, rule({ pattern: '**', note: 'For Bob' }));
      const own = await policies.explain(agent, { path: tool.path, input: {} });
      expect(own).toEqual({
        decision: 'allow',
        reason: `Rule ${shown.id} for the workspace (github.**) says allow.`,
        policy: shown,
        considered: [{ policy: shown, matched: true, why: 'It decides.' }],
        tool: { path: tool.path, effect: 'write' },
      });
      await policies.update(ada, shown.id, { decision: 'deny' });
      const known = await policies.explain(agent, { path: tool.path, input: {} });
      const unknown = await policies.explain(agent, { path: 'github.nothing', input: {} });
      expect(known).toEqual(unknown);
      expect(JSON.stringify([own, known, unknown])).not.toMatch(`leak|Bob|${secret.id}`);
      expect(JSON.stringify(await policies.list(agent, { limit: 10 }))).not.toMatch('leak|Bob');
    });
  });
});
