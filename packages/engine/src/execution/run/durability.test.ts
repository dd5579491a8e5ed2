import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TestEngine } from '../../../test/test-engine.ts';
import { systemClock } from '../../clock.ts';
import type { Engine, EngineOptions } from '../../engine.ts';
import type { InvocationOutcome } from '../../ports/source.ts';

let host: TestEngine;
let others: Engine[];
beforeEach(async () => {
  others = [];
  await startHost();
});
afterEach(async () => {
  for (const { worker } of others) await worker.drain(0);
  await host.close();
});

async function startHost(options: Partial<EngineOptions> = {}): Promise<void> {
  host = await TestEngine.start({ worker: { evictAfterMs: 60_000 }, ...options });
  await host.engine.policies.create(host.owner, {
    scope: { type: 'workspace' },
    pattern: 'notes.**',
    conditions: [],
    decision: 'allow',
  });
}

/** Another process takes over all runs, as after a crash. The first process does not know and continues. */
async function takeOver(): Promise<Engine> {
  const engine = await host.another();
  others.push(engine);
  await engine.worker.start();
  return engine;
}

/** A tool that has received its call and has not responded yet. */
function holdBack(path: string): { answer(outcome: InvocationOutcome): void; arrived: Promise<void> } {
  let answer: (outcome: InvocationOutcome) => void = () => {};
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const outcome = new Promise<InvocationOutcome>((resolve) => {
    answer = resolve;
  });
  host.notes.instead.set(path, () => {
    arrive();
    return outcome;
  });
  return { answer, arrived };
}

const add =
  'const before = await tools.notes.list(); return [before.length, await tools.notes.add({ text: "once" })]';

describe('A call that may or may not have been sent', () => {
  async function interrupted() {
    const held = holdBack('notes.add');
    const run = await host.run(add, { waitMs: 0 });
    await held.arrived;
    host.notes.instead.delete('notes.add');
    await takeOver();
    const [asked] = await host.asked(run.id);
    expect(asked).toMatchObject({
      kind: 'reconcile',
      tool: { path: 'notes.add', input: { text: 'once' } },
      actions: ['retry', 'complete', 'fail'],
    });
    held.answer({ type: 'value', value: 'too late: this process does not hold the run any more' });
    expect(host.notes.count('notes.add')).toBe(1);
    return { run, asked: asked?.id ?? '' };
  }

  test('is sent again only if a reviewer decides so', async () => {
    const { run, asked } = await interrupted();
    await sleep(100);
    expect(host.notes.count('notes.add')).toBe(1);
    await host.answer(asked, { action: 'retry' });
    expect(await host.wait(run.id)).toMatchObject({
      status: 'completed',
      result: [0, { text: 'once', position: 1 }],
    });
    expect(
      host.notes.received.filter(({ path }) => path === 'notes.add').map(({ attempt }) => attempt),
    ).toEqual([1, 2]);
    expect(await host.engine.executions.replay(host.owner, run.id)).toMatchObject({ matched: true });
  });

  test('gets the result that a reviewer enters', async () => {
    const { run, asked } = await interrupted();
    await host.answer(asked, { action: 'complete', data: { text: 'it is there' } });
    expect((await host.wait(run.id)).result).toEqual([0, { text: 'it is there' }]);
    expect(host.notes.count('notes.add')).toBe(1);
  });

  test('fails if a reviewer decides so', async () => {
    const { run, asked } = await interrupted();
    await host.answer(asked, { action: 'fail', reason: 'I looked: it is not there' });
    expect(await host.wait(run.id)).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('I looked: it is not there') },
    });
  });

  test('is asked about again if the second attempt is interrupted too', async () => {
    const { run, asked } = await interrupted();
    const held = holdBack('notes.add');
    await host.answer(asked, { action: 'retry' });
    await held.arrived;
    host.notes.instead.delete('notes.add');
    await takeOver();
    const [again] = await host.asked(run.id);
    expect(again).toMatchObject({ kind: 'reconcile' });
    expect(again?.id).not.toBe(asked);
    await host.answer(again?.id ?? '', { action: 'complete', data: 'done by hand' });
    expect((await host.wait(run.id)).result).toEqual([0, 'done by hand']);
  });
});

describe('Another process', () => {
  test('repeats calls that are safe to repeat, without asking', async () => {
    const held = holdBack('notes.put');
    const run = await host.run('return tools.notes.put({ text: "again" })', { waitMs: 0 });
    await held.arrived;
    host.notes.instead.delete('notes.put');
    await takeOver();
    expect(await host.wait(run.id)).toMatchObject({ status: 'completed', result: { text: 'again' } });
    expect(host.notes.count('notes.put')).toBe(2);
    held.answer({ type: 'value', value: 'late' });
    await sleep(50);
    expect((await host.story(run.id)).filter((type) => type === 'execution.completed')).toHaveLength(1);
  });

  test('continues with the same random numbers, times and order', async () => {
    const code = `
      const trace = [Math.random(), Date.now()];
      for (let i = 0; i < 5; i++) {
        trace.push(await Promise.race([tools.notes.list(), sleep(i).then(() => "slept " + i)]), Math.random(), Date.now());
      }
      console.log("before");
      await tools.notes.put({ text: "stop here" });
      console.log("after");
      return [...trace, crypto.randomUUID()]`;
    const held = holdBack('notes.put');
    const run = await host.run(code, { waitMs: 0 });
    await held.arrived;
    host.notes.instead.delete('notes.put');
    await sleep(50);
    await takeOver();
    const done = await host.wait(run.id);
    expect(done.status).toBe('completed');
    expect(done.logs.map(({ text }) => text)).toEqual(['before', 'after']);
    expect(await host.engine.executions.replay(host.owner, run.id)).toMatchObject({ matched: true });
  });

  test('reports a journal that does not match the code instead of continuing', async () => {
    const held = holdBack('notes.put');
    const run = await host.run('await tools.notes.list(); return tools.notes.put({ text: "x" })', {
      waitMs: 0,
    });
    await held.arrived;
    await sleep(100);
    await host.database.run((sql) =>
      sql.execute(
        `update events set data = replace(data, 'notes.list', 'notes.other') where execution_id = '${run.id}'`,
      ),
    );
    await takeOver();
    expect(await host.wait(run.id)).toMatchObject({
      status: 'failed',
      error: {
        code: 'nondeterminism',
        details: { recorded: { path: 'notes.other' }, made: { path: 'notes.list' } },
      },
    });
  });
});

describe('A run that waits', () => {
  test('for a timer is released and continues by itself', async () => {
    await host.close();
    host = await TestEngine.start({ worker: { evictAfterMs: 30 } });
    let story: string[] = [];
    // A busy machine may not release it before a short timer fires.
    for (let ms = 500; ms < 20_000 && !story.includes('execution.waiting'); ms *= 2) {
      const run = await host.run(`await sleep(${ms}); return "rested"`, { waitMs: 60_000 });
      expect(run).toMatchObject({ status: 'completed', result: 'rested' });
      story = await host.story(run.id);
    }
    expect(story).toEqual([
      'execution.created',
      'execution.started',
      'timer.set',
      'execution.waiting',
      'execution.started',
      'call.completed',
      'execution.completed',
    ]);
  });

  test('survives a restart', async () => {
    const run = await host.run('await sleep(700); return "still here"', { waitMs: 0 });
    await sleep(100);
    await host.engine.worker.drain(0);
    await takeOver();
    expect(await host.wait(run.id)).toMatchObject({ status: 'completed', result: 'still here' });
  });

  test('forever is released like any other, and can be read and cancelled', async () => {
    await host.close();
    host = await TestEngine.start({ worker: { evictAfterMs: 30 } });
    for (const code of ['await sleep(Infinity)', 'await tools.$sleep({ ms: 1e300 })']) {
      const run = await host.run(code, { waitMs: 0 });
      await expect
        .poll(async () => (await host.engine.worker.list())[0]?.running, { timeout: 20_000 })
        .toBe(0);
      expect(await host.get(run.id)).toMatchObject({ status: 'waiting' });
      const { items } = await host.engine.executions.calls(host.owner, run.id, { limit: 5 });
      expect(items).toMatchObject([{ status: 'waiting', input: { until: '9999-12-31T23:59:59.999Z' } }]);
      expect(await host.engine.executions.cancel(host.owner, run.id)).toMatchObject({ status: 'cancelled' });
    }
    expect(await host.run('await tools.$sleep(null); return "no time at all"')).toMatchObject({
      status: 'completed',
    });
  });

  test('does not block others if slots are few', async () => {
    await host.close();
    host = await TestEngine.start({ worker: { concurrency: 2, evictAfterMs: 60_000 } });
    const waiting = await Promise.all(
      [1, 2, 3, 4].map((n) => host.run(`return tools.notes.add({ text: "${n}" })`)),
    );
    expect(waiting.map(({ status }) => status)).toEqual(['waiting', 'waiting', 'waiting', 'waiting']);
    expect(await host.run('return "through"')).toMatchObject({ status: 'completed' });
  });

  test('has one CPU budget across all processes', async () => {
    await host.close();
    host = await TestEngine.start({ worker: { evictAfterMs: 20 } });
    const burn = 'for (const end = 1e6, i = { n: 0 }; i.n < end; i.n++);';
    const costs: number[] = [];
    for (let rounds = 0; rounds < 3; rounds++) {
      const { usage } = await host.run(`${burn} return 1`);
      costs.push(usage?.cpuMs ?? 0);
    }
    const cpuMs = Math.ceil(4 * Math.min(...costs));
    const run = await host.run(`for (;;) { ${burn} await sleep(100); }`, { limits: { cpuMs } });
    expect(run).toMatchObject({ status: 'failed', error: { code: 'timedOut' } });
    expect(await host.story(run.id)).toContain('execution.waiting');
  });
});

test('A draining worker releases its runs, and finishes a call that must not be repeated', async () => {
  const held = holdBack('notes.add');
  const writing = await host.run(add, { waitMs: 0 });
  const computing = await host.run('for (;;) await sleep(5)', { waitMs: 0 });
  await held.arrived;
  const drained = host.engine.worker.drain(60_000);
  await sleep(100);
  held.answer({ type: 'value', value: 'in time' });
  await drained;
  expect(await host.get(writing.id)).toMatchObject({ status: 'completed', result: [0, 'in time'] });
  expect(['queued', 'waiting']).toContain((await host.get(computing.id)).status);
});

/** A clock whose running time passes twenty times as fast. */
const hasty = {
  ...systemClock,
  elapsed: () => systemClock.elapsed() * 20,
  after: (ms: number, callback: () => void) => systemClock.after(ms / 20, callback),
};

test('A draining worker waits for a long write, journals its result, and starts no other', async () => {
  await host.close();
  await startHost({ clock: hasty });
  const held = holdBack('notes.add');
  const run = await host.run(
    'return [await tools.notes.add({ text: "one" }), (await tools.notes.add({ text: "two" })).text]',
    { waitMs: 0 },
  );
  await held.arrived;
  const drained = host.engine.worker.drain();
  // Longer than the worker waits for runs that could continue elsewhere.
  await sleep(600);
  host.notes.instead.delete('notes.add');
  held.answer({ type: 'value', value: 'in time' });
  await drained;
  expect(host.notes.count('notes.add')).toBe(1);
  expect((await host.story(run.id)).at(-1)).toBe('call.completed');
  await takeOver();
  expect(await host.wait(run.id)).toMatchObject({ status: 'completed', result: ['in time', 'two'] });
});

test('A worker that has to end before a write has its result reports it', async () => {
  await host.close();
  const problems: unknown[] = [];
  await startHost({ onProblem: (message, details) => problems.push({ message, ...details }) });
  const held = holdBack('notes.add');
  const run = await host.run(add, { waitMs: 0 });
  await held.arrived;
  await host.engine.worker.drain(0);
  expect(problems).toEqual([
    {
      message: expect.stringContaining('a reviewer has to decide'),
      executionId: run.id,
      calls: ['notes.add'],
    },
  ]);
});
