import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { approveAll, connectMcp, createKey, read } from '../../test/mcp-client.ts';
import { call, startTestServer, type TestServer } from '../../test/server.ts';

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startTestServer();
  key = await createKey(server);
});
afterAll(async () => server[Symbol.asyncDispose]());

const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

/** A request as a client of 2026-07-28 makes it, byte by byte: the SDK's own client knows no tasks. */
async function request(
  method: string,
  params: Record<string, unknown>,
  by: { key?: string; capabilities?: object } = {},
) {
  const { json } = await call(server, 'POST', '/mcp', {
    headers: {
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${by.key ?? key}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': String(params.name ?? params.taskId ?? ''),
    },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': by.capabilities ?? tasks,
        },
      },
    },
  });
  return json;
}

const execute = (code: string, by: Parameters<typeof request>[2] = {}) =>
  request('tools/call', { name: 'execute', arguments: { code, waitMs: 200 } }, by);

async function ended(taskId: string) {
  for (;;) {
    const { result } = await request('tasks/get', { taskId });
    if (result.status !== 'working') return result;
    await sleep(50);
  }
}

const statusOf = async (id: string) =>
  (await call(server, 'GET', `/v1/executions/${id}`, { token: server.localToken })).json.status;

test('a call that takes long is a task, which completes with the result of the call', async () => {
  expect((await request('server/discover', {})).result.capabilities).toMatchObject(tasks);
  const { result } = await execute('await sleep(1500); return { a: 1 }');
  expect(result).toMatchObject({
    resultType: 'task',
    taskId: expect.stringMatching(/^exe_/),
    status: 'working',
    createdAt: expect.any(String),
    lastUpdatedAt: expect.any(String),
    ttlMs: null,
    pollIntervalMs: expect.any(Number),
  });
  const { taskId } = result;
  expect((await request('tasks/get', { taskId })).result).toMatchObject({
    resultType: 'complete',
    taskId,
    status: 'working',
  });
  const done = await ended(taskId);
  expect(done).toMatchObject({ resultType: 'complete', taskId, status: 'completed' });
  expect(read(done.result)).toMatchObject({ isError: false, value: { a: 1 } });
});

test('what is quick is no task, and what failed is a completed one with an error', async () => {
  const quick = await request('tools/call', { name: 'execute', arguments: { code: 'return 1' } });
  expect([quick.result.resultType, read(quick.result).value]).toEqual(['complete', 1]);
  const { result } = await execute('await sleep(600); throw new Error("no luck")');
  const done = await ended(result.taskId);
  expect([done.status, read(done.result).isError]).toEqual(['completed', true]);
});

test('a client that did not say on that request that it takes tasks gets none, in either era', async () => {
  const { result } = await execute('await sleep(1000); return 1', { capabilities: {} });
  expect(result.resultType).toBe('complete');
  const { executionId, status } = read(result).value;
  expect(['running', 'waiting']).toContain(status);
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    const refused = await request(method, { taskId: executionId }, { capabilities: {} });
    expect([method, refused.error.code]).toEqual([method, -32_021]);
  }
  const client = await connectMcp(server, key, { era: 'legacy' });
  expect(client.getServerCapabilities()?.extensions).toBeUndefined();
  const get = { method: 'tasks/get', params: { taskId: executionId } };
  await expect(client.request(get, z.looseObject({}))).rejects.toThrow(/not found/i);
  await client.close();
});

test('a task that is cancelled cancels its run; one of another key does not exist', async () => {
  const { result } = await execute('await sleep(60000)');
  const { taskId } = result;
  const stranger = { key: await createKey(server) };
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    for (const [id, by] of [
      [taskId, stranger],
      ['exe_nothing', {}],
    ] as const) {
      const refused = await request(method, { taskId: id, inputResponses: {} }, by);
      expect(refused.error).toMatchObject({ code: -32_602, message: expect.stringContaining('taskId') });
    }
  }
  expect(await statusOf(taskId)).not.toBe('cancelled');
  expect((await request('tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
  expect(await ended(taskId)).toMatchObject({ status: 'cancelled' });
  expect(await statusOf(taskId)).toBe('cancelled');
});

test('what fails inside is told to the log, and not to the agent', async () => {
  const { executions } = server.engine.store;
  const broken = vi.spyOn(executions, 'find').mockRejectedValue(new Error('column "sealed" of host db-7'));
  try {
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const { error } = await request(method, { taskId: 'exe_any' });
      expect([method, error.code]).toEqual([method, -32_603]);
      expect(JSON.stringify(error)).not.toContain('db-7');
      expect(error.message).toMatch(/executor logs|log/);
    }
  } finally {
    broken.mockRestore();
  }
  await expect.poll(() => server.readLog()).toContain('db-7');
});

test('a task whose run needs a person completes with that, and no update answers it', async () => {
  const { result } = await execute('await sleep(600); return tools.notes.add({ text: "by task" })');
  const { taskId } = result;
  const asked = await ended(taskId);
  expect(asked.status).toBe('completed');
  expect(asked.inputRequests).toBeUndefined();
  const { value } = read(asked.result);
  expect(value).toMatchObject({
    status: 'waiting',
    executionId: taskId,
    interactions: [{ kind: 'approval' }],
  });
  const id = value.interactions[0].url.split('/').at(-1);
  const yes = { action: 'accept', content: { decision: 'approve once' } };
  const inputResponses = { [id]: yes, approve: yes };
  expect((await request('tasks/update', { taskId, inputResponses })).error).toBeUndefined();
  expect(await statusOf(taskId)).toBe('waiting');
  expect(server.notes.notes).toEqual([]);
  await approveAll(server, taskId);
  await call(server, 'POST', `/v1/executions/${taskId}/wait`, {
    token: server.localToken,
    body: { waitMs: 10_000 },
  });
  expect(read((await ended(taskId)).result).value).toMatchObject({ text: 'by task' });
});
