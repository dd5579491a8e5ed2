import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Fixture } from '../../../test/fixture.ts';
import { planOf, scansOf } from '../../../test/plan.ts';
import { runsOf } from '../../../test/runs.ts';
import { openTestPglite, openTestPostgres, type TestStore } from '../../../test/test-database.ts';
import { callPageStatement, outsideCallsStatement } from './execution-reads.ts';

const calls = 5_000;

describe.each([
  ['PGlite', openTestPglite],
  ['Postgres', openTestPostgres],
])('a journal of thousands of calls on %s', (_, open) => {
  let opened: TestStore;
  let id: string;
  beforeAll(async () => {
    opened = await open();
    const runs = await runsOf(fixture, 'large');
    ({ id } = (await runs.held()).run);
    const data = `'{"type":"call.requested","index":' || n || ',"path":"a.b","input":"' || repeat('x', 200) || '"}'`;
    await fixture.sql(`
      insert into events (execution_id, seq, workspace_id, at, type, call_index, data)
      select '${id}', 2 + n * 2, '${runs.workspaceId}', now(), 'call.requested', n, ${data}
      from generate_series(0, ${calls - 1}) n
      union all
      select '${id}', 3 + n * 2, '${runs.workspaceId}', now(), 'call.dispatched', n,
        '{"type":"call.dispatched","index":' || n || '}'
      from generate_series(0, ${calls - 1}) n`);
    await fixture.sql('analyze events');
  });
  afterAll(() => opened?.close());
  const fixture = new Fixture(() => opened);

  test('A page of calls reads no more of the journal than it shows', async () => {
    const values = [id, 4_000, 50, 1_000_000];
    const nodes = await planOf(fixture, { ...callPageStatement, values });
    const touched = scansOf('events', nodes).reduce((sum, scan) => sum + scan.touched, 0);
    expect(touched).toBeGreaterThan(100);
    expect(touched).toBeLessThan(1_000);
  });

  test('A description of the run reads nothing of its calls', async () => {
    const nodes = await planOf(fixture, { ...outsideCallsStatement, values: [id, 0, 1_000] });
    const scans = scansOf('events', nodes);
    expect(scans.reduce((sum, { touched }) => sum + touched, 0)).toBe(1);
  });

  test('Pages are bounded in calls and in bytes, and together show each call once', async () => {
    const { executions } = fixture.store;
    const few = await executions.callPage(id, { afterIndex: -1, limit: 2, maxBytes: 1_000_000 });
    expect(few.events.map(({ seq }) => seq)).toEqual([2, 3, 4, 5]);
    expect(few.hasMore).toBe(true);
    const small = await executions.callPage(id, { afterIndex: 7, limit: 50, maxBytes: 1_000 });
    expect(small.events.map(({ seq }) => seq)).toEqual([18, 19, 20, 21, 22, 23]);
    const one = await executions.callPage(id, { afterIndex: 7, limit: 50, maxBytes: 1 });
    expect(one.events).toHaveLength(2);
    const last = await executions.callPage(id, { afterIndex: calls - 2, limit: 50, maxBytes: 1_000 });
    expect([last.events.length, last.hasMore]).toEqual([2, false]);
    expect(await executions.callPage(id, { afterIndex: calls, limit: 50, maxBytes: 1 })).toEqual({
      events: [],
      hasMore: false,
    });
  });

  test('Pages of events are bounded in bytes', async () => {
    const { executions } = fixture.store;
    const page = await executions.eventPage(id, { afterSeq: 1, limit: 500, maxBytes: 1_000 });
    expect(page.events.map(({ seq }) => seq)).toEqual([2, 3, 4, 5, 6, 7]);
    expect(page.hasMore).toBe(true);
    const end = await executions.eventPage(id, { afterSeq: calls * 2, limit: 500, maxBytes: 1_000 });
    expect([end.events.length, end.hasMore]).toEqual([1, false]);
  });
});
