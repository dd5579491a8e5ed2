import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Fixture, later } from '../../test/fixture.ts';
import { longMs, Runs, refusalOf } from '../../test/runs.ts';

const patience = { timeout: 20_000, interval: 20 };

export function describeWakeUps(fixture: Fixture): void {
  describe('wake-ups', () => {
    let runs: Runs;
    beforeAll(async () => {
      runs = new Runs(fixture.store, await fixture.newWorkspace('woken'));
    });

    /** The wake-ups that a receiver got, with their times. */
    const receive = async () => {
      const woken: string[] = [];
      const times = new Map<string, number>();
      const receiver = await fixture.store.receiveWakeUps(async (ids) => {
        for (const id of ids) times.set(id, Date.now());
        woken.push(...ids);
      });
      onTestFinished(() => receiver.stop());
      return { woken, times, stop: () => receiver.stop() };
    };
    const waitingUntil = async (wakeAt: Date) => {
      const { run, lease } = await runs.held();
      await fixture.store.executions.release(lease, { status: 'waiting', knownSeq: 1, wakeAt });
      return run.id;
    };
    const queued = async () => {
      const { rows } = await fixture.sql(
        `select data ->> 'executionId' as id from executor_queue.job where name = 'wake'`,
      );
      return rows.map(({ id }) => id as string);
    };

    test('are sent once for runs that were queued, released or answered', async () => {
      const created = await runs.create({ type: 'queued' });
      const released = await runs.held();
      await fixture.store.executions.release(released.lease, { status: 'queued', knownSeq: 1 });
      const { run: answered, question } = await runs.waiting();
      const resolution = { action: 'approve', actorId: 'act_1' } as const;
      const answer = { resolution, at: later(1), identical: false };
      await fixture.store.interactions.resolve(runs.workspaceId, question.id, answer, () => []);
      const expected = [created.id, released.run.id, answered.id];
      expect(await queued()).toEqual(expect.arrayContaining(expected));
      const { woken } = await receive();
      await vi.waitUntil(() => expected.every((id) => woken.includes(id)), patience);
      expect(await queued()).not.toEqual(expect.arrayContaining([created.id]));
    });

    test('are not sent for runs that are held, wait for an answer or have ended', async () => {
      const { run: held } = await runs.held();
      const { run: waiting } = await runs.waiting();
      const failed = await runs.create(refusalOf({ code: 'syntax', message: 'x' }));
      const ids = await queued();
      for (const { id } of [held, waiting, failed]) expect(ids).not.toContain(id);
    });

    test('are not sent with a change that is refused', async () => {
      const { run, question } = await runs.waiting();
      const taken = await fixture.takenEntry(runs.workspaceId);
      const resolution = { action: 'approve', actorId: 'act_1' } as const;
      const answer = { resolution, at: later(1), identical: false };
      const { interactions, executions } = fixture.store;
      await expect(
        interactions.resolve(runs.workspaceId, question.id, answer, () => [taken]),
      ).rejects.toThrow();
      const { run: held, lease } = await runs.held();
      const wakeAt = new Date();
      expect(await executions.release(lease, { status: 'waiting', knownSeq: 0, wakeAt })).toBe('unread');
      const key = { idempotencyKey: 'once' };
      const first = await runs.create({ type: 'queued' }, key);
      await runs.create({ type: 'queued' }, key);
      const ids = await queued();
      expect(ids).not.toContain(run.id);
      expect(ids).not.toContain(held.id);
      expect(ids.filter((id) => id === first.id)).toHaveLength(1);
    });

    test('are not delivered early', async () => {
      const due = new Date(Date.now() + 2_500);
      const [soon, far] = [await waitingUntil(due), await waitingUntil(new Date(Date.now() + longMs))];
      const now = await runs.create({ type: 'queued' });
      const early = await receive();
      await vi.waitUntil(() => early.woken.includes(now.id), patience);
      await early.stop();
      await fixture.passTime(Math.max(0, due.getTime() - Date.now()));
      const late = await receive();
      await vi.waitUntil(() => [...early.woken, ...late.woken].includes(soon), patience);
      expect(early.times.get(soon) ?? late.times.get(soon)).toBeGreaterThanOrEqual(due.getTime());
      expect([...early.woken, ...late.woken]).not.toContain(far);
    });

    test('are delivered to one receiver each', async () => {
      const ids = await Promise.all(
        Array.from({ length: 30 }, async () => (await runs.create({ type: 'queued' })).id),
      );
      const receivers = await Promise.all([receive(), receive(), receive()]);
      const all = () => receivers.flatMap(({ woken }) => woken).filter((id) => ids.includes(id));
      await vi.waitUntil(() => all().length >= ids.length, patience);
      expect(all().sort()).toEqual(ids.sort());
    });

    test('are still delivered to others when a receiver fails or is stopped', async () => {
      await runs.create({ type: 'queued' });
      let failed = 0;
      const failing = await fixture.store.receiveWakeUps(async () => {
        failed++;
        throw new Error('cannot');
      });
      await vi.waitUntil(() => failed > 0, patience);
      await failing.stop();
      const { id } = await runs.create({ type: 'queued' });
      const { woken } = await receive();
      await vi.waitUntil(() => woken.includes(id), patience);
    });
  });
}
