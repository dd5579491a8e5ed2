import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TestEngine } from '../../../test/test-engine.ts';

let host: TestEngine;
beforeAll(async () => {
  host = await TestEngine.start({ worker: { evictAfterMs: 50 } });
});
afterAll(() => host.close());
beforeEach(async () => {
  host.notes.received.length = 0;
  await host.removePolicies();
});

const add = 'return (await tools.notes.add({ text: "hello" })).text';

describe('A call that needs approval', () => {
  test('shows exactly what will be sent, and is sent once after approval', async () => {
    const run = await host.run(add);
    expect(run).toMatchObject({ status: 'waiting', interactions: [{ kind: 'approval' }] });
    const [asked] = await host.asked(run.id);
    expect(asked).toMatchObject({
      kind: 'approval',
      status: 'pending',
      executionId: run.id,
      callId: `${run.id}.0`,
      tool: { path: 'notes.add', input: { text: 'hello', tag: 'none' }, effect: 'write' },
      request: { to: 'notes', operation: 'add', input: { text: 'hello', tag: 'none' } },
      actions: ['approve', 'deny'],
      remember: { pattern: 'notes.add', decision: 'allow' },
    });
    expect(host.notes.received).toEqual([]);
    await host.answer(asked?.id ?? '', { action: 'approve' });
    expect(await host.wait(run.id)).toMatchObject({ status: 'completed', result: 'hello' });
    expect(host.notes.received).toMatchObject([
      { path: 'notes.add', input: { text: 'hello', tag: 'none' }, attempt: 1 },
    ]);
  });

  test('throws an error that the code can catch if it is denied', async () => {
    const run = await host.run(`
      try { await tools.notes.add({ text: "x" }); }
      catch (error) { return [error.name, error instanceof ToolDeniedError, error.message, error.details.reason]; }`);
    const [asked] = await host.asked(run.id);
    await host.answer(asked?.id ?? '', { action: 'deny', reason: 'not on a Sunday' });
    expect((await host.wait(run.id)).result).toEqual([
      'ToolDeniedError',
      true,
      'A person denied notes.add: not on a Sunday. Do not try the same again.',
      'not on a Sunday',
    ]);
    expect(host.notes.received).toEqual([]);
  });

  test('is not asked about if it cannot work', async () => {
    const run = await host.run('await tools.notes.add({ txt: "x" })');
    expect(run).toMatchObject({
      status: 'failed',
      error: { name: 'ToolError', message: expect.stringContaining('text') },
    });
    expect(await host.story(run.id)).not.toContain('interaction.requested');
  });

  test('is not asked about if its source cannot build a request, and a denied tool does not show why', async () => {
    const message = 'The document does not say where this operation is.';
    host.notes.check = async ({ tool }) =>
      tool.path === 'notes.add' ? { type: 'error', message, details: { code: 'invalidRequest' } } : undefined;
    const run = await host.run(add);
    expect(run).toMatchObject({ status: 'failed', error: { name: 'ToolError', message } });
    expect(await host.story(run.id)).not.toContain('interaction.requested');
    host.notes.check = async () => {
      throw new Error('a slip of the source');
    };
    const caught = await host.run(
      `try { ${add.replace(/^return /, 'await ')} } catch (error) { return error.message }`,
    );
    expect(caught).toMatchObject({ status: 'completed', result: 'notes.add failed: a slip of the source' });
    const scope = { type: 'workspace' } as const;
    await host.engine.policies.create(host.owner, {
      scope,
      pattern: 'notes.add',
      conditions: [],
      decision: 'deny',
    });
    expect((await host.run(add)).error).toMatchObject({ name: 'ToolDeniedError' });
    host.notes.check = undefined;
  });

  test('is one of five pending questions, which can be answered in any order or together', async () => {
    const run = await host.run(
      'return Promise.all([1, 2, 3, 4, 5].map(async (n) => (await tools.notes.add({ text: "n" + n })).text))',
    );
    const asked = await host.asked(run.id, 5);
    expect(asked).toHaveLength(5);
    await host.answer(asked[3]?.id ?? '', { action: 'approve' });
    await host.answer(asked[0]?.id ?? '', { action: 'approve' });
    const rest = [1, 2, 4].map((index) => asked[index]?.id ?? '');
    const { items } = await host.engine.interactions.resolveSeveral(host.owner, {
      ids: rest,
      action: 'approve',
    });
    expect(items.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
    expect(await host.wait(run.id)).toMatchObject({
      status: 'completed',
      result: ['n1', 'n2', 'n3', 'n4', 'n5'],
    });
    expect(host.notes.received).toHaveLength(5);
  });

  test('is answered once if two answers arrive at once', async () => {
    const run = await host.run(add);
    const [asked] = await host.asked(run.id);
    const answers = await Promise.allSettled([
      host.answer(asked?.id ?? '', { action: 'approve' }),
      host.answer(asked?.id ?? '', { action: 'deny' }),
    ]);
    const lost = answers.filter(({ status }) => status === 'rejected');
    expect(lost).toMatchObject([{ reason: { code: 'conflict' } }]);
    const done = await host.wait(run.id);
    expect(host.notes.received).toHaveLength(done.status === 'completed' ? 1 : 0);
  });

  test('is asked about once if all identical calls of the run are approved', async () => {
    const run = await host.run(`
      const both = await Promise.all([tools.notes.add({ text: "same" }), tools.notes.add({ text: "same" })]);
      const third = await tools.notes.add({ text: "same" });
      const other = await tools.notes.add({ text: "other" });
      return both.length`);
    const asked = await host.asked(run.id, 2);
    await host.answer(asked[0]?.id ?? '', { action: 'approve', scope: 'identical' });
    const [other] = await host.asked(run.id);
    expect(other?.tool?.input).toMatchObject({ text: 'other' });
    expect(host.notes.received).toHaveLength(3);
    await host.answer(other?.id ?? '', { action: 'approve' });
    expect(await host.wait(run.id)).toMatchObject({ status: 'completed', result: 2 });
  });

  test('is asked about once if all identical calls are denied, and later ones are denied too', async () => {
    const write = 'tools.notes.add({ text: "same" }).then(() => "sent", ({ message }) => message)';
    const run = await host.run(`return [...await Promise.all([${write}, ${write}]), await ${write}]`);
    const asked = await host.asked(run.id, 2);
    await host.answer(asked[0]?.id ?? '', { action: 'deny', scope: 'identical', reason: 'never' });
    const denied = 'A person denied notes.add: never. Do not try the same again.';
    expect(await host.wait(run.id)).toMatchObject({ status: 'completed', result: [denied, denied, denied] });
    expect(host.notes.received).toEqual([]);
  });

  test('stays denied if a rule allows it before the run reads the denial', async () => {
    const allowing = [
      (id: string) => host.answer(id, { action: 'approve', scope: 'identical' }),
      async (id: string) => {
        const { remember } = await host.engine.interactions.get(host.owner, id);
        if (remember) await host.answer(id, { action: 'approve', remember });
      },
    ];
    for (const allow of allowing) {
      host.notes.received.length = 0;
      const write = 'tools.notes.add({ text: "twice" }).then(() => "sent", ({ name }) => name)';
      const run = await host.run(`return Promise.all([${write}, ${write}])`);
      const [first, second] = await host.asked(run.id, 2);
      await host.engine.worker.drain();
      await host.answer(second?.id ?? '', { action: 'deny' });
      await allow(first?.id ?? '');
      await host.engine.worker.start();
      expect((await host.wait(run.id)).result).toEqual(['sent', 'ToolDeniedError']);
      expect(host.notes.received).toHaveLength(1);
    }
  });

  test('is allowed from then on if it is remembered, and no other call is', async () => {
    const run = await host.run(add);
    const [asked] = await host.asked(run.id);
    if (!asked?.remember) throw new Error('no rule was offered');
    await host.answer(asked.id, { action: 'approve', remember: asked.remember });
    await host.wait(run.id);
    expect(await host.run(add)).toMatchObject({ status: 'completed' });
    const other = await host.run('await tools.notes.add({ text: "something else" })');
    expect(other.status).toBe('waiting');
    await host.engine.executions.cancel(host.owner, other.id);
  });

  test('is asked about again if its tool changed before the answer', async () => {
    const run = await host.run(add);
    const [asked] = await host.asked(run.id);
    await host.refresh('2');
    await host.answer(asked?.id ?? '', { action: 'approve' });
    const [again] = await host.asked(run.id);
    expect(again?.id).not.toBe(asked?.id);
    expect(host.notes.received).toEqual([]);
    await host.answer(again?.id ?? '', { action: 'approve' });
    expect(await host.wait(run.id)).toMatchObject({ status: 'completed' });
    expect(host.notes.received).toHaveLength(1);
  });

  test('is not sent if a deny rule was added between question and answer', async () => {
    const run = await host.run(add);
    const [asked] = await host.asked(run.id);
    const scope = { type: 'workspace' } as const;
    const rule = await host.engine.policies.create(host.owner, {
      scope,
      pattern: 'notes.**',
      conditions: [],
      decision: 'deny',
    });
    const answered = await host.answer(asked?.id ?? '', { action: 'approve' });
    expect(answered).toMatchObject({ status: 'resolved', outcome: { status: 'denied', ruleId: rule.id } });
    expect(await host.wait(run.id)).toMatchObject({ status: 'failed', error: { name: 'ToolDeniedError' } });
    expect(host.notes.received).toEqual([]);
    const { outcome } = await host.engine.interactions.get(host.owner, asked?.id ?? '');
    expect(outcome).toEqual(answered.outcome);
  });
});

describe('The answer to an approval says what happened to a call', () => {
  test('that was sent', async () => {
    const run = await host.run(add);
    const [asked] = await host.asked(run.id);
    const { outcome } = await host.answer(asked?.id ?? '', { action: 'approve' });
    expect(['sent', 'succeeded']).toContain(outcome?.status);
    await host.wait(run.id);
    expect((await host.engine.interactions.get(host.owner, asked?.id ?? '')).outcome).toEqual({
      status: 'succeeded',
    });
  });

  test('that the reviewer denied: no outcome, because the action says it', async () => {
    const run = await host.run(add);
    const [asked] = await host.asked(run.id);
    const answered = await host.answer(asked?.id ?? '', { action: 'deny' });
    expect(answered).not.toHaveProperty('outcome');
    await host.wait(run.id);
  });

  test('whose tool changed', async () => {
    const run = await host.run(add);
    const [asked] = await host.asked(run.id);
    await host.refresh('3');
    const { outcome } = await host.answer(asked?.id ?? '', { action: 'approve' });
    expect(outcome).toMatchObject({ status: 'askedAgain' });
    await host.engine.executions.cancel(host.owner, run.id);
  });

  test('whose tool changed, and which a new rule allows: it is sent, and nobody is asked again', async () => {
    const run = await host.run(add);
    const [asked] = await host.asked(run.id);
    await host.refresh('4');
    await host.engine.policies.create(host.owner, {
      scope: { type: 'workspace' },
      pattern: 'notes.add',
      conditions: [],
      decision: 'allow',
    });
    const { outcome } = await host.answer(asked?.id ?? '', { action: 'approve' });
    expect(['sent', 'succeeded']).toContain(outcome?.status);
    expect(await host.wait(run.id)).toMatchObject({ status: 'completed' });
    expect(host.notes.count('notes.add')).toBe(1);
    expect((await host.engine.interactions.get(host.owner, asked?.id ?? '')).outcome).toEqual({
      status: 'succeeded',
    });
  });

  test.each(['put', 'add'])('that was in flight when the run ended: notes.%s', async (name) => {
    const letGo = host.notes.hold(`notes.${name}`);
    const run = await host.run(`return tools.notes.${name}({ text: "x" })`);
    const [asked] = await host.asked(run.id);
    await host.answer(asked?.id ?? '', { action: 'approve' });
    await expect.poll(() => host.notes.count(`notes.${name}`)).toBe(1);
    await host.engine.executions.cancel(host.owner, run.id);
    expect(await host.wait(run.id)).toMatchObject({ status: 'cancelled' });
    letGo();
    const { outcome } = await host.engine.interactions.get(host.owner, asked?.id ?? '');
    expect(outcome).toMatchObject({ status: 'uncertain' });
  });

  test('for each of several calls that are answered together', async () => {
    const run = await host.run(
      'return Promise.allSettled([1, 2, 3].map((n) => tools.notes.add({ text: "n" + n })))',
    );
    const asked = await host.asked(run.id, 3);
    await host.engine.policies.create(host.owner, {
      scope: { type: 'workspace' },
      pattern: 'notes.add',
      conditions: [{ field: 'text', equals: 'n2' }],
      decision: 'deny',
    });
    const { items } = await host.engine.interactions.resolveSeveral(host.owner, {
      ids: asked.map(({ id }) => id),
      action: 'approve',
    });
    const denied = items.map(({ interaction }) => interaction?.outcome?.status === 'denied');
    expect(denied).toEqual([false, true, false]);
    expect(await host.wait(run.id)).toMatchObject({ status: 'completed' });
    expect(host.notes.received).toHaveLength(2);
  });
});

describe('Rules', () => {
  test('decide, and the journal names the rule that decided', async () => {
    const scope = { type: 'workspace' } as const;
    const { id } = await host.engine.policies.create(host.owner, {
      scope,
      pattern: 'notes.add',
      conditions: [{ field: 'tag', equals: 'none' }],
      decision: 'allow',
    });
    const run = await host.run(add);
    expect(run).toMatchObject({ status: 'completed' });
    const { items } = await host.engine.executions.calls(host.owner, run.id, { limit: 10 });
    expect(items).toMatchObject([
      { path: 'notes.add', status: 'succeeded', decision: { decision: 'allow', ruleId: id } },
    ]);
  });

  test('that deny stop calls that defaults would allow, with an error that the code can catch', async () => {
    const scope = { type: 'workspace' } as const;
    const { id } = await host.engine.policies.create(host.owner, {
      scope,
      pattern: 'notes.list',
      conditions: [],
      decision: 'deny',
    });
    const run = await host.run('try { await tools.notes.list() } catch (error) { return error.name }');
    expect(run.result).toBe('ToolDeniedError');
    // A denied tool does not show what is wrong with the input; the journal has the reason.
    const wrong = await host.run('return tools.notes.list({ page: 1 }).catch((error) => error.name)');
    expect(wrong.result).toBe('ToolDeniedError');
    const { items } = await host.engine.executions.calls(host.owner, wrong.id, { limit: 10 });
    expect(items).toMatchObject([{ status: 'denied', decision: { decision: 'deny', ruleId: id } }]);
  });
});

describe('A question during a call', () => {
  test('is shown as a form, and its answer reaches the call even after the run was released', async () => {
    const run = await host.run('return tools.notes.ask()');
    const [asked] = await host.asked(run.id);
    expect(asked).toMatchObject({
      kind: 'elicitation',
      actions: ['submit', 'cancel'],
      prompt: 'What should the note say?',
    });
    await expect.poll(async () => (await host.engine.worker.list())[0]?.running).toBe(0);
    await host.answer(asked?.id ?? '', { action: 'submit', data: { text: 'dear diary' } });
    expect((await host.wait(run.id)).result).toEqual({ type: 'submitted', data: { text: 'dear diary' } });
  });

  test('can be declined and can expire', async () => {
    const declined = await host.run('return tools.notes.ask()');
    const [asked] = await host.asked(declined.id);
    await host.answer(asked?.id ?? '', { action: 'cancel' });
    expect((await host.wait(declined.id)).result).toEqual({ type: 'cancelled' });

    host.notes.instead.set('notes.ask', async ({ ask }) => ({
      type: 'value',
      value: await ask({ kind: 'elicitation', prompt: 'Quick!', expiresAt: new Date(Date.now() + 200) }),
    }));
    const expired = await host.run('return tools.notes.ask()');
    host.notes.instead.delete('notes.ask');
    await expect.poll(async () => (await host.get(expired.id)).status).toBe('completed');
    expect((await host.get(expired.id)).result).toEqual({ type: 'expired' });
    const { items } = await host.engine.interactions.list(host.owner, { executionId: expired.id, limit: 1 });
    await expect(host.answer(items[0]?.id ?? '', { action: 'cancel' })).rejects.toMatchObject({
      code: 'gone',
    });
  });
});
