import type { Lease, LeaseShare } from '@executor/engine';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { at } from '../../../test/fixture.ts';
import {
  cancelled,
  dispatched,
  endingOf,
  everybody,
  longMs,
  type RunFixture,
  type Runs,
  requested,
  runsOf,
  shortMs,
} from '../../../test/runs.ts';

export function describeLeases(fixture: RunFixture): void {
  describe('leases', () => {
    let runs: Runs;
    beforeAll(async () => {
      runs = await runsOf(fixture, 'held');
    });
    // Takes the runs that other tests left behind.
    beforeEach(async () => {
      const { executions } = fixture.store;
      await executions.noteLosses('others');
      while ((await executions.leaseNext('others', longMs, { ...everybody, suspectAfterMs: 0 })).length > 0);
    });
    /** Takes a run whose lease has expired. */
    const takeOver = async (lease: Lease, owner = 'two') => {
      await fixture.store.executions.noteLosses(owner);
      await fixture.store.executions.clearLosses(lease);
      return fixture.store.executions.lease(lease.id, owner, longMs);
    };

    test('are granted to one of many concurrent workers', async () => {
      const { id } = await runs.create({ type: 'queued' });
      const tries = await Promise.all(
        Array.from({ length: 6 }, (_, number) => fixture.store.executions.lease(id, `w${number}`, longMs)),
      );
      const taken = tries.filter((leased) => leased !== undefined);
      expect(taken.map(({ epoch }) => epoch)).toEqual([1]);
      expect(taken[0]?.execution).toMatchObject({ id, status: 'running', startedAt: expect.any(Date) });
      expect(await runs.find(id)).toEqual(taken[0]?.execution);
    });

    test('are granted once by concurrent sweepers, longest waiting first', async () => {
      const ids = [];
      for (let number = 0; number < 12; number++) {
        ids.push((await runs.create({ type: 'queued' })).id);
        await fixture.passTime(2);
      }
      expect(await runs.takeAll(3)).toEqual(ids.slice(0, 3));
      const rest = await Promise.all(Array.from({ length: 6 }, () => runs.takeAll(2)));
      expect(rest.flat().sort()).toEqual(ids.slice(3).sort());
      expect(await runs.takeAll()).toEqual([]);
    });

    test('give owners turns, people first, within the shares of owners and agents', async () => {
      const queued = async (ownerId: string, principalKind: 'person' | 'agent') => {
        await fixture.passTime(2);
        return (await runs.create({ type: 'queued' }, { ownerId, principalKind })).id;
      };
      const greedy: string[] = [];
      for (let number = 0; number < 5; number++) greedy.push(await queued('greedy', 'agent'));
      const modest = await queued('modest', 'agent');
      const ada = await queued('ada', 'person');
      const take = (share: Partial<LeaseShare>) => runs.takeAll(100, share);
      expect(await take({ limit: 2 })).toEqual([greedy[0], ada]);
      expect(await take({ agents: 0 })).toEqual([]);
      const shares = { perOwner: { person: 0, agent: 3 }, held: { greedy: 2 } };
      expect(await take(shares)).toEqual([greedy[1], modest]);
      const next = { agents: true, except: [] as string[] };
      expect(await fixture.store.executions.nextRunnableAt({ ...next, except: ['greedy'] })).not.toEqual(
        await fixture.store.executions.nextRunnableAt(next),
      );
      expect(await take({})).toEqual(greedy.slice(2));
    });

    test('have another limit for each agent than for each person', async () => {
      const queued = async (ownerId: string, principalKind: 'person' | 'agent') => {
        await fixture.passTime(2);
        return (await runs.create({ type: 'queued' }, { ownerId, principalKind })).id;
      };
      const ada = [await queued('ada', 'person'), await queued('ada', 'person')];
      const agent = [await queued('agent', 'agent'), await queued('agent', 'agent')];
      const held = { ada: 1, agent: 1 };
      expect(await runs.takeAll(100, { held, perOwner: { person: 3, agent: 2 } })).toEqual([
        ...ada,
        agent[0],
      ]);
      expect(await runs.takeAll(100, { held, perOwner: { person: 3, agent: 1 } })).toEqual([]);
    });

    test('keep the start time of the run', async () => {
      const { run, lease } = await runs.held();
      await fixture.store.executions.release(lease, { status: 'queued', knownSeq: 1 });
      expect((await fixture.store.executions.lease(run.id, 'two', longMs))?.execution.startedAt).toEqual(at);
    });

    test('can be taken over after they expire, with the next epoch, and the former holder is refused', async () => {
      const { run, lease } = await runs.held({}, shortMs);
      await fixture.passTime(shortMs * 2);
      expect(await fixture.store.executions.holds(lease)).toBe(true);
      expect((await takeOver(lease))?.epoch).toBe(2);
      expect(await fixture.store.executions.holds(lease)).toBe(false);
      await expect(
        fixture.store.executions.append(lease, 1, { events: [dispatched(0)] }),
      ).rejects.toMatchObject({ code: 'leaseLost' });
      expect(await fixture.store.executions.renew([lease], longMs)).toEqual([]);
      const next = { id: run.id, owner: 'two', epoch: 2 };
      await expect(
        fixture.store.executions.append({ ...next, epoch: 1 }, 1, { events: [dispatched(0)] }),
      ).rejects.toMatchObject({ code: 'leaseLost' });
      expect(await fixture.store.executions.append(next, 1, { events: [dispatched(0)] })).toEqual({ seq: 2 });
    });

    test('are lost to a later process of the same name', async () => {
      const { run, lease } = await runs.held({}, shortMs);
      await fixture.passTime(shortMs * 2);
      expect((await fixture.store.executions.lease(run.id, 'one', longMs))?.epoch).toBe(2);
      await expect(fixture.store.executions.finish(lease, 1, endingOf())).rejects.toMatchObject({
        code: 'leaseLost',
      });
    });

    test('remain with their holder after they expire until another worker takes them', async () => {
      const { run, lease } = await runs.held({}, shortMs);
      await fixture.passTime(shortMs * 2);
      expect(await fixture.store.executions.append(lease, 1, { events: [dispatched(0)] })).toEqual({
        seq: 2,
      });
      expect(await fixture.store.executions.renew([lease], longMs)).toEqual([run.id]);
      expect(await runs.takeAll()).toEqual([]);
    });

    test('are renewed together, except lost ones', async () => {
      const [mine, lost, ended] = await Promise.all([1, 2, 3].map(() => runs.held({}, shortMs)));
      await fixture.passTime(shortMs * 2);
      await takeOver(lost?.lease as Lease);
      await fixture.store.executions.finish(ended?.lease as Lease, 1, endingOf());
      const leases = [mine, lost, ended].map((held) => held?.lease as Lease);
      expect(await fixture.store.executions.renew(leases, longMs)).toEqual([mine?.run.id]);
      expect(await fixture.store.executions.renew([], longMs)).toEqual([]);
    });

    test('are extended by a write that needs more time, and never shortened', async () => {
      const { run, lease } = await runs.held({}, shortMs);
      await fixture.store.executions.append(lease, 1, { events: [], leaseMs: longMs });
      await fixture.store.executions.append(lease, 2, { events: [], leaseMs: 1 });
      await fixture.passTime(shortMs * 2);
      expect(await fixture.store.executions.lease(run.id, 'two', longMs)).toBeUndefined();
    });

    test('are not shortened by a renewal', async () => {
      const { run, lease } = await runs.held({}, shortMs);
      await fixture.store.executions.append(lease, 1, { events: [], leaseMs: longMs });
      expect(await fixture.store.executions.renew([lease], 1)).toEqual([run.id]);
      await fixture.passTime(shortMs * 2);
      expect(await fixture.store.executions.lease(run.id, 'two', longMs)).toBeUndefined();
    });

    test('are not granted for runs that wait for an answer', async () => {
      const { run } = await runs.waiting();
      expect(await runs.find(run.id)).toMatchObject({ status: 'waiting', wakeAt: null });
      expect(await runs.takeAll()).toEqual([]);
      expect(await fixture.store.executions.lease(run.id, 'two', longMs)).toBeUndefined();
    });

    test('are granted for sleeping runs when their time has come', async () => {
      const { run, lease } = await runs.held();
      const wakeAt = new Date(fixture.now().getTime() + 1_500);
      const state = { status: 'waiting', knownSeq: 1, wakeAt } as const;
      expect(await fixture.store.executions.release(lease, state)).toBe('released');
      expect(await runs.find(run.id)).toMatchObject({ status: 'waiting', wakeAt });
      expect(await fixture.store.executions.nextRunnableAt({ agents: true, except: [] })).toEqual(wakeAt);
      expect(await runs.takeAll()).toEqual([]);
      await fixture.passTime(1_600);
      expect(await runs.takeAll()).toEqual([run.id]);
      expect(await runs.find(run.id)).toMatchObject({ status: 'running', wakeAt: null });
    });

    test('of sleeping runs wait for a holder whose clock lags', async () => {
      const { run, lease } = await runs.held();
      const wakeAt = new Date(fixture.now().getTime() - 60_000);
      const state = { status: 'waiting', knownSeq: 1, wakeAt, wakeInMs: 1_500 } as const;
      expect(await fixture.store.executions.release(lease, state)).toBe('released');
      expect(await runs.takeAll()).toEqual([]);
      await fixture.passTime(1_600);
      expect(await runs.takeAll()).toEqual([run.id]);
    });

    test('report when the next run can be taken: when a lease ends, or at once', async () => {
      await runs.held({}, 30_000);
      const next = await fixture.store.executions.nextRunnableAt({ agents: true, except: [] });
      const inMs = (next?.getTime() ?? 0) - fixture.now().getTime();
      expect(inMs).toBeGreaterThan(0);
      expect(inMs).toBeLessThan(31_000);
      await runs.create({ type: 'queued' });
      await fixture.passTime(5);
      const soonest = await fixture.store.executions.nextRunnableAt({ agents: true, except: [] });
      expect(soonest?.getTime()).toBeLessThanOrEqual(fixture.now().getTime());
    });

    test('of waiting runs can be taken over when the holder is gone', async () => {
      const { run, lease } = await runs.held({}, shortMs);
      await fixture.store.executions.append(lease, 1, { events: [], status: 'waiting' });
      await fixture.passTime(shortMs * 2);
      expect(await runs.takeAll()).toEqual([run.id]);
    });

    test('are released only by a holder that has read the whole journal', async () => {
      const { run, lease } = await runs.held();
      await fixture.store.executions.append(lease, 1, { events: [], status: 'waiting' });
      const audit = {
        id: `aud_${run.id}`,
        workspaceId: runs.workspaceId,
        at,
        action: 'a',
        actorId: 'b',
        credential: 'c',
      };
      expect(
        await fixture.store.executions.cancel(runs.workspaceId, run.id, { requested, cancelled }, audit),
      ).toBe('requested');
      const release = (knownSeq: number) =>
        fixture.store.executions.release(lease, { status: 'waiting', knownSeq });
      expect(await release(1)).toBe('unread');
      expect(await fixture.store.executions.append(lease, 2, { events: [] })).toEqual({ seq: 2 });
      expect(await release(2)).toBe('released');
      // The acknowledgement may have been lost.
      expect(await release(2)).toBe('released');
      await expect(
        fixture.store.executions.append(lease, 3, { events: [dispatched(0)] }),
      ).rejects.toMatchObject({ code: 'leaseLost' });
    });

    test('end when all holders are known to be gone', async () => {
      const { run, lease } = await runs.held();
      const { run: waiting } = await runs.waiting();
      await fixture.store.executions.endLeases();
      await fixture.passTime(5);
      expect((await takeOver(lease))?.execution.id).toBe(run.id);
      expect(await runs.takeAll(1_000)).not.toContain(waiting.id);
    });
  });
}
