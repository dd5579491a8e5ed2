import type { Principal } from '@executor/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestEngine } from '../../test/test-engine.ts';

let host: TestEngine;
beforeAll(async () => {
  host = await TestEngine.start();
});
afterAll(() => host.close());

const newAgent = async (name: string): Promise<Principal> => {
  const { id } = await host.engine.apiKeys.create(host.owner, { name, kind: 'agent' });
  return { ...host.agent, apiKeyId: id };
};

test('Revoking a key ends its runs in every state, withdraws its questions, and no call is sent afterwards', async () => {
  const agent = await newAgent('revoked');
  const { executions, apiKeys, interactions } = host.engine;
  const start = (code: string) => executions.create(agent, { code, waitMs: 0, limits: { cpuMs: 10_000 } });
  const letGo = host.notes.hold('notes.put');
  const asking = await start('await tools.notes.add({ text: "asked" })');
  const sleeping = await start('await sleep(60_000); await tools.notes.list({})');
  const busy = await start('for (;;);');
  const reading = await start('for (;;) await tools.notes.list({})');
  const writing = await start('await tools.notes.put({ text: "sent" }); await tools.notes.list({})');
  const other = await host.run('await sleep(60_000)', { waitMs: 0 });
  const [question] = await host.asked(asking.id);
  const [sent] = await host.asked(writing.id);
  await host.answer(sent?.id ?? '', { action: 'approve' });
  await expect.poll(() => host.notes.count('notes.put'), { timeout: 20_000 }).toBe(1);
  await expect.poll(() => host.notes.count('notes.list'), { timeout: 20_000 }).toBeGreaterThan(3);
  const revocation = await apiKeys.revoke(host.owner, agent.apiKeyId ?? '');
  const calls = host.notes.received.length;
  expect(revocation).toEqual({ runs: 5, questions: 1 });
  for (const { id } of [asking, sleeping, busy, reading, writing]) {
    expect(await host.get(id)).toMatchObject({
      status: 'cancelled',
      error: { code: 'keyRevoked' },
      interactions: [],
    });
    expect((await host.story(id)).slice(-2)).toEqual(['execution.cancelRequested', 'execution.cancelled']);
  }
  await expect(
    interactions.resolve(host.owner, question?.id ?? '', { action: 'approve' }),
  ).rejects.toMatchObject({
    code: 'gone',
  });
  letGo();
  const holders = () => host.engine.resources.held.runs.usage().users.map(({ key }) => key);
  await expect.poll(holders, { timeout: 20_000 }).not.toContain(agent.apiKeyId);
  expect(host.notes.received).toHaveLength(calls);
  expect((await host.get(other.id)).status).not.toBe('cancelled');
  const { items } = await host.store.audit.list(host.owner.workspaceId, { limit: 50 });
  expect(items.find(({ action }) => action === 'apiKey.revoked')?.details).toEqual({
    cancelledRuns: 5,
    withdrawnQuestions: 1,
  });
  await executions.cancel(host.owner, other.id);
});

test('A request that was authenticated before its key was revoked starts nothing', async () => {
  const agent = await newAgent('late');
  await host.engine.apiKeys.revoke(host.owner, agent.apiKeyId ?? '');
  const late = host.engine.executions.create(agent, { code: 'return 1', waitMs: 1_000 });
  await expect(late).rejects.toMatchObject({ code: 'unauthenticated' });
});

const callsOf = async (engine: TestEngine, id: string) =>
  (await engine.engine.executions.calls(engine.owner, id, { limit: 10 })).items;

/** A run whose call was sent and has no answer yet. */
async function sending(engine: TestEngine, code: string) {
  const { id } = await engine.engine.apiKeys.create(engine.owner, { name: 'sending', kind: 'agent' });
  const agent: Principal = { ...engine.agent, apiKeyId: id };
  const sent = engine.notes.count('notes.add');
  const run = await engine.engine.executions.create(agent, { code, waitMs: 0 });
  const [question] = await engine.asked(run.id);
  await engine.answer(question?.id ?? '', { action: 'approve' });
  await expect.poll(() => engine.notes.count('notes.add'), { timeout: 20_000 }).toBe(sent + 1);
  return { run, revoke: () => engine.engine.apiKeys.revoke(engine.owner, id) };
}

const addAndList = 'await tools.notes.add({ text: "sent" }); await tools.notes.list({})';

test('A call that was sent before the revocation is recorded to its end, and the code goes no further', async () => {
  for (const failure of [undefined, 'The note is locked.']) {
    let answer = () => {};
    host.notes.instead.set('notes.add', (_, signal) => {
      const outcome = failure
        ? ({ type: 'error', message: failure } as const)
        : ({ type: 'value', value: 'x'.repeat(100_000) } as const);
      return new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        answer = () => resolve(outcome);
      });
    });
    const { run, revoke } = await sending(host, addAndList);
    const listed = host.notes.count('notes.list');
    await revoke();
    expect(await callsOf(host, run.id)).toMatchObject([{ status: 'uncertain' }]);
    answer();
    const outcome = failure ? { status: 'failed', error: { message: failure } } : { status: 'succeeded' };
    const calls = () => callsOf(host, run.id);
    await expect.poll(calls, { timeout: 20_000 }).toMatchObject([outcome]);
    expect((await host.story(run.id)).slice(-2)).toEqual(['execution.cancelled', 'call.completed']);
    expect(await host.get(run.id)).toMatchObject({ status: 'cancelled', error: { code: 'keyRevoked' } });
    expect(host.notes.count('notes.list')).toBe(listed);
  }
  host.notes.instead.delete('notes.add');
});

test('A process that stops waits for such a call, and the call stays uncertain if that takes too long', async () => {
  for (const { graceMs, status } of [
    { graceMs: 20_000, status: 'succeeded' },
    { graceMs: 0, status: 'uncertain' },
  ]) {
    const stopped = await TestEngine.start();
    const letGo = stopped.notes.hold('notes.add');
    const { run, revoke } = await sending(stopped, addAndList);
    await revoke();
    const drained = stopped.engine.worker.drain(graceMs);
    if (graceMs > 0) letGo();
    await drained;
    expect(await callsOf(stopped, run.id)).toMatchObject([{ status }]);
    letGo();
    await stopped.close();
  }
});

test("Revoking a person's key ends the runs started with it and with its browser sessions, and no others", async () => {
  const { apiKeys, executions, sessions } = host.engine;
  const { id } = await apiKeys.create(host.owner, { name: 'person', kind: 'person' });
  const person: Principal = { ...host.owner, credential: 'apiKey', apiKeyId: id };
  await sessions.createLink(person);
  const { items } = await host.store.audit.list(host.owner.workspaceId, { limit: 1 });
  const browser: Principal = { ...host.owner, credential: 'session', sessionId: items[0]?.target ?? '' };
  const start = (principal: Principal) =>
    executions.create(principal, { code: 'await tools.notes.clear({})', waitMs: 0 });
  const ended = [await start(person), await start(browser)];
  const other = await start(host.owner);
  for (const run of [...ended, other]) await host.asked(run.id);
  expect(await apiKeys.revoke(host.owner, id)).toEqual({ runs: 2, questions: 2 });
  for (const run of ended) {
    const expected = { status: 'cancelled', error: { code: 'keyRevoked' }, interactions: [] };
    expect(await host.get(run.id)).toMatchObject(expected);
  }
  expect((await host.get(other.id)).status).toBe('waiting');
  for (const late of [person, browser])
    await expect(start(late)).rejects.toMatchObject({ code: 'unauthenticated' });
  await executions.cancel(host.owner, other.id);
});
