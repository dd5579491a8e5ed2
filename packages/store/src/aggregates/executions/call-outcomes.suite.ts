import type { Lease, NewEvent } from '@executor/engine';
import { describe, expect, test } from 'vitest';
import { entry, type Fixture, later } from '../../../test/fixture.ts';
import { dispatched, endingOf, Runs } from '../../../test/runs.ts';

const outcome = (index: number) => {
  const result = { type: 'value' as const, json: '"late"' };
  return { type: 'call.completed' as const, index, deliveredAt: 1, result, at: later(9) };
};

/** How calls end that were sent before their run ended or its key was revoked. */
export function describeCallOutcomes(fixture: Fixture): void {
  describe('the outcome of a call after the end of its run', () => {
    const keyed = async (label: string, events: NewEvent[]) => {
      const { key } = await fixture.newKey(label);
      const runs = new Runs(fixture.store, {
        workspace: { id: key.workspaceId },
        actor: { id: key.actorId },
      });
      const { run, lease } = await runs.held({ ownerId: key.id, principalKind: 'agent' });
      await fixture.store.executions.append(lease, 1, { events });
      const revoke = () => fixture.store.apiKeys.revoke(key.workspaceId, key.id, entry(key.workspaceId));
      return { runs, run, lease, revoke };
    };
    const append = (lease: Lease, batch: number, index = 0) =>
      fixture.store.executions.appendOutcome(lease, batch, outcome(index));

    test('is written once, also if it is sent several times at once', async () => {
      const { runs, run, lease, revoke } = await keyed('late outcomes', [dispatched(0), dispatched(1)]);
      await revoke();
      const answers = await Promise.all([append(lease, 2), append(lease, 2), append(lease, 2)]);
      expect(answers.filter((written) => written)).toEqual([true]);
      expect(await append(lease, 3)).toBe(false);
      expect(await append(lease, 3, 1)).toBe(true);
      const types = await runs.types(run.id);
      expect(types.slice(-3)).toEqual(['execution.cancelled', 'call.completed', 'call.completed']);
      expect(await runs.find(run.id)).toMatchObject({ status: 'cancelled', lastSeq: types.length });
    });

    test('is refused from others than the last holder, and for a call that was not sent', async () => {
      const { runs, run, lease, revoke } = await keyed('refused outcomes', [dispatched(0)]);
      expect(await append(lease, 2)).toBe(false);
      await revoke();
      const before = await runs.types(run.id);
      expect(await append({ ...lease, owner: 'two' }, 2)).toBe(false);
      expect(await append({ ...lease, epoch: 2 }, 2)).toBe(false);
      expect(await append(lease, 1)).toBe(false);
      expect(await append(lease, 2, 1)).toBe(false);
      expect(await runs.types(run.id)).toEqual(before);
    });

    test.each(['completed', 'failed'] as const)('is written to a run that has %s', async (status) => {
      const { run, runs, lease } = await keyed(`ended as ${status}`, [dispatched(0)]);
      await fixture.store.executions.finish(lease, 2, endingOf({ status }));
      expect(await append(lease, 3)).toBe(true);
      expect(await append(lease, 4)).toBe(false);
      expect((await runs.types(run.id)).at(-1)).toBe('call.completed');
    });

    test('is refused for a run that was cancelled', async () => {
      const { run, runs, lease } = await keyed('ended otherwise', [dispatched(0)]);
      await fixture.store.executions.finish(lease, 2, endingOf({ status: 'cancelled' }));
      expect(await append(lease, 3)).toBe(false);
      expect(await runs.types(run.id)).not.toContain('call.completed');
    });
  });
}
