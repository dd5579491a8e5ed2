import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../../store/test/test-database.ts';
import { heldTool } from '../../test/held-tool.ts';
import { approveAll, connectMcp, createKey, eras, execute, read, resume } from '../../test/mcp-client.ts';
import { call, startTestServer, type TestServer } from '../../test/server.ts';

let server: TestServer;
let key: string;

beforeAll(async () => {
  server = await startTestServer();
  key = await createKey(server);
});
afterAll(async () => server[Symbol.asyncDispose]());

const runsWith = async (text: string, token = key) => {
  const { json } = await call(server, 'GET', '/v1/executions?limit=100', { token });
  return json.items.filter(({ codeExcerpt }: { codeExcerpt: string }) => codeExcerpt.includes(text));
};

/** Calls `execute` and gives up when the code has called the tool. */
async function giveUp(client: Client, code: string, tool: { calls: unknown[] }): Promise<void> {
  const before = tool.calls.length;
  const abort = new AbortController();
  const call = client
    .callTool({ name: 'execute', arguments: { code } }, { signal: abort.signal })
    .catch(() => {});
  await expect.poll(() => tool.calls.length).toBeGreaterThan(before);
  abort.abort();
  await call;
}

for (const era of eras) {
  test(`The same code (${era}) joins the run whose answer the client did not get, once`, async () => {
    const client = await connectMcp(server, key, { era });
    const code = `await tools.notes.list({}); return "joined ${era}"`;
    const tool = heldTool(server);
    await giveUp(client, code, tool);
    const again = execute(client, code);
    await expect.poll(() => runsWith(`joined ${era}`)).toHaveLength(1);
    tool.answer();
    const [run] = await runsWith(`joined ${era}`);
    const { value, texts } = await again;
    expect(value).toBe(`joined ${era}`);
    expect(texts.slice(1)).toEqual([
      expect.stringMatching(new RegExp(`not run again\\. This is the run ${run.id} .* idempotencyKey`)),
    ]);
    expect(await runsWith(`joined ${era}`)).toHaveLength(1);
    expect((await execute(client, code)).texts).toEqual([`"joined ${era}"`]);
    expect(await runsWith(`joined ${era}`)).toHaveLength(2);
    await client.close();
  });
}

test('A run that has ended meanwhile gives its result', async () => {
  const client = await connectMcp(server, key);
  const code = 'await tools.notes.list({}); return "ended meanwhile"';
  const tool = heldTool(server);
  await giveUp(client, code, tool);
  tool.answer();
  await expect.poll(async () => (await runsWith('ended meanwhile'))[0].status).toBe('completed');
  const { value, texts } = await execute(client, code);
  expect([value, texts.length]).toEqual(['ended meanwhile', 2]);
  await client.close();
});

test('Code runs again if its answer was delivered, if the earlier call is open, and for another key', async () => {
  const [client, beside] = [await connectMcp(server, key), await connectMcp(server, key)];
  const code = 'await tools.notes.list({}); return "anew"';
  expect((await execute(client, code)).texts).toHaveLength(1);
  expect((await execute(client, code)).texts).toHaveLength(1);
  expect(await runsWith('anew')).toHaveLength(2);

  const tool = heldTool(server);
  const open = execute(client, code);
  await expect.poll(() => tool.calls).toHaveLength(1);
  const second = execute(beside, code);
  await expect.poll(() => tool.calls).toHaveLength(2);
  await giveUp(client, code, tool);
  const otherKey = await createKey(server);
  const other = await connectMcp(server, otherKey);
  const others = execute(other, code);
  await expect.poll(() => tool.calls).toHaveLength(4);
  const keyed = execute(client, code, { idempotencyKey: 'anew' });
  await expect.poll(() => tool.calls).toHaveLength(5);
  tool.answer();
  for (const answer of [open, second, others, keyed]) expect((await answer).texts).toEqual(['"anew"']);
  await Promise.all([client.close(), beside.close(), other.close()]);
});

test('A question that the client did not get is in the answer of the joined run', async () => {
  const client = await connectMcp(server, key);
  const code = 'await tools.notes.list({}); return (await tools.notes.add({ text: "joined question" })).text';
  const tool = heldTool(server);
  await giveUp(client, code, tool);
  tool.answer();
  const { value, texts } = await execute(client, code);
  expect(value).toMatchObject({ status: 'waiting', interactions: [{ kind: 'approval' }] });
  expect(texts[1]).toContain('not run again');
  await approveAll(server, value.executionId);
  expect((await resume(client, value.executionId)).value).toBe('joined question');
  await client.close();
});

test('A lost answer is known after a restart', async () => {
  const code = 'await tools.notes.list({}); return "restarted"';
  const first = await connectMcp(server, key);
  const tool = heldTool(server);
  await giveUp(first, code, tool);
  // Until then, the server could count the answer as delivered.
  await expect.poll(() => server.engine.resources.held.waits.usage().used).toBe(0);
  tool.answer();
  await server.restart();
  const second = await connectMcp(server, key);
  const { value, texts } = await execute(second, code);
  expect([value, texts.length]).toEqual(['restarted', 2]);
  expect(await runsWith('restarted')).toHaveLength(1);
  await second.close();
});

test('An answer is lost even if the server dies right after it has created the run', async () => {
  const code = 'await tools.notes.list({}); return "died early"';
  const first = await connectMcp(server, key);
  const tool = heldTool(server);
  // This server writes nothing about the answer after the run, as if it had been killed.
  server.engine.store.deliveries.save = () => Promise.reject(new Error('killed'));
  await giveUp(first, code, tool);
  tool.answer();
  await server.restart();
  const second = await connectMcp(server, key);
  const { value, texts } = await execute(second, code);
  expect([value, texts.length]).toEqual(['died early', 2]);
  expect(await runsWith('died early')).toHaveLength(1);
  await second.close();
});

test('Several servers of one database agree on which answers are lost', async () => {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  const env = { EXECUTOR_DATABASE_URL: url };
  await using one = await startTestServer(env);
  await using other = await startTestServer(env);
  const shared = await createKey(one);
  const [here, there] = [await connectMcp(one, shared), await connectMcp(other, shared)];
  const listed = async (text: string) => {
    const { json } = await call(one, 'GET', '/v1/executions', { token: shared });
    return json.items.filter(({ codeExcerpt }: { codeExcerpt: string }) => codeExcerpt.includes(text));
  };
  const delivered = 'await sleep(100); return "delivered"';
  for (const client of [here, there, here]) expect((await execute(client, delivered)).texts).toHaveLength(1);
  expect(await listed('"delivered"')).toHaveLength(3);

  const open = 'await sleep(1000); return "open"';
  const both = [execute(here, open), execute(there, open)];
  for (const answer of both) expect((await answer).texts).toEqual(['"open"']);
  expect(await listed('"open"')).toHaveLength(2);

  const lost = 'await sleep(3000); return "lost"';
  const abort = new AbortController();
  const aborted = here.callTool({ name: 'execute', arguments: { code: lost } }, { signal: abort.signal });
  const end = aborted.catch(() => {});
  await expect.poll(() => listed('"lost"')).toHaveLength(1);
  abort.abort();
  await end;
  // This call waits until the server has noted that the answer of the other one is lost.
  await execute(here, 'return 1');
  const { value, texts } = await execute(there, lost);
  expect([value, texts.length]).toEqual(['lost', 2]);
  expect(await listed('"lost"')).toHaveLength(1);
  await Promise.all([here.close(), there.close()]);
});

/** Longer than a test may take, so that a call that waits for its end fails the test. */
const long = { waitMs: 50_000 };
const timeout = { timeout: 45_000 };

/** Calls `resume`, and returns when the call waits. */
async function resumeAndWait(client: Client, executionId: string) {
  let answer: Promise<unknown> = Promise.resolve();
  await new Promise<unknown>((resolve) => {
    const params = { name: 'resume', arguments: { executionId, ...long } };
    answer = client.callTool(params, { onprogress: resolve });
  });
  return { answer: answer.then(read) };
}

test('Resume returns at once with a question that it has not shown', timeout, async () => {
  const client = await connectMcp(server, key);
  const code =
    'await tools.notes.add({ text: "one" }); await tools.notes.add({ text: "two" }); return "both"';
  const { executionId, interactions } = (await execute(client, code)).value;
  await approveAll(server, executionId);
  const pending = async () => {
    const { json } = await call(server, 'GET', `/v1/executions/${executionId}`, { token: key });
    return json.interactions.map(({ url }: { url: string }) => url);
  };
  await expect
    .poll(async () => (await pending()).some((url: string) => url !== interactions[0].url))
    .toBe(true);
  const { value } = await resume(client, executionId, long);
  expect(value.interactions).toMatchObject([{ url: (await pending())[0] }]);
  const { answer } = await resumeAndWait(client, executionId);
  await approveAll(server, executionId);
  expect((await answer).value).toBe('both');
  await client.close();
});

test('Resume waits for a question that it has shown, also after a restart', timeout, async () => {
  const client = await connectMcp(server, key);
  const code = 'return (await tools.notes.add({ text: "kept" })).text';
  const { executionId } = (await execute(client, code)).value;
  await server.restart();
  const later = await connectMcp(server, key);
  const { answer } = await resumeAndWait(later, executionId);
  expect((await resume(later, executionId, { waitMs: 300 })).value.status).toBe('waiting');
  await approveAll(server, executionId);
  expect((await answer).value).toBe('kept');
  await Promise.all([client.close(), later.close()]);
});

test(
  'Resume returns when one of several questions is answered, and when the run goes on',
  timeout,
  async () => {
    const client = await connectMcp(server, key);
    const code = `
    const add = (text) => tools.notes.add({ text });
    await Promise.all([add("first"), add("second"), add("third")]);
    await tools.notes.list({});
    return "all"`;
    const { executionId, interactions } = (await execute(client, code)).value;
    const urls = interactions.map(({ url }: { url: string }) => url);
    expect(urls).toHaveLength(3);
    const approve = (url: string) => {
      const path = `/v1/interactions/${url.slice(url.lastIndexOf('/') + 1)}/resolve`;
      return call(server, 'POST', path, { token: server.localToken, body: { action: 'approve' } });
    };
    const waiting = await resumeAndWait(client, executionId);
    await approve(urls[0]);
    expect((await waiting.answer).value.interactions.map(({ url }: { url: string }) => url)).toEqual(
      urls.slice(1),
    );
    await approve(urls[1]);
    // Answered before the call.
    const { value } = await resume(client, executionId, long);
    expect(value.interactions.map(({ url }: { url: string }) => url)).toEqual(urls.slice(2));
    const tool = heldTool(server);
    const last = await resumeAndWait(client, executionId);
    await approve(urls[2]);
    expect((await last.answer).value).toMatchObject({ status: 'running', executionId });
    const rest = await resumeAndWait(client, executionId);
    tool.answer();
    expect((await rest.answer).value).toBe('all');
    await client.close();
  },
);

test('Two keys do not share what they were shown', async () => {
  const client = await connectMcp(server, key);
  const { executionId } = (await execute(client, 'return tools.notes.add({ text: "mine" })')).value;
  const other = await connectMcp(server, await createKey(server));
  expect((await resume(other, executionId)).value.error.code).toBe('notFound');
  await call(server, 'POST', `/v1/executions/${executionId}/cancel`, { token: server.localToken });
  await Promise.all([client.close(), other.close()]);
});
