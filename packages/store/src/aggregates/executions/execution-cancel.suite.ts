import { beforeAll, describe, expect, test } from 'vitest';
import { entry, later } from '../../../test/fixture.ts';
import {
  cancelled,
  dispatched,
  endingOf,
  longMs,
  type RunFixture,
  type Runs,
  requested,
  runsOf,
  shortMs,
} from '../../../test/runs.ts';

export function describeCancelling(fixture: RunFixture): void {
  describe('cancelling', () => {
    let runs: Runs;
    beforeAll(async () => {
      runs = await runsOf(fixture, 'cancelled');
    });
    const cancel = (id: string, workspaceId = runs.workspaceId) =>
      fixture.store.executions.cancel(workspaceId, id, { requested, cancelled }, entry(workspaceId));

    test('leaves a request in the journal, and the holder ends the run', async () => {
      const { run, lease } = await runs.held();
      expect(await cancel(run.id)).toBe('requested');
      expect(await runs.find(run.id)).toMatchObject({ status: 'running', finishedAt: null, lastSeq: 2 });
      expect(await fixture.store.executions.append(lease, 1, { events: [dispatched(0)] })).toEqual({
        seq: 3,
      });
      await fixture.store.executions.finish(lease, 2, endingOf({ status: 'cancelled', events: [cancelled] }));
      expect(await runs.types(run.id)).toEqual([
        'execution.created',
        'execution.cancelRequested',
        'call.dispatched',
        'execution.cancelled',
      ]);
    });

    test('ends a run without a holder at once and withdraws its questions', async () => {
      const { run, question } = await runs.waiting();
      expect(await cancel(run.id)).toBe('cancelled');
      expect(await runs.find(run.id)).toMatchObject({
        status: 'cancelled',
        finishedAt: later(9),
        wakeAt: null,
        lastSeq: 4,
      });
      expect((await runs.types(run.id)).slice(2)).toEqual([
        'execution.cancelRequested',
        'execution.cancelled',
      ]);
      expect(await fixture.store.interactions.find(runs.workspaceId, question.id)).toMatchObject({
        status: 'withdrawn',
        resolvedAt: later(9),
      });
      expect(await fixture.store.executions.lease(run.id, 'two', longMs)).toBeUndefined();
    });

    test('ends a run with an expired lease at once, and its holder can no longer write', async () => {
      const { run, lease } = await runs.held({}, shortMs);
      await fixture.passTime(shortMs * 2);
      expect(await cancel(run.id)).toBe('cancelled');
      await expect(
        fixture.store.executions.append(lease, 1, { events: [dispatched(0)] }),
      ).rejects.toMatchObject({ code: 'leaseLost' });
      await expect(fixture.store.executions.finish(lease, 1, endingOf())).rejects.toMatchObject({
        code: 'leaseLost',
      });
    });

    test('does not change finished runs or runs of another workspace', async () => {
      const { run, lease } = await runs.held();
      const other = await fixture.newWorkspace('other');
      expect(await cancel(run.id, other.workspace.id)).toBeUndefined();
      expect(await cancel('exe_none')).toBeUndefined();
      await fixture.store.executions.finish(lease, 1, endingOf());
      const before = await runs.find(run.id);
      expect(await cancel(run.id)).toBe('finished');
      expect(await runs.find(run.id)).toEqual(before);
    });

    test('that races a completion ends the run once, with the first outcome', async () => {
      for (let round = 0; round < 5; round++) {
        const { run, lease } = await runs.held();
        const [answer] = await Promise.all([
          cancel(run.id),
          fixture.store.executions.finish(lease, 1, endingOf()),
        ]);
        const types = await runs.types(run.id);
        expect(await runs.find(run.id)).toMatchObject({ status: 'completed', lastSeq: types.length });
        expect(types).toEqual(
          answer === 'finished'
            ? ['execution.created', 'execution.completed']
            : ['execution.created', 'execution.cancelRequested', 'execution.completed'],
        );
      }
    });
  });
}
