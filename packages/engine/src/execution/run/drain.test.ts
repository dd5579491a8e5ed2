import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TestEngine } from '../../../test/test-engine.ts';
import type { Engine } from '../../engine.ts';

let host: TestEngine;
let others: Engine[];
beforeEach(async () => {
  others = [];
  host = await TestEngine.start({ worker: { evictAfterMs: 60_000 } });
});
afterEach(async () => {
  for (const { worker } of others) await worker.drain(0);
  await host.close();
});

const allow = () =>
  host.engine.policies.create(host.owner, {
    scope: { type: 'workspace' },
    pattern: 'notes.**',
    conditions: [],
    decision: 'allow',
  });

/** Another process takes over all runs, as after a crash. */
async function takeOver(): Promise<void> {
  const engine = await host.another();
  others.push(engine);
  await engine.worker.start();
}

const calls = async (id: string) =>
  (await host.engine.executions.calls(host.owner, id, { limit: 100 })).items.map(({ path, status }) => [
    path,
    status,
  ]);
const replayed = (id: string) => host.engine.executions.replay(host.owner, id);
const texts = () => host.notes.received.map(({ input }) => input.text);

const addAll = `['a', 'b'].forEach(async (text) => {
  await tools.notes.put({ text });
  await tools.notes.add({ text: text + '!' });
});
return 'done'`;

describe('A run whose code did not await its calls', () => {
  test('ends when they have settled, and lists them', async () => {
    await allow();
    const run = await host.run(addAll);
    expect(run).toMatchObject({
      status: 'completed',
      result: 'done',
      unawaited: [
        { path: 'notes.put', line: 2, outcome: 'succeeded' },
        { path: 'notes.put', line: 2, outcome: 'succeeded' },
        { path: 'notes.add', line: 3, outcome: 'succeeded' },
        { path: 'notes.add', line: 3, outcome: 'succeeded' },
      ],
    });
    expect(texts()).toEqual(['a', 'b', 'a!', 'b!']);
    expect(await host.get(run.id)).toEqual(run);
    expect(await replayed(run.id)).toMatchObject({ matched: true });
  });

  test('is completed even if one of them fails', async () => {
    const run = await host.run('tools.notes.fail(); return 1');
    expect(run).toMatchObject({
      status: 'completed',
      result: 1,
      unawaited: [{ path: 'notes.fail', line: 1, outcome: 'failed', message: 'The note is locked.' }],
    });
  });

  test('waits if one of them needs approval, and says that the code has returned', async () => {
    const run = await host.run(addAll);
    expect(run).toMatchObject({ status: 'waiting', returned: true });
    expect(run.result).toBeUndefined();
    for (const { id } of await host.asked(run.id, 2)) await host.answer(id, { action: 'approve' });
    for (const { id } of await host.asked(run.id, 2)) await host.answer(id, { action: 'deny' });
    const ended = await host.wait(run.id);
    expect(ended).toMatchObject({ status: 'completed', result: 'done' });
    expect(ended.returned).toBeUndefined();
    expect(ended.unawaited?.map(({ outcome }) => outcome)).toEqual([
      'succeeded',
      'succeeded',
      'denied',
      'denied',
    ]);
    expect((await host.story(run.id)).filter((type) => type === 'execution.returned')).toHaveLength(1);
  });

  test('is rebuilt while it drains, sends nothing twice and keeps its result', async () => {
    const code = addAll.replace('put', 'add').replace("'done'", 'Math.random()');
    const run = await host.run(code);
    const [first] = await host.asked(run.id, 2);
    await host.answer(first?.id ?? '', { action: 'approve' });
    await host.asked(run.id, 2);
    await takeOver();
    for (const { id } of await host.asked(run.id, 2)) await host.answer(id, { action: 'approve' });
    for (const { id } of await host.asked(run.id)) await host.answer(id, { action: 'approve' });
    const ended = await host.wait(run.id);
    expect(ended).toMatchObject({ status: 'completed', result: expect.any(Number) });
    expect(ended.unawaited).toHaveLength(4);
    expect(texts().toSorted()).toEqual(['a', 'a!', 'b', 'b!']);
    expect((await host.story(run.id)).filter((type) => type === 'execution.returned')).toHaveLength(1);
    expect(await replayed(run.id)).toMatchObject({ matched: true });
  });

  test('does not wait for a timer', async () => {
    const run = await host.run('setTimeout(() => tools.notes.list(), 1e9); return 1');
    expect(run).toMatchObject({
      status: 'completed',
      unawaited: [{ path: 'setTimeout', line: 1, outcome: 'pending' }],
    });
  });

  test('can be cancelled while it drains', async () => {
    const run = await host.run('tools.notes.add({ text: "a" }); return 1');
    expect(run).toMatchObject({ status: 'waiting', returned: true });
    expect(await host.engine.executions.cancel(host.owner, run.id)).toMatchObject({ status: 'cancelled' });
    expect(texts()).toEqual([]);
  });
});

describe('A call that the run does not wait for', () => {
  test('is withdrawn with its question if it lost a race, while others are drained', async () => {
    const run = await host.run(`await Promise.race([tools.notes.add({ text: 'lost' }), sleep(1)]);
      tools.notes.add({ text: 'kept' });
      return 1`);
    expect(run).toMatchObject({ status: 'waiting', returned: true });
    const asked = await host.asked(run.id);
    expect(asked.map(({ tool }) => tool?.input)).toEqual([{ text: 'kept', tag: 'none' }]);
    expect(await calls(run.id)).toContainEqual(['notes.add', 'abandoned']);
    await takeOver();
    await host.answer(asked[0]?.id ?? '', { action: 'approve' });
    expect(await host.wait(run.id)).toMatchObject({
      status: 'completed',
      unawaited: [{ path: 'notes.add' }],
    });
    expect(texts()).toEqual(['kept']);
    expect(await replayed(run.id)).toMatchObject({ matched: true });
  });

  test('is withdrawn with its question if the code threw', async () => {
    const run = await host.run('tools.notes.add({ text: "a" }); await sleep(1); throw new Error("stop")');
    expect(run).toMatchObject({ status: 'failed', error: { message: 'stop' } });
    const { items } = await host.engine.interactions.list(host.owner, { executionId: run.id, limit: 10 });
    expect(items.map(({ status }) => status)).not.toContain('pending');
    expect(texts()).toEqual([]);
    expect(await calls(run.id)).toContainEqual(['notes.add', 'abandoned']);
  });

  test.each(['add', 'put'])('is recorded to its end if it was sent: notes.%s', async (tool) => {
    await allow();
    const release = host.notes.hold(`notes.${tool}`);
    const ended = host.run(
      `tools.notes.${tool}({ text: 'sent' }); while ((await tools.notes.list()).length === 0); throw new Error('stop')`,
    );
    await expect.poll(() => host.notes.count(`notes.${tool}`)).toBe(1);
    host.notes.notes.push('go');
    const run = await ended;
    expect(run).toMatchObject({ status: 'failed', error: { message: 'stop' } });
    expect((await calls(run.id))[0]?.[1]).not.toBe('succeeded');
    release();
    await expect.poll(async () => (await calls(run.id))[0]).toEqual([`notes.${tool}`, 'succeeded']);
    expect(await replayed(run.id)).toMatchObject({ matched: true });
  });

  test('has the outcome that its reviewer asks for, also after the end of the run', async () => {
    const release = host.notes.hold('notes.add');
    const run = await host.run(`tools.notes.add({ text: 'sent' });
      while ((await tools.notes.list()).length === 0) await sleep(5);
      throw new Error('stop')`);
    const [asked] = await host.asked(run.id);
    await host.answer(asked?.id ?? '', { action: 'approve' });
    await expect.poll(() => host.notes.count('notes.add')).toBe(1);
    host.notes.notes.push('go');
    expect(await host.wait(run.id)).toMatchObject({ status: 'failed' });
    const outcome = async () => (await host.engine.interactions.get(host.owner, asked?.id ?? '')).outcome;
    expect(await outcome()).toMatchObject({ status: 'uncertain' });
    release();
    await expect.poll(outcome).toEqual({ status: 'succeeded' });
  });

  test('does not delay the result of the race that it lost', async () => {
    await allow();
    const release = host.notes.hold('notes.add');
    const ended = host.run(`
      const late = async () => { while ((await tools.notes.list()).length === 0); return 'late' };
      return await Promise.race([tools.notes.add({ text: 'slow' }), late()])`);
    await expect.poll(() => host.notes.count('notes.add')).toBe(1);
    host.notes.notes.push('go');
    const run = await ended;
    expect(run).toMatchObject({ status: 'completed', result: 'late' });
    release();
    await expect.poll(async () => (await calls(run.id))[0]).toEqual(['notes.add', 'succeeded']);
  });
});

describe('A run of an earlier version', () => {
  test('is replayed by the rule that it was recorded with', async () => {
    const run = await host.run('tools.notes.add({ text: "a" }); await sleep(1); return 1');
    expect(run).toMatchObject({ status: 'waiting', returned: true });
    // Programs of earlier versions do not have the field.
    await host.database.query(
      {
        name: 'forget-rule',
        text: "update executions set program = replace(program, '\"drains\":true,', '') where id = $1",
      },
      [run.id],
    );
    await takeOver();
    expect(await host.wait(run.id)).toMatchObject({ status: 'completed', result: 1 });
    expect(texts()).toEqual([]);
    expect(await replayed(run.id)).toMatchObject({ matched: true });
  });
});
