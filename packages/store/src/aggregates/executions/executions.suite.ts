import { beforeAll, describe, expect, test } from 'vitest';
import { at, later } from '../../../test/fixture.ts';
import {
  created,
  dispatched,
  endingOf,
  everybody,
  logged,
  longMs,
  oddText,
  questionOf,
  type RunFixture,
  type Runs,
  refusalOf,
  runOf,
  runsOf,
} from '../../../test/runs.ts';
import { describeCancelling } from './execution-cancel.suite.ts';
import { describeFeed } from './execution-feed.suite.ts';
import { describeLeases } from './execution-leases.suite.ts';
import { describeLosses } from './execution-losses.suite.ts';
import { describeReading } from './execution-reads.suite.ts';

/** The contract of every implementation of runs, with or without a database. */
export function describeExecutions(fixture: RunFixture): void {
  describe('executions', () => {
    describeCreating(fixture);
    describeAppending(fixture);
    describeFinishing(fixture);
    describeLeases(fixture);
    describeLosses(fixture);
    describeCancelling(fixture);
    describeFeed(fixture);
    describeReading(fixture);
  });
}

function describeCreating(fixture: RunFixture): void {
  describe('creation', () => {
    test('gives the creator the first lease', async () => {
      const tenant = await fixture.newWorkspace('leased');
      const run = runOf(tenant);
      const start = { type: 'leased', owner: 'one', ttlMs: longMs } as const;
      const answer = await fixture.store.executions.create(run, [created], start);
      const row = { ...run, ...unfinished, status: 'running', startedAt: at, lastSeq: 1 };
      expect(answer).toEqual({ execution: row, created: true });
      expect(await fixture.store.executions.find(tenant.workspace.id, run.id)).toEqual(row);
      expect(await fixture.store.executions.events(run.id, { afterSeq: 0, limit: 10 })).toEqual([
        { seq: 1, ...created },
      ]);
      expect(await fixture.store.executions.lease(run.id, 'two', longMs)).toBeUndefined();
      const lease = { id: run.id, owner: 'one', epoch: 1 };
      expect(await fixture.store.executions.append(lease, 1, { events: [dispatched(0)] })).toEqual({
        seq: 2,
      });
    });

    test('can queue the run for a worker, or record that it failed before it began', async () => {
      const runs = await runsOf(fixture, 'queued');
      const queued = await runs.create({ type: 'queued' });
      expect(queued).toMatchObject({ ...unfinished, status: 'queued', lastSeq: 1 });
      const error = { code: 'syntax', message: oddText };
      const failed = await runs.create(refusalOf(error), { program: null });
      expect(failed).toMatchObject({
        ...unfinished,
        status: 'failed',
        error,
        finishedAt: later(5),
        program: null,
      });
      expect(await fixture.store.executions.lease(failed.id, 'one', longMs)).toBeUndefined();
      expect((await fixture.store.executions.lease(queued.id, 'one', longMs))?.epoch).toBe(1);
    });

    test('can record a run that has already ended', async () => {
      const runs = await runsOf(fixture, 'ended');
      const { events, ...ending } = endingOf();
      const start = { type: 'ended', startedAt: at, ending } as const;
      const run = runOf(runs.tenant, { idempotencyKey: 'whole' });
      const { execution } = await fixture.store.executions.create(run, [created, ...events], start);
      expect(execution).toMatchObject({ ...ending, startedAt: at, lastSeq: 2 });
      expect(await runs.find(run.id)).toEqual(execution);
      expect(await fixture.store.executions.lease(run.id, 'one', longMs)).toBeUndefined();
      expect(await fixture.store.executions.leaseNext('one', longMs, everybody)).toEqual([]);
      const again = runOf(runs.tenant, { idempotencyKey: 'whole' });
      expect(await fixture.store.executions.create(again, [created, ...events], start)).toEqual({
        execution,
        created: false,
      });
    });

    test('returns the same run for the same idempotency key and owner', async () => {
      const runs = await runsOf(fixture, 'idempotent');
      const other = await runsOf(fixture, 'idempotent elsewhere');
      const first = await runs.create({ type: 'queued' }, { idempotencyKey: 'k', requestHash: 'first' });
      const again = runOf(runs.tenant, { idempotencyKey: 'k', requestHash: 'second' });
      const start = { type: 'leased', owner: 'one', ttlMs: longMs } as const;
      expect(await fixture.store.executions.create(again, [created], start)).toEqual({
        execution: first,
        created: false,
      });
      expect(await runs.find(again.id)).toBeUndefined();
      expect(await runs.types(again.id)).toEqual([]);
      expect((await runs.create({ type: 'queued' }, { idempotencyKey: 'k', ownerId: 'key_2' })).id).not.toBe(
        first.id,
      );
      expect((await other.create({ type: 'queued' }, { idempotencyKey: 'k' })).id).not.toBe(first.id);
    });

    test('creates one run for concurrent requests with one key', async () => {
      const runs = await runsOf(fixture, 'raced');
      const candidates = Array.from({ length: 8 }, () => runOf(runs.tenant, { idempotencyKey: 'k' }));
      const answers = await Promise.all(
        candidates.map((run) => fixture.store.executions.create(run, [created], { type: 'queued' })),
      );
      expect(answers.filter((answer) => answer.created)).toHaveLength(1);
      expect(new Set(answers.map(({ execution }) => execution.id)).size).toBe(1);
      const { items } = await fixture.store.executions.list(runs.workspaceId, {}, { limit: 10 });
      expect(items).toHaveLength(1);
    });

    test('stores every text unchanged', async () => {
      const runs = await runsOf(fixture, 'odd');
      const odd = {
        code: oddText,
        program: { source: oddText, code: oddText, head: 0, map: oddText },
        metadata: { [oddText]: [oddText] },
        epoch: 1_763_208_000_123.5,
      };
      const { run, lease } = await runs.held(odd);
      expect(run).toMatchObject(odd);
      const events = [logged(oddText, 3), dispatched(1)];
      await fixture.store.executions.append(lease, 1, { events });
      const ending = endingOf({
        status: 'failed',
        result: `"${oddText}"`,
        error: { code: 'threw', message: oddText, details: { [oddText]: oddText } },
        omitted: { result: { bytes: 2, shownBytes: 1, hint: oddText } },
      });
      await fixture.store.executions.finish(lease, 2, ending);
      const { events: _, ...ended } = ending;
      expect(await runs.find(run.id)).toEqual({ ...run, ...odd, ...ended, lastSeq: 4 });
      expect(await fixture.store.executions.events(run.id, { afterSeq: 1, limit: 2 })).toEqual(
        events.map((event, index) => ({ seq: 2 + index, ...event })),
      );
    });
  });
}

function describeAppending(fixture: RunFixture): void {
  describe('writing', () => {
    let runs: Runs;
    beforeAll(async () => {
      runs = await runsOf(fixture, 'appended');
    });

    test('numbers events without gaps, also a thousand in one write', async () => {
      const { run, lease } = await runs.held();
      const many = Array.from({ length: 1_000 }, (_, index) => dispatched(index));
      expect(await fixture.store.executions.append(lease, 1, { events: many })).toEqual({ seq: 1_001 });
      expect(await fixture.store.executions.append(lease, 2, { events: [dispatched(1_000)] })).toEqual({
        seq: 1_002,
      });
      const events = await fixture.store.executions.events(run.id, { afterSeq: 0, limit: 2_000 });
      expect(events).toEqual(
        [created, ...many, dispatched(1_000)].map((event, i) => ({ seq: i + 1, ...event })),
      );
      expect((await runs.find(run.id))?.lastSeq).toBe(1_002);
    });

    test('accepts a write without events, which may change the status', async () => {
      const { run, lease } = await runs.held();
      expect(await fixture.store.executions.append(lease, 1, { events: [], status: 'waiting' })).toEqual({
        seq: 1,
      });
      expect((await runs.find(run.id))?.status).toBe('waiting');
      await fixture.store.executions.append(lease, 2, { events: [] });
      expect((await runs.find(run.id))?.status).toBe('waiting');
      await fixture.store.executions.append(lease, 3, { events: [], status: 'running' });
      expect((await runs.find(run.id))?.status).toBe('running');
    });

    test('applies a repeated write once', async () => {
      const { run, lease } = await runs.held();
      const write = { events: [dispatched(0)], ask: [questionOf(run)] };
      const answers = [];
      for (let time = 0; time < 3; time++)
        answers.push(await fixture.store.executions.append(lease, 1, write));
      expect(answers).toEqual([{ seq: 2 }, { seq: 2 }, { seq: 2 }]);
      expect(await fixture.store.interactions.pendingOf(run.id)).toHaveLength(1);
      await fixture.store.executions.append(lease, 2, { events: [dispatched(1)] });
      expect(await fixture.store.executions.append(lease, 1, write)).toEqual({ seq: 3 });
      expect(await runs.types(run.id)).toEqual(['execution.created', 'call.dispatched', 'call.dispatched']);
    });

    test('numbers the writes of each lease from the start', async () => {
      const { run, lease } = await runs.held();
      for (const batch of [1, 2, 3]) await fixture.store.executions.append(lease, batch, { events: [] });
      await fixture.store.executions.release(lease, { status: 'queued', knownSeq: 1 });
      const leased = await fixture.store.executions.lease(run.id, 'two', longMs);
      const second = { id: run.id, owner: 'two', epoch: leased?.epoch ?? 0 };
      expect(await fixture.store.executions.append(second, 1, { events: [dispatched(0)] })).toEqual({
        seq: 2,
      });
    });

    test.each([
      ['another owner', { owner: 'two' }],
      ['an older epoch', { epoch: 0 }],
      ['an epoch that never was', { epoch: 2 }],
      ['another run', { id: 'exe_none' }],
    ])('refuse %s, and nothing of that is written', async (_, wrong) => {
      const { run, lease } = await runs.held();
      const stale = { ...lease, ...wrong };
      const before = await runs.find(run.id);
      const write = { events: [dispatched(0)], status: 'waiting', ask: [questionOf(run)] } as const;
      await expect(
        fixture.store.executions.append(stale, 1, {
          ...write,
          events: [...write.events],
          ask: [...write.ask],
        }),
      ).rejects.toMatchObject({ code: 'leaseLost' });
      await expect(fixture.store.executions.finish(stale, 1, endingOf())).rejects.toMatchObject({
        code: 'leaseLost',
      });
      const release = { status: 'waiting', knownSeq: 1 } as const;
      await expect(fixture.store.executions.release(stale, release)).rejects.toMatchObject({
        code: 'leaseLost',
      });
      expect(await runs.find(run.id)).toEqual(before);
      expect(await runs.types(run.id)).toEqual(['execution.created']);
      expect(await fixture.store.interactions.pendingOf(run.id)).toEqual([]);
    });

    test('settles pending questions without an answer', async () => {
      const { run, lease } = await runs.held();
      const questions = [0, 1, 2].map((callIndex) => questionOf(run, { callIndex }));
      await fixture.store.executions.append(lease, 1, { events: [], ask: questions });
      const [expired, withdrawn, open] = questions.map(({ id }) => id) as [string, string, string];
      const next = questionOf(run, { callIndex: 1, ordinal: 1 });
      await fixture.store.executions.append(lease, 2, {
        events: [],
        ask: [next],
        settle: [
          { id: expired, status: 'expired', at: later(1) },
          { id: withdrawn, status: 'withdrawn', at: later(2) },
        ],
      });
      await fixture.store.executions.append(lease, 3, {
        events: [],
        settle: [{ id: expired, status: 'withdrawn', at: later(3) }],
      });
      const pending = await fixture.store.interactions.pendingOf(run.id);
      expect(pending.map(({ id }) => id)).toEqual([next.id, open]);
      expect(await fixture.store.interactions.find(runs.workspaceId, expired)).toMatchObject({
        status: 'expired',
        resolvedAt: later(1),
        resolution: null,
      });
      expect(await fixture.store.interactions.find(runs.workspaceId, withdrawn)).toMatchObject({
        status: 'withdrawn',
        resolvedAt: later(2),
      });
    });
  });
}

function describeFinishing(fixture: RunFixture): void {
  describe('ending', () => {
    let runs: Runs;
    beforeAll(async () => {
      runs = await runsOf(fixture, 'finished');
    });

    test('stores the outcome, withdraws open questions and ends the lease', async () => {
      const { run, lease } = await runs.held();
      const question = questionOf(run);
      await fixture.store.executions.append(lease, 1, { events: [], ask: [question], status: 'waiting' });
      const { events, ...outcome } = endingOf();
      await fixture.store.executions.finish(lease, 2, { events, ...outcome });
      expect(await runs.find(run.id)).toEqual({ ...run, ...outcome, lastSeq: 2 });
      expect(await fixture.store.interactions.find(runs.workspaceId, question.id)).toMatchObject({
        status: 'withdrawn',
        resolvedAt: later(5),
      });
      expect(await fixture.store.executions.lease(run.id, 'two', longMs)).toBeUndefined();
      expect(await fixture.store.executions.renew([lease], longMs)).toEqual([]);
    });

    test('is applied once, can be repeated, and forbids later writes', async () => {
      const { run, lease } = await runs.held();
      await fixture.store.executions.finish(lease, 1, endingOf());
      await fixture.store.executions.finish(lease, 1, endingOf({ status: 'failed' }));
      expect(await runs.find(run.id)).toMatchObject({ status: 'completed', lastSeq: 2 });
      await expect(
        fixture.store.executions.append(lease, 2, { events: [dispatched(0)] }),
      ).rejects.toMatchObject({ code: 'leaseLost' });
      await expect(fixture.store.executions.finish(lease, 2, endingOf())).rejects.toMatchObject({
        code: 'leaseLost',
      });
      expect(await runs.types(run.id)).toEqual(['execution.created', 'execution.completed']);
    });

    test('allows old runs to be removed with all their data, a few at a time', async () => {
      const ownRuns = await runsOf(fixture, 'removed');
      const ended = [];
      for (const minute of [3, 1, 2, 9]) {
        const { run, lease } = await ownRuns.held();
        await fixture.store.executions.append(lease, 1, { events: [], ask: [questionOf(run)] });
        await fixture.store.executions.finish(lease, 2, endingOf({ finishedAt: later(minute * 60_000) }));
        ended.push(run.id);
      }
      const { run: going } = await ownRuns.held();
      const [third, first, second, last] = ended;
      const remove = (limit: number) =>
        fixture.store.executions.removeFinished(ownRuns.workspaceId, later(5 * 60_000), limit);
      const left = async () =>
        (await fixture.store.executions.list(ownRuns.workspaceId, {}, { limit: 10 })).items.map(
          ({ id }) => id,
        );
      expect(await fixture.store.executions.removeFinished(runs.workspaceId, at, 10)).toBe(0);
      expect(await remove(2)).toBe(2);
      expect((await left()).sort()).toEqual([third, last, going.id].sort());
      expect([await remove(2), await remove(2)]).toEqual([1, 0]);
      expect((await left()).sort()).toEqual([last, going.id].sort());
      for (const id of [first, second, third]) {
        expect(await ownRuns.types(id ?? '')).toEqual([]);
        expect(
          await fixture.store.interactions.list(ownRuns.workspaceId, { executionId: id }, { limit: 5 }),
        ).toEqual({ items: [] });
      }
      expect(await ownRuns.types(last ?? '')).toEqual(['execution.created', 'execution.completed']);
    });
  });
}

const unfinished = {
  result: null,
  error: null,
  omitted: null,
  usage: null,
  startedAt: null,
  finishedAt: null,
  wakeAt: null,
  removed: null,
};
