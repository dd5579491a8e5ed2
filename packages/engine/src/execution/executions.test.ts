import type { Principal } from '@executor/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestEngine } from '../../test/test-engine.ts';

let host: TestEngine;
beforeAll(async () => {
  host = await TestEngine.start();
});
afterAll(() => host.close());

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    ({ code, message }) => ({ code, message }),
  );

describe('A run', () => {
  test('completes with the result of its code and journals all steps', async () => {
    const run = await host.run('console.warn("careful", { a: 1 }); return { answer: 42 }', {
      clientId: 'claude',
      metadata: { ticket: 7 },
    });
    expect(run).toEqual({
      id: expect.stringMatching(/^exe_/),
      status: 'completed',
      result: { answer: 42 },
      logs: [{ at: expect.any(String), level: 'warn', text: 'careful { a: 1 }' }],
      interactions: [],
      code: 'console.warn("careful", { a: 1 }); return { answer: 42 }',
      runtimeId: 'quickjs',
      clientId: 'claude',
      metadata: { ticket: 7 },
      limits: { cpuMs: 10_000, memoryMb: 64, calls: 10_000, resultBytes: 33_554_432, logBytes: 262_144 },
      usage: expect.objectContaining({ calls: 0, resultBytes: 13 }),
      workspaceId: host.owner.workspaceId,
      actorId: host.owner.actorId,
      ownerId: host.owner.actorId,
      createdAt: expect.any(String),
      startedAt: expect.any(String),
      finishedAt: expect.any(String),
      url: `http://executor.test/executions/${run.id}`,
    });
    expect(await host.get(run.id)).toEqual(run);
    expect(await host.story(run.id)).toEqual([
      'execution.created',
      'execution.started',
      'log',
      'execution.completed',
    ]);
  });

  test('returns at once unless the request waits, and can be waited for', async () => {
    const run = await host.run('await sleep(50); return 1', { waitMs: 0 });
    expect(run.status).toBe('running');
    expect(await host.wait(run.id)).toMatchObject({ status: 'completed', result: 1 });
    expect(await host.wait(run.id, 0)).toMatchObject({ status: 'completed' });
  });

  test.each([
    ['throw new TypeError("no")', { code: 'threw', name: 'TypeError', message: 'no', line: 1 }],
    ['const = 1', { code: 'syntax', line: 1 }],
    ['await new Promise(() => {})', { code: 'unsettled' }],
    ['Promise.reject(new Error("lost")); await sleep(10)', { code: 'unhandled', message: 'lost' }],
    ['await tools.nots.list()', { code: 'threw', name: 'ToolError' }],
  ])('fails with the error of its code: %s', async (code, error) => {
    expect(await host.run(code)).toMatchObject({ status: 'failed', error });
  });

  test('stops at its limits and names the limit', async () => {
    expect(await host.run('for (;;);', { limits: { cpuMs: 50 } })).toMatchObject({
      status: 'failed',
      error: { code: 'timedOut', message: expect.stringContaining('50 ms are allowed') },
    });
    expect(await failureOf(host.run('return 1', { limits: { cpuMs: 20_000 } }))).toEqual({
      code: 'invalidRequest',
      message: expect.stringContaining('10000'),
    });
  });

  test('lists the runtimes if its runtime does not exist', async () => {
    expect(await failureOf(host.run('return 1', { runtimeId: 'quickj' }))).toEqual({
      code: 'invalidRequest',
      message: 'There is no runtime "quickj". Did you mean "quickjs"? There is: quickjs.',
    });
  });

  test('continues after a tool has timed out', async () => {
    const run = await host.run(
      'try { await tools.notes.hang() } catch ({ message, details }) { return [message, details] }',
    );
    expect(run.result).toEqual(['notes.hang did not answer within 0.5 s.', { code: 'timeout' }]);
  });

  test('is created once per idempotency key', async () => {
    const request = { idempotencyKey: 'order-1' };
    const runs = await Promise.all([1, 2, 3].map(() => host.run('return Math.random()', request)));
    expect(new Set(runs.map(({ id }) => id)).size).toBe(1);
    expect(new Set(runs.map(({ result }) => result)).size).toBe(1);
    const otherCode = () => host.run('return 2', request);
    const unchecked = () => host.run('return Math.random()', { ...request, typecheck: false });
    for (const another of [otherCode, unchecked]) {
      expect(await failureOf(another())).toEqual({
        code: 'conflict',
        message: expect.stringContaining('was used for another request'),
      });
    }
  });

  test('takes one slot if many requests with one key wait for it', async () => {
    const few = await TestEngine.start({ worker: { concurrency: 1 } });
    try {
      const code = 'await sleep(1500); return "rested"';
      const request = { idempotencyKey: 'patience' };
      const waits = Array.from({ length: 5 }, () => few.run(code, request));
      const results = await Promise.all(waits);
      expect(results.map(({ result }) => result)).toEqual(Array(5).fill('rested'));
    } finally {
      await few.close();
    }
  });

  test('is listed by status and client, newest first', async () => {
    const first = await host.run('return "first"', { clientId: 'lister' });
    const second = await host.run('throw 1', { clientId: 'lister' });
    const list = (query: object) =>
      host.engine.executions.list(host.owner, { limit: 50, clientId: 'lister', ...query });
    expect((await list({})).items.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect((await list({ status: 'failed' })).items).toMatchObject([
      { id: second.id, codeExcerpt: 'throw 1' },
    ]);
    const page = await list({ limit: 1 });
    expect((await list({ limit: 1, cursor: page.nextCursor })).items.map(({ id }) => id)).toEqual([first.id]);
  });

  test('gets the results of a thousand concurrent calls', async () => {
    const run = await host.run(
      'return (await Promise.all(Array.from({ length: 1000 }, () => tools.notes.list()))).length',
    );
    expect(run).toMatchObject({ status: 'completed', result: 1000 });
    const { items, nextCursor } = await host.engine.executions.calls(host.owner, run.id, { limit: 200 });
    expect({ items: items.length, nextCursor }).toEqual({ items: 200, nextCursor: '199' });
    const nowhere = host.engine.executions.calls(host.owner, run.id, { limit: 200, cursor: 'abc' });
    expect(await failureOf(nowhere)).toMatchObject({ code: 'invalidRequest' });
  });
});

describe('An agent', () => {
  test('sees its own runs and no others', async () => {
    const agent = async (name: string): Promise<Principal> => {
      const { id } = await host.engine.apiKeys.create(host.owner, { name, kind: 'agent' });
      const { workspaceId, actorId } = host.owner;
      return { kind: 'agent', credential: 'apiKey', apiKeyId: id, workspaceId, actorId };
    };
    const [one, other] = [await agent('one'), await agent('other')];
    const { executions } = host.engine;
    const run = await executions.create(one, { code: 'return 1', waitMs: 20_000 });
    expect(await executions.get(one, run.id)).toMatchObject({ status: 'completed' });
    const none = { code: 'notFound', message: expect.stringContaining('of yours') };
    const signal = new AbortController().signal;
    expect(await failureOf(executions.get(other, run.id))).toEqual(none);
    expect(await failureOf(executions.calls(other, run.id, { limit: 1 }))).toEqual(none);
    expect(await failureOf(executions.cancel(other, run.id))).toEqual(none);
    expect(await failureOf(executions.wait(other, run.id, { waitMs: 0 }))).toEqual(none);
    expect(await failureOf(executions.events(other, run.id, { follow: false }, signal))).toEqual(none);
    expect((await executions.list(other, { limit: 50 })).items).toEqual([]);
    expect((await executions.list(one, { limit: 50 })).items.map(({ id }) => id)).toEqual([run.id]);
    expect(await host.get(run.id)).toMatchObject({ status: 'completed' });
  });

  test('sees what a person must do, and nothing with which it could answer itself', async () => {
    const { id, kind } = await host.engine.apiKeys.create(host.owner, { name: 'waiter', kind: 'agent' });
    const { workspaceId, actorId } = host.owner;
    const agent: Principal = { kind, credential: 'apiKey', apiKeyId: id, workspaceId, actorId };
    const run = await host.engine.executions.create(agent, {
      code: 'return tools.notes.add({ text: "secret plan" })',
      waitMs: 20_000,
    });
    expect(run.interactions).toEqual([
      {
        kind: 'approval',
        prompt: 'Allow notes.add (write)?',
        url: expect.stringMatching(/^http:\/\/executor\.test\/approvals\/int_/),
      },
    ]);
    await host.engine.executions.cancel(agent, run.id);
  });
});

describe('Cancelling', () => {
  test.each([
    ['a run that waits for a person', 'return tools.notes.add({ text: "x" })'],
    ['a run that sleeps for a week', 'await sleep(7 * 24 * 3600_000)'],
    ['a run that computes', 'for (;;) { await sleep(1); for (let i = 0; i < 1e6; i++); }'],
  ])('ends %s', async (_, code) => {
    const run = await host.run(code, { waitMs: 300 });
    expect(await host.engine.executions.cancel(host.owner, run.id)).toMatchObject({
      status: 'cancelled',
      interactions: [],
    });
    expect((await host.asked(run.id, 0)).length).toBe(0);
    expect((await host.story(run.id)).at(-1)).toBe('execution.cancelled');
  });

  test('a finished run changes nothing', async () => {
    const run = await host.run('return 5');
    expect(await host.engine.executions.cancel(host.owner, run.id)).toEqual(run);
  });

  test('at the end of a run leaves it in one of both states, the same for all readers', async () => {
    for (let delay = 0; delay < 10; delay++) {
      const run = await host.run('await sleep(20); return 1', { waitMs: 0 });
      await new Promise((resolve) => setTimeout(resolve, 12 + delay * 2));
      const answered = await host.engine.executions.cancel(host.owner, run.id);
      expect(['completed', 'cancelled']).toContain(answered.status);
      expect(await host.get(run.id)).toMatchObject({ status: answered.status });
      const ends = (await host.story(run.id)).filter(
        (type) => /completed|cancelled$/.test(type) && type.startsWith('exec'),
      );
      expect(ends).toEqual([`execution.${answered.status}`]);
    }
  });
});

describe('Events', () => {
  const follow = async (id: string, after?: string) => {
    const seen: string[] = [];
    const signal = AbortSignal.timeout(20_000);
    for await (const event of await host.engine.executions.events(
      host.owner,
      id,
      { after, follow: true },
      signal,
    )) {
      seen.push(`${event.id} ${event.type}`);
    }
    return seen;
  };

  test('are streamed until the end of the run, and can be resumed from any event', async () => {
    const run = await host.run('console.log(1); await tools.notes.list(); await sleep(60); console.log(2)', {
      waitMs: 0,
    });
    const all = await follow(run.id);
    expect(all.map((event) => event.split(' ')[1])).toEqual([
      'execution.created',
      'execution.started',
      'log',
      'call.requested',
      'call.decided',
      'call.completed',
      'timer.set',
      'call.completed',
      'log',
      'execution.completed',
    ]);
    for (const at of [0, 3, 9]) expect(await follow(run.id, String(at))).toEqual(all.slice(at));
  });

  test('of the workspace include its runs and their questions', async () => {
    const end = new AbortController();
    const stream = await host.engine.executions.workspaceEvents(host.owner, { follow: true }, end.signal);
    const nothing = { after: 'garbage', follow: true };
    expect(await failureOf(host.engine.executions.workspaceEvents(host.owner, nothing, end.signal))).toEqual({
      code: 'invalidRequest',
      message: expect.stringContaining('is not the id of an event'),
    });
    const run = await host.run('return tools.notes.add({ text: "seen" })');
    const [asked] = await host.asked(run.id);
    await host.answer(asked?.id ?? '', { action: 'deny', reason: 'no' });
    const seen: string[] = [];
    for await (const event of stream) {
      if (event.executionId !== run.id) continue;
      seen.push(event.type);
      if (event.type === 'execution.failed') end.abort();
    }
    expect(seen).toEqual([
      'execution.created',
      'execution.started',
      'interaction.requested',
      'execution.waiting',
      'interaction.resolved',
      'execution.resumed',
      'execution.failed',
    ]);
  });
});

describe('Large values:', () => {
  test('a result is cut but keeps its shape, and is stored whole as an artifact', async () => {
    const run = await host.run(
      'return { list: Array.from({ length: 20_000 }, (_, i) => ({ i, text: "item " + i })), last: "kept" }',
    );
    expect(run.status).toBe('completed');
    const { bytes, shownBytes, artifactId } = run.omitted?.result ?? {};
    expect(bytes).toBeGreaterThan(600_000);
    expect(shownBytes).toBeLessThanOrEqual(64 * 1024);
    const result = run.result as { list: unknown[]; last: string };
    expect(result.list[0]).toEqual({ i: 0, text: 'item 0' });
    expect(result.list.at(-1)).toMatch(/^… \(\d+ more items\)$/);
    expect(result.last).toBe('kept');
    const whole = await host.artifact(artifactId ?? '');
    expect(JSON.parse(Buffer.from(whole.bytes).toString()).list).toHaveLength(20_000);
    const [, call] = /in code (.*?\))\. To see/.exec(run.omitted?.result?.hint ?? '') ?? [];
    expect((await host.run(`return (await ${call}).json.list.length`)).result).toBe(20_000);
    expect(await host.engine.executions.replay(host.owner, run.id)).toMatchObject({ matched: true });
  });

  test('a result over 1 MB completes the run, up to the limit that the request or the workspace sets', async () => {
    const code = 'await tools.notes.list(); return "x".repeat(5_000_000)';
    const run = await host.run(code);
    expect(run).toMatchObject({ status: 'completed', omitted: { result: { bytes: 5_000_002 } } });
    const whole = await host.artifact(run.omitted?.result?.artifactId ?? '');
    expect(whole.bytes).toHaveLength(5_000_002);
    expect(await host.engine.executions.replay(host.owner, run.id)).toMatchObject({ matched: true });
    const limited = await host.run(code, { limits: { resultBytes: 1_000_000 } });
    expect(limited).toMatchObject({ status: 'failed', error: { code: 'limit' } });
  });

  test('a log shows its end and says where the beginning is', async () => {
    const run = await host.run('for (let i = 0; i < 1000; i++) console.log("line " + i + " ".repeat(100))');
    expect(run.logs.at(-1)?.text).toContain('line 999');
    expect(run.omitted?.logs).toMatchObject({ hint: expect.stringContaining('executor executions events') });
    const long = await host.run('console.log("x" + "🙂".repeat(20_000))');
    expect(long.logs[0]?.text).toMatch(/^x(🙂)+… \d+ more bytes$/u);
    expect(Buffer.byteLength(long.logs[0]?.text ?? '')).toBeLessThanOrEqual(32 * 1024 + 256);
  });

  test('a large result of a tool is a value, up to an eighth of the memory of the sandbox', async () => {
    const code =
      'const text = await tools.notes.large({ bytes: 3_000_000 }); return text.length ?? text.type';
    expect((await host.run(code)).result).toBe(3_000_000);
    expect((await host.run(code, { limits: { memoryMb: 20 } })).result).toBe('artifact');
  });

  test('a larger result of a tool becomes an artifact that the code can read', async () => {
    const run = await host.run(`
      const { message, ...handle } = await tools.notes.large({ bytes: 9_000_000 });
      return [message, handle, await tools.executor.artifacts.read({ id: handle.id, offset: 8_999_990, length: 100 })];`);
    expect(run.result).toMatchObject([
      'notes.large succeeded. Its answer has 9000000 bytes, and this run can take 8388608 as a value, so it is stored as an artifact. Read parts of it with tools.executor.artifacts.read({ id, as: "text", offset, length }).',
      { type: 'artifact', mediaType: 'text/plain; charset=utf-8', bytes: 9_000_000 },
      { text: 'x'.repeat(10), bytes: 9_000_000 },
    ]);
  });

  test('an artifact is read whole as JSON, within the memory of the sandbox', async () => {
    const stored = await host.run(`
      return (await tools.executor.artifacts.put({ text: '[' + '1, '.repeat(300_000) + '1]' })).id`);
    const code = `
      const { json, bytes } = await tools.executor.artifacts.read({ id: "${stored.result}", as: 'json' });
      return [json.length, bytes];`;
    const run = await host.run(code);
    expect(run).toMatchObject({ status: 'completed', result: [300_001, 900_003] });
    expect(await host.engine.executions.replay(host.owner, run.id)).toMatchObject({ matched: true });
    const small = await host.run(code, { limits: { memoryMb: 6 } });
    expect(small.error?.message).toMatch(
      /The artifact has 900003 bytes\. Code with 6 MB of memory can read at most 786432 bytes as JSON\./,
    );
    const text = await host.run(`
      const { id } = await tools.executor.artifacts.put({ text: 'plain' });
      return tools.executor.artifacts.read({ id, as: 'json' }).catch(({ message, details }) => [message, details.code]);`);
    expect(text.result).toEqual([
      expect.stringMatching(/^The artifact \(text\/plain.*\) is not JSON: .* Read it with as: "text"\.$/),
      'invalidInput',
    ]);
  });

  test('JSON that is nested too deeply is an error that the code can catch', async () => {
    const run = await host.run(`
      const { id } = await tools.executor.artifacts.put({ text: '['.repeat(200_000) + ']'.repeat(200_000) });
      return tools.executor.artifacts.read({ id, as: 'json' }).catch(({ message, code }) => [message, code]);`);
    expect(run.result).toEqual([
      'The artifact is JSON that is nested too deeply. Read it with as: "text".',
      'resultTooLarge',
    ]);
  });

  test('code stores artifacts and reads them back, and others cannot read them', async () => {
    const run = await host.run(`
      const { id } = await tools.executor.artifacts.put({ text: "hällo", name: "greeting.txt" });
      return [id, await tools.executor.artifacts.read({ id })]`);
    const [id, read] = run.result as [string, object];
    expect(read).toEqual({ id, mediaType: 'text/plain; charset=utf-8', bytes: 6, text: 'hällo' });
    expect(await host.artifact(id)).toMatchObject({ name: 'greeting.txt' });
    const { workspaceId, actorId } = host.owner;
    const agent: Principal = {
      kind: 'agent',
      credential: 'apiKey',
      apiKeyId: 'key_other',
      workspaceId,
      actorId,
    };
    expect(await failureOf(host.engine.artifacts.open(agent, id))).toMatchObject({ code: 'notFound' });
    const theft = await host.engine.executions.create(agent, {
      code: `return tools.executor.artifacts.read({ id: ${JSON.stringify(id)} })`,
      waitMs: 20_000,
    });
    expect(theft).toMatchObject({
      status: 'failed',
      error: { message: `You have no artifact "${id}".` },
    });
  });
});

describe('A finished run can be replayed:', () => {
  test.each([
    [
      'with calls and logs',
      'console.log(1); const l = await tools.notes.list(); return [l.length, Math.random(), Date.now()]',
    ],
    ['that failed', 'await tools.notes.fail()'],
    ['with a race', 'return Promise.race([sleep(5).then(() => "a"), sleep(50).then(() => "b")])'],
    [
      'that ended with answers under way',
      'for (let i = 0; i < 50; i++) tools.notes.list(); await tools.notes.list(); return "early"',
    ],
    ['that does not compile', 'return ='],
  ])('%s', async (_, code) => {
    const run = await host.run(code);
    expect(await host.engine.executions.replay(host.owner, run.id)).toMatchObject({ matched: true });
  });

  test('a changed journal shows both ends', async () => {
    const run = await host.run('const list = await tools.notes.list(); return "was " + list.length');
    await host.database.run((sql) =>
      sql.execute(
        `update events set data = replace(data, 'notes.list', 'notes.clear') where execution_id = '${run.id}'`,
      ),
    );
    expect(await host.engine.executions.replay(host.owner, run.id)).toMatchObject({
      matched: false,
      replayed: { code: 'nondeterminism', message: expect.stringContaining('notes.clear') },
    });
  });

  test('a run that has not finished cannot', async () => {
    const run = await host.run('await sleep(60_000)', { waitMs: 0 });
    expect(await failureOf(host.engine.executions.replay(host.owner, run.id))).toMatchObject({
      code: 'conflict',
    });
    const calls = () => host.engine.executions.calls(host.owner, run.id, { limit: 10 });
    await expect.poll(async () => (await calls()).items.length).toBe(1);
    await host.engine.executions.cancel(host.owner, run.id);
    expect(await host.engine.executions.replay(host.owner, run.id)).toMatchObject({
      matched: true,
      message:
        'Replayed 1 call and 0 answers from the journal: the replay matches the run until it was cancelled.',
    });
  });
});
