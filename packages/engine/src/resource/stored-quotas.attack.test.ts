import { type Execution, ExecutorError, type NewExecution, type Principal } from '@executor/protocol';
import { afterEach, describe, expect, test } from 'vitest';
import { TestEngine } from '../../test/test-engine.ts';
import type { EngineOptions } from '../engine.ts';

let host: TestEngine;
afterEach(() => host.close());

const mebibyte = 1024 * 1024;
const begin = async (limits: EngineOptions['limits']) => {
  host = await TestEngine.start({ limits, worker: { evictAfterMs: 50 } });
};
const agent = (apiKeyId: string): Principal => ({ ...host.agent, apiKeyId });
const run = (key: string, code: string, request: Partial<NewExecution> = {}): Promise<Execution> =>
  host.engine.executions.create(agent(key), { code, waitMs: 20_000, ...request });
const refusalOf = (work: Promise<unknown>): Promise<ExecutorError> =>
  work.then(
    () => expect.fail('It was not refused.'),
    (error) => error,
  );
const usageOf = async (name: string) => {
  const all = await host.engine.quotas.usage(host.owner.workspaceId);
  return all.find((usage) => usage.name === name) ?? expect.fail(`There is no ${name}.`);
};
const put = (kilobytes: number) =>
  `return (await tools.executor.artifacts.put({ text: "x".repeat(${kilobytes} * 1024) })).id`;
const allow = (pattern: string) =>
  host.engine.policies.create(host.owner, {
    ...{ scope: { type: 'workspace' as const }, pattern, conditions: [], decision: 'allow' as const },
  });

describe('Stored bytes', () => {
  test('A key that stores too much loses the payloads of its own oldest runs, and nobody else does', async () => {
    await begin({ 'storedBytes.perKey': 2 * mebibyte });
    const other = await run('key_b', put(900));
    const first = await run('key_a', put(900));
    for (let more = 0; more < 4; more++) expect((await run('key_a', put(900))).status).toBe('completed');
    expect((await usageOf('storedBytes')).users).toEqual([
      { key: 'key_a', used: expect.toSatisfy((used: number) => used <= 2 * mebibyte) },
      { key: 'key_b', used: expect.any(Number) },
    ]);
    const hint =
      /^Deleted on \d{4}-\d\d-\d\d to make room: the key reached its quota of 2 MB of stored data\.$/;
    const shown = await host.get(first.id);
    expect(shown).toMatchObject({ status: 'completed', removed: { hint: expect.stringMatching(hint) } });
    const gone = await refusalOf(host.engine.artifacts.open(agent('key_a'), String(first.result)));
    expect(gone).toMatchObject({
      code: 'gone',
      message: expect.stringContaining(shown.removed?.hint ?? '-'),
    });
    const reading = `try { await tools.executor.artifacts.read({ id: "${first.result}" }) } catch ({ message, details }) { return [details.code, message] }`;
    expect((await run('key_a', reading)).result).toEqual(['gone', expect.stringContaining('quota of 2 MB')]);
    expect((await host.artifact(String(other.result))).bytes.length).toBe(900 * 1024);
    const replay = await refusalOf(host.engine.executions.replay(host.owner, first.id));
    expect(replay.code).toBe('gone');
  });

  test('An unfinished run loses nothing, and its own calls are refused with what is used', async () => {
    await begin({ 'storedBytes.perKey': 4 * mebibyte });
    const code = `
      const ids = [];
      try { for (;;) ids.push((await tools.executor.artifacts.put({ text: "x".repeat(300 * 1024) })).id) }
      catch ({ message, details }) { return { ids, message, details } }`;
    const { result, error } = await run('key_a', code);
    expect(error).toBeUndefined();
    expect(result).toMatchObject({
      message: expect.stringMatching(/4 MB per key.*This key has .* MB.*raise the limit/s),
      details: { code: 'quotaExceeded', resource: 'storedBytes', perKey: 4 * mebibyte },
    });
    for (const id of (result as { ids: string[] }).ids)
      expect((await host.artifact(id)).bytes.length).toBe(300 * 1024);
  });

  test('A key whose runs alone fill its quota starts no more runs, and people still answer', async () => {
    await begin({ 'storedBytes.perKey': 256 * 1024 });
    const waiting = await run('key_a', 'return tools.notes.add({ text: "x" })');
    const code = `return 1 // ${'x'.repeat(30_000)}`;
    let refusal: ExecutorError | undefined;
    for (let more = 0; more < 30 && refusal === undefined; more++) {
      await run('key_a', code).catch((error) => {
        refusal = error;
      });
    }
    expect(refusal).toMatchObject({ code: 'quotaExceeded', details: { resource: 'storedBytes' } });
    expect((await run('key_b', 'return 1')).status).toBe('completed');
    const [asked] = await host.asked(waiting.id);
    await host.answer(asked?.id ?? '', { action: 'deny' });
    expect((await host.wait(waiting.id)).status).toBe('failed');
    expect((await host.run('return 1')).status).toBe('completed');
  });

  test('Large inputs and results count, and a run that goes on after refusals is stopped', async () => {
    await begin({ 'storedBytes.perKey': mebibyte });
    const code = `
      for (;;) await tools.executor.artifacts.read({ id: "x".repeat(60_000) }).catch(({ details }) => details.code)`;
    const { status, error } = await run('key_a', code);
    expect({ status, error }).toMatchObject({
      status: 'failed',
      error: { code: 'limit', message: expect.stringContaining('1 MB per key') },
    });
    const [{ used } = { used: 0 }] = (await usageOf('storedBytes')).users;
    expect(used).toBeLessThan(3 * mebibyte);
    // The next run makes room, because that one has finished.
    expect((await run('key_a', 'return 1')).status).toBe('completed');
    expect((await usageOf('storedBytes')).users[0]?.used).toBeLessThan(mebibyte);
  });

  test('At the limit of all agents, a key loses nothing because of another, and people go on', async () => {
    await begin({
      'storedBytes.perKey': 2 * mebibyte,
      'storedBytes.agents': 2 * mebibyte,
      'storedBytes.total': 8 * mebibyte,
    });
    const first = await run('key_a', put(900));
    const { error } = await run('key_b', put(300));
    expect(error?.message).toContain('for all agents together');
    expect((await host.artifact(String(first.result))).bytes.length).toBe(900 * 1024);
    expect((await host.run(put(300))).status).toBe('completed');
  });
});

test('A key can store only so many runs', async () => {
  await begin({ 'storedRuns.perKey': 3 });
  for (let count = 0; count < 3; count++) await run('key_a', 'return 1', { idempotencyKey: `run ${count}` });
  const refusal = await refusalOf(run('key_a', 'return 1'));
  expect(refusal).toMatchObject({
    code: 'quotaExceeded',
    message: expect.stringMatching(/stored runs is 3 per key.*This key has 3.*retention/s),
    details: { resource: 'storedRuns', used: 3, perKey: 3 },
  });
  expect((await run('key_a', 'return 1', { idempotencyKey: 'run 1' })).status).toBe('completed');
  expect((await run('key_b', 'return 1')).status).toBe('completed');
});

describe('Questions', () => {
  test('A key can have only so many pending questions, and gets the places of answered ones back', async () => {
    await begin({ 'pendingQuestions.perKey': 3 });
    const code = `return Promise.all([1, 2, 3, 4, 5].map((n) => tools.notes.add({ text: "n" + n }).then(
      () => "sent", ({ name, message, details }) => [name, details.code, details.resource, message])))`;
    const { id } = await run('key_a', code);
    const asked = await host.asked(id, 3);
    expect(asked).toHaveLength(3);
    expect(await usageOf('pendingQuestions')).toMatchObject({ used: 3, users: [{ key: 'key_a', used: 3 }] });
    const other = await run('key_b', 'return tools.notes.add({ text: "x" })');
    expect(await host.asked(other.id)).toHaveLength(1);
    for (const { id: question } of asked) await host.answer(question, { action: 'approve' });
    const refused = [
      'ToolError',
      'quotaExceeded',
      'pendingQuestions',
      expect.stringMatching(/3 per key.*This key has 3/),
    ];
    const { result } = await host.wait(id);
    expect((result as unknown[]).filter((one) => one === 'sent')).toHaveLength(3);
    expect((result as unknown[]).filter((one) => one !== 'sent')).toEqual([refused, refused]);
    expect(await usageOf('pendingQuestions')).toMatchObject({ used: 1 });
    await host.engine.executions.cancel(host.owner, other.id);
    expect(await usageOf('pendingQuestions')).toMatchObject({ used: 0 });
    expect(await host.asked((await run('key_a', 'return tools.notes.add({ text: "y" })')).id)).toHaveLength(
      1,
    );
  });
});

describe('The audit', () => {
  const written = async () => {
    const { items } = await host.store.audit.list(host.owner.workspaceId, { limit: 200 });
    return items.filter(({ action }) => action === 'call.allowed');
  };

  test('has each write that a rule allowed, and a key without room for an entry cannot write', async () => {
    await begin({ 'auditRows.perKey': 3 });
    const { id: policyId } = await allow('notes.**');
    const code = `
      const outcomes = [];
      for (let n = 0; n < 5; n++) outcomes.push(await tools.notes.add({ text: "n" + n }).then(
        () => "sent", ({ details }) => [details.code, details.resource]));
      await tools.notes.list();
      return outcomes`;
    const { id, result } = await run('key_a', code);
    const refused = ['quotaExceeded', 'auditRows'];
    expect(result).toEqual(['sent', 'sent', 'sent', refused, refused]);
    expect(host.notes.count('notes.add')).toBe(3);
    expect((await written()).map(({ target }) => target).sort()).toEqual([`${id}.0`, `${id}.1`, `${id}.2`]);
    expect((await written())[0]).toMatchObject({
      credential: 'apiKey',
      credentialId: 'key_a',
      details: { executionId: id, path: 'notes.add', effect: 'write', policyId },
    });
    expect((await run('key_b', 'return (await tools.notes.add({ text: "b" })).text')).result).toBe('b');
  });

  test('has no entry for reads and for calls that a person approved', async () => {
    await begin({});
    const { id } = await run('key_a', 'await tools.notes.list(); return tools.notes.add({ text: "x" })');
    const [asked] = await host.asked(id);
    await host.answer(asked?.id ?? '', { action: 'approve' });
    await host.wait(id);
    expect(await written()).toEqual([]);
  });

  test('lets people answer and cancel when a key has used up its entries', async () => {
    await begin({ 'auditRows.perKey': 1, 'auditRows.agents': 1, 'auditRows.total': 1 });
    const { id } = await run('key_a', 'return tools.notes.add({ text: "x" })');
    const sleeping = await run('key_a', 'await sleep(600_000)', { waitMs: 0 });
    const [asked] = await host.asked(id);
    await host.engine.executions.cancel(agent('key_a'), sleeping.id);
    expect((await refusalOf(host.engine.executions.cancel(agent('key_a'), id))).code).toBe('quotaExceeded');
    await host.answer(asked?.id ?? '', { action: 'deny' });
    expect(await host.engine.executions.cancel(host.owner, id)).toMatchObject({ id });
  });
});

test('Agents cannot write when less than the reserve of people is free on the disk', async () => {
  await begin({ 'disk.reserve': 2 ** 52 });
  const refusal = await refusalOf(run('key_a', 'return 1'));
  expect(refusal).toBeInstanceOf(ExecutorError);
  expect(refusal).toMatchObject({
    code: 'quotaExceeded',
    message: expect.stringContaining('are for people'),
    details: { resource: 'disk' },
  });
  const person = await host.run('return tools.notes.add({ text: "x" })');
  const [asked] = await host.asked(person.id);
  await host.answer(asked?.id ?? '', { action: 'deny' });
  expect((await host.wait(person.id)).status).toBe('failed');
  expect((await usageOf('disk')).limits.agents).toBe(0);
});
