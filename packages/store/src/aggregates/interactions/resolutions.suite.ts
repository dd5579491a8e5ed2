import type { PolicyRow } from '@executor/engine';
import { newId } from '@executor/engine';
import { beforeAll, describe, expect, test } from 'vitest';
import { at, entry, type Fixture, later } from '../../../test/fixture.ts';
import { cancelled, Runs, requested } from '../../../test/runs.ts';

/** The effects of an answer outside of its interaction. They need the whole store. */
export function describeResolutions(fixture: Fixture): void {
  describe('resolutions', () => {
    let runs: Runs;
    beforeAll(async () => {
      runs = new Runs(fixture.store, await fixture.newWorkspace('resolved'));
    });
    const ruleOf = (): PolicyRow => ({
      id: newId('pol', at),
      workspaceId: runs.workspaceId,
      scope: { type: 'workspace' },
      pattern: 'github.**',
      conditions: [],
      decision: 'allow',
      createdBy: 'act_1',
      createdAt: at,
      updatedAt: at,
    });
    const answer = {
      resolution: { action: 'approve', actorId: 'act_1' },
      at: later(3),
      identical: false,
    } as const;

    test('add an audit entry and a rule together with the answer', async () => {
      const { question } = await runs.waiting();
      const policy = ruleOf();
      const audit = [
        entry(runs.workspaceId, { action: 'interaction.resolved', target: question.id }),
        entry(runs.workspaceId, { action: 'policy.created', target: policy.id }),
      ];
      await fixture.store.interactions.resolve(
        runs.workspaceId,
        question.id,
        { ...answer, policy },
        () => audit,
      );
      expect(await fixture.store.policies.all(runs.workspaceId)).toEqual([policy]);
      const log = await fixture.store.audit.list(runs.workspaceId, { limit: 10 });
      expect(log.items.map(({ action }) => action).sort()).toEqual([
        'interaction.resolved',
        'policy.created',
      ]);
    });

    test('that arrive too late have no effect', async () => {
      const { question } = await runs.waiting();
      await fixture.store.interactions.resolve(runs.workspaceId, question.id, answer, () => []);
      const [policies, log] = [await fixture.count('policies'), await fixture.count('audit')];
      const late = { ...answer, policy: ruleOf() };
      const answers = await fixture.store.interactions.resolve(runs.workspaceId, question.id, late, () => [
        entry(runs.workspaceId),
      ]);
      expect(answers?.type).toBe('settled');
      expect([await fixture.count('policies'), await fixture.count('audit')]).toEqual([policies, log]);
    });

    test('change nothing if the audit entry cannot be written', async () => {
      const { run, question } = await runs.waiting();
      const before = await runs.find(run.id);
      const policies = await fixture.count('policies');
      const taken = await fixture.takenEntry(runs.workspaceId);
      const resolving = fixture.store.interactions.resolve(
        runs.workspaceId,
        question.id,
        { ...answer, policy: ruleOf() },
        () => [entry(runs.workspaceId), taken],
      );
      await expect(resolving).rejects.toThrow();
      expect((await fixture.store.interactions.find(runs.workspaceId, question.id))?.status).toBe('pending');
      expect(await runs.find(run.id)).toEqual(before);
      expect(await runs.types(run.id)).toEqual(['execution.created', 'execution.waiting']);
      expect(await fixture.count('policies')).toBe(policies);
    });

    test('and cancels are audited once, and fail without their audit entry', async () => {
      const { run } = await runs.waiting();
      const events = { requested, cancelled };
      const taken = await fixture.takenEntry(runs.workspaceId);
      await expect(
        fixture.store.executions.cancel(runs.workspaceId, run.id, events, taken),
      ).rejects.toThrow();
      expect((await runs.find(run.id))?.status).toBe('waiting');
      const before = await fixture.count('audit');
      for (const audit of [entry(runs.workspaceId), entry(runs.workspaceId)]) {
        await fixture.store.executions.cancel(runs.workspaceId, run.id, events, audit);
      }
      expect(await fixture.count('audit')).toBe(before + 1);
    });
  });
}
