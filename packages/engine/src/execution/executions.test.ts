import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestEngine } from '../../test/test-engine.ts';

let host: TestEngine;
beforeAll(async () => {
  host = await TestEngine.start();
});
afterAll(() => host.close());

describe('a run', () => {
  test('completes with the result of its code', async () => {
    expect(await host.run('return 1')).toMatchObject({ status: 'completed', result: 1, logs: [], interactions: [] });
  });

  test('fails with the place where the code threw', async () => {
    expect(await host.run('const a = 1;\nthrow new TypeError("no")')).toMatchObject({
      status: 'failed',
      error: { code: 'threw', name: 'TypeError', message: 'no', line: 2 },
    });
  });

  test('calls tools, logs, sleeps', async () => {
    const run = await host.run('console.log("a", 1); const l = await tools.notes.list(); await sleep(20); return l');
    expect(run).toMatchObject({ status: 'completed', result: [], logs: [{ level: 'log', text: 'a 1' }] });
  });

  test('waits for approval of a write', async () => {
    const run = await host.run('return (await tools.notes.add({ text: "hi" })).text');
    expect(run).toMatchObject({ status: 'waiting', interactions: [{ kind: 'approval' }] });
    console.log(JSON.stringify(run, null, 1));
    await new Promise((r) => setTimeout(r, 1500));
    const [pending] = await host.store.interactions.pendingOf(run.id);
    await host.store.interactions.resolve(host.owner.workspaceId, pending!.id, { resolution: { action: 'approve', actorId: host.owner.actorId }, at: new Date(), identical: false }, []);
    const done = await host.wait(run.id);
    expect(done).toMatchObject({ status: 'completed', result: 'hi' });
    console.log((await host.store.executions.events(run.id, { afterSeq: 0, limit: 100 })).map((e) => JSON.stringify(e)).join('\n'));
    console.log(await host.engine.executions.replay(host.owner, run.id));
  });
});
