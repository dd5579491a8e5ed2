import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestEngine } from '../../test/test-engine.ts';

const secret = 'hunter2-but-longer';
const url = 'https://api.acme.test/openapi.json';
let host: TestEngine;
beforeAll(async () => {
  host = await TestEngine.start();
  host.shelf.put(url, {
    title: 'Acme',
    schemes: [{ name: 'token', type: 'http', scheme: 'bearer' }],
    tools: [
      { name: 'read', security: [[{ scheme: 'token' }]] },
      { name: 'write', effect: 'write', security: [[{ scheme: 'token' }]] },
      { name: 'once', effect: 'write', repeatable: false },
    ],
  });
});
afterAll(() => host.close());

test('A call without its credentials fails before a reviewer is asked', async () => {
  await host.engine.sources.add(host.owner, { url, namespace: 'open' });
  const run = await host.run('await tools.open.write({})');
  expect(run).toMatchObject({
    status: 'failed',
    error: { name: 'ToolError', message: expect.stringContaining('executor sources edit open --bearer') },
  });
  expect(await host.story(run.id)).not.toContain('interaction.requested');
  expect(host.shelf.received).toEqual([]);
});

test('Secrets in an input are never shown, whatever the question', async () => {
  await host.engine.sources.add(host.owner, {
    url,
    namespace: 'held',
    auth: { type: 'bearer', token: 'some-other-token' },
  });
  await host.engine.policies.create(host.owner, {
    scope: { type: 'workspace' },
    pattern: 'held.**',
    conditions: [],
    decision: 'allow',
  });
  host.shelf.shownInput = (_, input) => ({ ...(input as object), text: '[hidden]' });
  host.shelf.answer = async ({ ask, tool }) => {
    if (tool.path === 'held.once') return new Promise(() => {});
    const answer = await ask({ kind: 'elicitation', prompt: 'Which?' });
    return { type: 'value', value: answer.type };
  };
  const code = (name: string) => `return await tools.held.${name}({ text: '${secret}' })`;
  const asking = await host.run(code('read'), { waitMs: 0 });
  const [question] = await host.asked(asking.id);
  expect(question?.tool).toMatchObject({ path: 'held.read', input: { text: '[hidden]' } });
  const run = await host.run(code('once'), { waitMs: 0 });
  await expect.poll(() => host.shelf.received.at(-1)?.tool.path).toBe('held.once');
  const other = await host.another();
  await other.worker.start();
  const [doubt] = await host.asked(run.id);
  expect(doubt).toMatchObject({ kind: 'reconcile', tool: { input: { text: '[hidden]' } } });
  delete host.shelf.shownInput;
  await other.worker.drain(0);
});

test('Credentials are sent and appear nowhere else', async () => {
  const { engine, owner, store } = host;
  const added = await engine.sources.add(owner, { url, auth: { type: 'bearer', token: secret } });
  host.shelf.answer = async ({ auth, input, putArtifact }) => {
    const sent = auth.headers?.Authorization ?? '';
    await putArtifact({ bytes: Buffer.from(`echo ${sent}`), mediaType: 'text/plain' });
    if ((input as { text?: string }).text === 'fail')
      return { type: 'error', message: `wrong: ${sent}`, details: { body: { token: secret } } };
    return { type: 'value', value: { sent, [secret]: [secret] } };
  };
  const read = await host.run(
    'const ok = await tools.acme.read({}); try { await tools.acme.read({ text: "fail" }) } catch (e) { return [ok, e.message, e.details] }',
  );
  expect(host.shelf.received.at(-1)?.auth).toEqual({ headers: { Authorization: `Bearer ${secret}` } });
  expect(read.result).toEqual([
    { sent: '[secret]', '[secret]': ['[secret]'] },
    'wrong: [secret]',
    { body: { token: '[secret]' } },
  ]);
  const waiting = await host.run('await tools.acme.write({})');
  const changed = await engine.sources.update(owner, 'acme', {
    auth: { type: 'headers', headers: { 'x-key': secret } },
  });
  const artifact = Buffer.from((await host.artifact(`art_${read.id.replace('exe_', '')}_0_0`)).bytes);
  const everything = JSON.stringify([
    added,
    changed,
    read,
    waiting,
    artifact.toString(),
    await engine.sources.list(owner, { limit: 10 }),
    await engine.descriptions.get(owner, 'acme.read'),
    await host.asked(waiting.id),
    await store.audit.list(owner.workspaceId, { limit: 100 }),
    await store.executions.events(read.id, { afterSeq: 0, limit: 1_000 }),
    await store.executions.events(waiting.id, { afterSeq: 0, limit: 1_000 }),
  ]);
  expect(everything).not.toContain(secret);
  expect(everything).not.toContain(Buffer.from(secret).toString('base64'));
  expect(artifact.toString()).toBe('echo [secret]');
});
