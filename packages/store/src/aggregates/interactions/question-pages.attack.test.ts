import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Fixture, later } from '../../../test/fixture.ts';
import { questionOf, runsOf } from '../../../test/runs.ts';
import { openTestPglite, openTestPostgres, type TestStore } from '../../../test/test-database.ts';

describe.each([
  ['PGlite', openTestPglite],
  ['Postgres', openTestPostgres],
])('questions about large inputs on %s', (_, open) => {
  let opened: TestStore;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened?.close());
  const fixture = new Fixture(() => opened);

  test('A page of them is bounded in bytes, and all pages together show each once', async () => {
    const runs = await runsOf(fixture, 'large');
    const { run, lease } = await runs.held();
    const input = JSON.stringify('x'.repeat(300_000));
    const ask = [0, 1, 2, 3, 4, 5, 6].map((callIndex) =>
      questionOf(run, {
        callIndex,
        createdAt: later(callIndex),
        input: callIndex === 0 ? input.repeat(5) : input,
      }),
    );
    await fixture.store.executions.append(lease, 1, { events: [], ask });
    const pages: number[][] = [];
    for (let cursor: string | undefined; pages.length < 10; ) {
      const page = await fixture.store.interactions.list(
        runs.workspaceId,
        { status: 'pending' },
        { limit: 50, ...(cursor !== undefined && { cursor }) },
      );
      pages.push(page.items.map(({ callIndex }) => callIndex));
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    expect(pages).toEqual([[6, 5, 4], [3, 2, 1], [0]]);
  });
});
