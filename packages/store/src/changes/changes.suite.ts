import type { StoreChange } from '@executor/engine';
import { beforeAll, describe, expect, test } from 'vitest';
import { entry, type Fixture, later } from '../../test/fixture.ts';
import { cancelled, dispatched, endingOf, Runs, requested } from '../../test/runs.ts';

export function describeChanges(fixture: Fixture): void {
  describe('changes', () => {
    let runs: Runs;
    beforeAll(async () => {
      runs = new Runs(fixture.store, await fixture.newWorkspace('observed'));
    });

    test('of runs send a notice after each commit, and none if nothing changed', async () => {
      const notices: StoreChange[] = [];
      const unsubscribe = fixture.store.subscribe((change) => notices.push(change));
      const { executions, interactions } = fixture.store;
      const counts: number[] = [];
      const count = () => counts.push(notices.length);
      const { run, lease } = await runs.held({ idempotencyKey: 'k' });
      count();
      await runs.held({ idempotencyKey: 'k' });
      count();
      await executions.append(lease, 1, { events: [dispatched(0)] });
      count();
      await executions.append(lease, 1, { events: [dispatched(0)] });
      await executions.append({ ...lease, epoch: 7 }, 1, { events: [] }).catch(() => {});
      count();
      await executions.cancel(runs.workspaceId, run.id, { requested, cancelled }, entry(runs.workspaceId));
      count();
      await executions.finish(lease, 2, endingOf());
      count();
      expect(counts).toEqual([1, 1, 2, 2, 3, 4]);
      const { question, run: waiting } = await runs.waiting();
      const before = notices.length;
      const answer = {
        resolution: { action: 'deny', actorId: 'a' },
        at: later(1),
        identical: false,
      } as const;
      await interactions.resolve(runs.workspaceId, question.id, answer, () => []);
      await interactions.resolve(runs.workspaceId, question.id, answer, () => []);
      expect(notices.slice(before)).toEqual([
        { type: 'execution', workspaceId: runs.workspaceId, executionId: waiting.id, forHolder: true },
      ]);
      unsubscribe();
      await runs.held();
      expect(notices).toHaveLength(before + 1);
    });
  });
}
