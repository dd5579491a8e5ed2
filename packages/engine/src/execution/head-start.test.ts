import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestEngine } from '../../test/test-engine.ts';

let host: TestEngine;
beforeAll(async () => {
  host = await TestEngine.start();
});
afterAll(() => host.close());

test('a short run without calls is written whole, and can be replayed', async () => {
  const run = await host.run('console.log(1); console.log(2); return Math.random() > 2');
  expect(run).toMatchObject({ status: 'completed', result: false, logs: [{ text: '1' }, { text: '2' }] });
  expect(await host.get(run.id)).toEqual(run);
  expect(await host.engine.executions.replay(host.owner, run.id)).toMatchObject({ matched: true });
});

test('nothing leaves before the run is written', async () => {
  const known: unknown[] = [];
  host.notes.instead.set('notes.list', async ({ call }) => {
    const row = await host.store.executions.find(host.owner.workspaceId, call.executionId);
    known.push(row?.status);
    return { type: 'value', value: 'listed' };
  });
  const run = await host.run(
    'console.log("first"); const a = await tools.notes.list({}); console.log(a); return a',
  );
  host.notes.instead.clear();
  expect(known).toEqual(['running']);
  expect(run).toMatchObject({
    status: 'completed',
    result: 'listed',
    logs: [{ text: 'first' }, { text: 'listed' }],
  });
  expect((await host.story(run.id)).slice(0, 4)).toEqual([
    'execution.created',
    'execution.started',
    'log',
    'call.requested',
  ]);
});

test('code that takes longer goes on where it is', async () => {
  const busy = 'let sum = 0; for (let i = 0; i < 3e6; i++) sum += i; console.log("done"); return sum';
  const run = await host.run(busy);
  expect(run).toMatchObject({ status: 'completed', result: 4_499_998_500_000, logs: [{ text: 'done' }] });
  expect((await host.story(run.id)).filter((type) => type === 'execution.started')).toHaveLength(1);
  expect(await host.engine.executions.replay(host.owner, run.id)).toMatchObject({ matched: true });
});

test('a result that is too large for the row is kept all the same', async () => {
  const run = await host.run('return "x".repeat(200_000)');
  expect(run).toMatchObject({ status: 'completed', omitted: { result: { artifactId: expect.any(String) } } });
});

test('an endless loop without a call is cancelled like any other', async () => {
  const run = await host.run('for (;;);', { waitMs: 50 });
  expect(run.status).toBe('running');
  expect(await host.engine.executions.cancel(host.owner, run.id)).toMatchObject({ status: 'cancelled' });
});

test('of many requests with one key there is one run, though all of them may have run the code', async () => {
  const request = { idempotencyKey: 'the same' };
  const runs = await Promise.all(Array.from({ length: 10 }, () => host.run('return 7', request)));
  expect(new Set(runs.map(({ id }) => id)).size).toBe(1);
  for (const { status, result } of runs)
    expect({ status, result }).toEqual({ status: 'completed', result: 7 });
});
