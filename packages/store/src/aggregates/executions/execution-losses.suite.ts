import type { Leased, LeaseShare } from '@executor/engine';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  endingOf,
  everybody,
  longMs,
  type RunFixture,
  type Runs,
  runsOf,
  shortMs,
} from '../../../test/runs.ts';

export function describeLosses(fixture: RunFixture): void {
  describe('lost leases', () => {
    let runs: Runs;
    let executions: RunFixture['store']['executions'];
    beforeAll(async () => {
      ({ executions } = fixture.store);
      runs = await runsOf(fixture, 'lost');
    });
    const take = (share: Partial<LeaseShare> = {}) =>
      executions.leaseNext('two', longMs, { ...everybody, suspectAfterMs: 0, ...share });
    const idsOf = (leased: Leased[]) => leased.map(({ execution }) => execution.id);
    // Takes the runs that other tests left behind.
    beforeEach(async () => {
      await executions.noteLosses('others');
      while ((await executions.leaseNext('others', longMs, { ...everybody, suspectAfterMs: 0 })).length > 0);
    });
    /** Runs that a process held when it died. Its leases have expired. */
    const orphans = async (owner: string, count: number, status: 'running' | 'waiting' = 'running') => {
      const held = [];
      for (let number = 0; number < count; number++) {
        const run = await runs.create({ type: 'leased', owner, ttlMs: shortMs });
        const lease = { id: run.id, owner, epoch: 1 };
        if (status === 'waiting') await executions.append(lease, 1, { events: [], status });
        held.push(lease);
      }
      await fixture.passTime(shortMs * 2);
      return held;
    };

    test('make the run of a process that died a suspect, once they are noted', async () => {
      const [lease] = await orphans('dead 1', 1);
      expect(await take()).toEqual([]);
      expect(await executions.lease(lease?.id ?? '', 'two', longMs)).toBeUndefined();
      await executions.noteLosses('two');
      expect(await executions.lease(lease?.id ?? '', 'two', longMs)).toBeUndefined();
      const [taken] = await take();
      expect(taken).toMatchObject({ execution: { id: lease?.id }, epoch: 2, losses: { all: 1, alone: 1 } });
    });

    test('blame nobody alone if the process executed several runs', async () => {
      const leases = await orphans('dead 2', 2);
      const unexpired = await runs.create({ type: 'leased', owner: 'dead 2', ttlMs: longMs });
      await executions.noteLosses('two');
      const [first, ...more] = await take();
      expect(more).toEqual([]);
      const [second] = await take();
      expect(idsOf([first as Leased, second as Leased]).sort()).toEqual(leases.map(({ id }) => id).sort());
      expect([first?.losses, second?.losses]).toEqual([
        { all: 1, alone: 0 },
        { all: 1, alone: 0 },
      ]);
      // Noted with the others, and not once more when its own lease ends.
      await executions.noteLosses('two');
      expect(await runs.find(unexpired.id)).toMatchObject({ status: 'running' });
    });

    test('blame no waiting run', async () => {
      const leases = await orphans('dead 3', 2, 'waiting');
      await executions.noteLosses('two');
      const taken = await take();
      expect(idsOf(taken).sort()).toEqual(leases.map(({ id }) => id).sort());
      expect(taken.map(({ losses }) => losses)).toEqual([undefined, undefined]);
    });

    test('blame a run that executed beside waiting ones', async () => {
      const [busy] = await orphans('dead 4', 1);
      await orphans('dead 4', 1, 'waiting');
      await executions.noteLosses('two');
      const suspects = (await take()).filter(({ losses }) => losses !== undefined);
      expect(suspects).toMatchObject([{ execution: { id: busy?.id }, losses: { all: 1, alone: 1 } }]);
    });

    test('add up, and the run that was lost most often is taken first, without runs of agents', async () => {
      const [often] = await orphans('dead 5', 1);
      await executions.noteLosses('two');
      const [taken] = await executions.leaseNext('dead 6', shortMs, { ...everybody, suspectAfterMs: 0 });
      expect(taken?.execution.id).toBe(often?.id);
      const [once] = await orphans('dead 7', 1);
      await executions.noteLosses('two');
      const agent = await runs.create({ type: 'queued' }, { principalKind: 'agent', ownerId: 'agent' });
      const person = await runs.create({ type: 'queued' });
      await fixture.passTime(5);
      const first = await take();
      expect(idsOf(first).sort()).toEqual([often?.id, person.id].sort());
      expect(first.find(({ execution }) => execution.id === often?.id)?.losses).toEqual({ all: 2, alone: 2 });
      const others = await take({ suspectAfterMs: undefined });
      expect(idsOf(others)).toEqual([agent.id]);
      expect(idsOf(await take())).toEqual([once?.id]);
    });

    test('let busy workers wait for each of them, and say when a suspect can be taken', async () => {
      await orphans('dead 8', 1);
      await executions.noteLosses('two');
      const due = (suspectAfterMs?: number) =>
        executions.nextRunnableAt({ agents: true, except: [], suspectAfterMs });
      const now = fixture.now().getTime();
      expect((await due(0))?.getTime()).toBeLessThanOrEqual(now);
      expect((await due(60_000))?.getTime()).toBeGreaterThan(now + 30_000);
      expect((await due(undefined))?.getTime() ?? Number.POSITIVE_INFINITY).toBeGreaterThan(now);
      expect(await take({ suspectAfterMs: 60_000 })).toEqual([]);
      expect(await take()).toHaveLength(1);
    });

    test('are forgotten when the run waits, when it survives, and when its holder is alive', async () => {
      const suspect = async (owner: string) => {
        const [lease] = await orphans(owner, 1);
        await executions.noteLosses('two');
        const [taken] = await take();
        return { former: lease, lease: { id: taken?.execution.id ?? '', owner: 'two', epoch: 2 } };
      };
      const again = async ({ id }: { id: string }) => {
        const { lastSeq: knownSeq = 0 } = (await runs.find(id)) ?? {};
        await executions.release({ id, owner: 'two', epoch: 2 }, { status: 'queued', knownSeq });
        await fixture.passTime(5);
        const taken = await take();
        return taken.find(({ execution }) => execution.id === id)?.losses;
      };
      expect(await again((await suspect('dead 9')).lease)).toEqual({ all: 1, alone: 1 });
      const survivor = await suspect('dead 10');
      await executions.clearLosses(survivor.lease);
      expect(await again(survivor.lease)).toBeUndefined();
      const sleeper = await suspect('asleep');
      await executions.clearLosses(sleeper.former as NonNullable<typeof sleeper.former>);
      expect(await again(sleeper.lease)).toBeUndefined();
      const { lease: waiting } = await suspect('dead 11');
      const wakeAt = new Date(fixture.now().getTime() - 1_000);
      await executions.release(waiting, { status: 'waiting', knownSeq: 1, wakeAt });
      await fixture.passTime(5);
      expect((await take()).map(({ losses }) => losses)).toEqual([undefined]);
    });

    test('are taken back if the holder renews its lease, and are not noted if it excused itself', async () => {
      const [slow] = await orphans('slow', 1);
      await executions.noteLosses('two');
      expect(await executions.renew(slow ? [slow] : [], shortMs)).toEqual([slow?.id]);
      const [stopped] = await orphans('stopped', 1);
      if (stopped) await executions.excuseLoss(stopped);
      await fixture.passTime(shortMs * 2);
      await executions.noteLosses('two');
      const taken = await take();
      expect(idsOf(taken).sort()).toEqual([slow?.id, stopped?.id].sort());
      expect(taken.map(({ losses }) => losses)).toEqual([undefined, undefined]);
    });

    test('of runs that ended do not count', async () => {
      const ended = await runs.create({ type: 'leased', owner: 'dead 12', ttlMs: shortMs });
      await executions.finish({ id: ended.id, owner: 'dead 12', epoch: 1 }, 1, endingOf());
      const [alone] = await orphans('dead 12', 1);
      await executions.noteLosses('two');
      expect(await take()).toMatchObject([{ execution: { id: alone?.id }, losses: { all: 1, alone: 1 } }]);
    });
  });
}
