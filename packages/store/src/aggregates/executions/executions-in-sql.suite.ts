import { describe, expect, test } from 'vitest';
import type { Fixture } from '../../../test/fixture.ts';
import { planOf, scansOf } from '../../../test/plan.ts';
import { everybody, feedOf, longMs, Runs } from '../../../test/runs.ts';
import { leaseNextStatement, nextRunnableStatement } from './execution-leases.ts';
import { noteLossesStatement } from './execution-losses.ts';

/** Tests that need a database. */
export function describeExecutionsInSql(fixture: Fixture): void {
  describe('ten thousand waiting executions', () => {
    test('cost a sweeper nothing', async () => {
      const { workspace } = await fixture.newWorkspace('crowded');
      await fixture.sql(`
        insert into executions (id, workspace_id, actor_id, owner_id, principal_kind, runtime_id, code, code_excerpt, build, seed,
          epoch, limits, request_hash, created_at, status, last_seq, lease_epoch, lease_until, last_batch)
        select 'exe_crowd' || n, '${workspace.id}', 'a', 'a', 'person', 'quickjs', '""', '""', 'b', 's',
          0, '{}', 'h', now(), 'waiting', 1, 1, now(), 1 from generate_series(1, 10000) n`);
      while ((await fixture.store.executions.leaseNext('others', longMs, everybody)).length > 0);
      const runs = new Runs(fixture.store, { workspace, actor: { id: 'a' } });
      const { id } = await runs.create({ type: 'queued' });
      const runnable = 'executions_runnable';
      for (const { text, values, index } of [
        { ...leaseNextStatement, values: ['sweeper', longMs, 10, 10, 10, 10, '{}', 0], index: runnable },
        { ...nextRunnableStatement, values: [true, [], 0], index: runnable },
        { ...noteLossesStatement, values: ['sweeper'], index: 'executions_executing' },
      ]) {
        const nodes = await planOf(fixture, { text, values });
        const scans = scansOf('executions', nodes);
        expect(scans.map((scan) => scan.index)).toContain(index);
        // A few for each owner that other tests left behind.
        for (const { touched } of scans) expect(touched).toBeLessThanOrEqual(500);
      }
      expect((await runs.find(id))?.status).toBe('running');
    });
  });
}

/** Tests with concurrent transactions, which the embedded database does not have. */
export function describeLateCommits(fixture: Fixture): void {
  describe('the feed of a workspace', () => {
    test('shows nothing after an open transaction, and then everything in order', async () => {
      const runs = new Runs(fixture.store, await fixture.newWorkspace('late feed'));
      const { run: first } = await runs.held();
      await feedOf(fixture, runs.workspaceId, { count: 1 });
      const late = await fixture.beginElsewhere();
      await late.query(
        `insert into events (execution_id, seq, workspace_id, at, type, data)
         values ('${first.id}', 99, '${runs.workspaceId}', now(), 'execution.waiting', '{"type":"execution.waiting"}')`,
      );
      const end = await fixture.store.executions.feedEnd(runs.workspaceId);
      const { run: second } = await runs.held();
      const before = await feedOf(fixture, runs.workspaceId, { count: 1 });
      expect(before.map(({ event }) => event.seq)).toEqual([1]);
      await late.query('commit');
      await late.end();
      const after = await feedOf(fixture, runs.workspaceId, { count: 3 });
      expect(after.map(({ executionId, event }) => [executionId, event.seq])).toEqual([
        [first.id, 1],
        [first.id, 99],
        [second.id, 1],
      ]);
      expect(after[0]).toEqual(before[0]);
      const sinceEnd = await feedOf(fixture, runs.workspaceId, { count: 2, after: end });
      expect(sinceEnd).toEqual(after.slice(1));
    });
  });
}
