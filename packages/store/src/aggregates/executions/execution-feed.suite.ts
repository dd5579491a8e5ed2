import { describe, expect, test } from 'vitest';
import { at } from '../../../test/fixture.ts';
import {
  cancelled,
  dispatched,
  endingOf,
  feedOf,
  logged,
  type RunFixture,
  runsOf,
} from '../../../test/runs.ts';

export function describeFeed(fixture: RunFixture): void {
  describe('the workspace feed', () => {
    test('shows changes and questions of its runs in the order of commits', async () => {
      const runs = await runsOf(fixture, 'feed');
      const other = await runsOf(fixture, 'other feed');
      expect(await fixture.store.executions.feed(runs.workspaceId, { limit: 10 })).toEqual([]);
      const one = await runs.held();
      await other.held();
      const two = await runs.held();
      await fixture.store.executions.append(two.lease, 1, {
        events: [dispatched(0), logged('unseen'), { type: 'execution.waiting', cpuMs: 0, at }],
      });
      await fixture.store.executions.finish(one.lease, 1, endingOf({ events: [logged('last'), cancelled] }));
      const rows = await feedOf(fixture, runs.workspaceId, { count: 4 });
      expect(rows.map(({ executionId, event }) => [executionId, event.seq, event.type])).toEqual([
        [one.run.id, 1, 'execution.created'],
        [two.run.id, 1, 'execution.created'],
        [two.run.id, 4, 'execution.waiting'],
        [one.run.id, 3, 'execution.cancelled'],
      ]);
      expect(rows[3]?.event).toEqual({ seq: 3, ...cancelled });
      for (const { cursor } of rows) expect(cursor).toMatch(/^[\w-]{1,200}$/);
      expect(await feedOf(fixture, runs.workspaceId, { count: 2, after: rows[1]?.cursor ?? '' })).toEqual(
        rows.slice(2),
      );
    });

    test('can be read from its current end', async () => {
      const runs = await runsOf(fixture, 'feed end');
      const { run } = await runs.held();
      await feedOf(fixture, runs.workspaceId, { count: 1 });
      const end = await fixture.store.executions.feedEnd(runs.workspaceId);
      expect(end).toMatch(/^[\w-]{1,200}$/);
      expect(await fixture.store.executions.feed(runs.workspaceId, { after: end, limit: 10 })).toEqual([]);
      const { run: next } = await runs.held();
      const rows = await feedOf(fixture, runs.workspaceId, { count: 1, after: end });
      expect(rows.map(({ executionId }) => executionId)).toEqual([next.id]);
      expect(run.id).not.toBe(next.id);
    });

    test('keeps its order under concurrent writes, and a following reader misses nothing', async () => {
      const runs = await runsOf(fixture, 'busy feed');
      const seen: string[] = [];
      let cursor = await fixture.store.executions.feedEnd(runs.workspaceId);
      const writers = Array.from({ length: 6 }, async () => {
        for (let number = 0; number < 5; number++) {
          const { lease } = await runs.held();
          await fixture.store.executions.finish(lease, 1, endingOf());
        }
      });
      let writing = true;
      const written = Promise.all(writers).then(() => {
        writing = false;
      });
      for (let quiet = 0; quiet < 500 && (writing || seen.length < 60); quiet++) {
        const rows = await fixture.store.executions.feed(runs.workspaceId, { after: cursor, limit: 3 });
        seen.push(...rows.map((row) => row.cursor));
        cursor = rows.at(-1)?.cursor ?? cursor;
        if (rows.length === 0) await fixture.passTime(5);
      }
      await written;
      const rows = await feedOf(fixture, runs.workspaceId, { count: 60 });
      expect(seen).toEqual(rows.map((row) => row.cursor));
      expect(seen).toHaveLength(60);
    });
  });
}
