import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import * as z from 'zod';
import {
  approveAll,
  connectMcp,
  createDialogKey,
  createKey,
  read,
  statelessRequest,
} from '../../../test/mcp-client.ts';
import { call, type TestServer, test } from '../../../test/server.ts';

let server: TestServer;
let key: string;
test.beforeAll(async ({ server: shared }) => {
  server = shared;
  key = await createKey(server);
});

const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

function request(
  method: string,
  params: Record<string, unknown>,
  by: { key?: string; capabilities?: object } = {},
) {
  return statelessRequest(server, method, params, { key, capabilities: tasks, ...by });
}

const execute = (code: string, by: Parameters<typeof request>[2] = {}) =>
  request('tools/call', { name: 'execute', arguments: { code, waitMs: 200 } }, by);

/** The same for code that continues after the call has returned. */
async function executeLater(code: string, by: Parameters<typeof request>[2] = {}) {
  const letGo = server.notes.hold('notes.list');
  const answer = await execute(`await tools.notes.list({});\n${code}`, by);
  letGo();
  return answer;
}

async function ended(taskId: string) {
  for (;;) {
    const { result } = await request('tasks/get', { taskId });
    if (result.status !== 'working') return result;
    await sleep(50);
  }
}

const statusOf = async (id: string) =>
  (await call(server, 'GET', `/v1/executions/${id}`, { token: server.localToken })).json.status;

test('A long call becomes a task that completes with its result', async () => {
  expect((await request('server/discover', {})).result.capabilities).toMatchObject(tasks);
  const letGo = server.notes.hold('notes.list');
  const { result } = await execute('await tools.notes.list({}); return { a: 1 }');
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
  letGo();
  const done = await ended(taskId);
  expect(done).toMatchObject({ resultType: 'complete', taskId, status: 'completed' });
  expect(read(done.result)).toMatchObject({ isError: false, value: { a: 1 } });
});

test('A quick call is not a task, and a failed run is a completed task with an error', async () => {
  const quick = await request('tools/call', { name: 'execute', arguments: { code: 'return 1' } });
  expect([quick.result.resultType, read(quick.result).value]).toEqual(['complete', 1]);
  const { result } = await executeLater('throw new Error("no luck")');
  const done = await ended(result.taskId);
  expect([done.status, read(done.result).isError]).toEqual(['completed', true]);
});

test('A client that does not declare tasks gets none', async () => {
  const { result } = await execute('await sleep(60000)', { capabilities: {} });
  expect(result.resultType).toBe('complete');
  const { executionId, status } = read(result).value;
  // The run sleeps, so no answer could help it.
  expect(status).toBe('running');
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

test('Cancelling a task cancels its run, and tasks of other keys do not exist', async () => {
  const { result } = await execute('await sleep(60000)');
  const { taskId } = result;
  const otherClient = { key: await createKey(server) };
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    for (const [id, by] of [
      [taskId, otherClient],
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

test('Internal errors are logged and hidden from the agent', async () => {
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

const withDialogs = { ...tasks, elicitation: { form: {}, url: {} } };
const yes = { action: 'accept', content: { decision: 'approve once' } };

/** Polls the task until it is no longer working, and returns its states. */
async function followed(taskId: string, by: Parameters<typeof request>[2] = {}) {
  const states: string[] = [];
  for (;;) {
    const { result } = await request('tasks/get', { taskId }, by);
    if (states.at(-1) !== result.status) states.push(result.status);
    if (result.status !== 'working' || result.statusMessage !== undefined) return { ...result, states };
    await sleep(50);
  }
}

test('A task whose run needs an answer says where, and no update answers it', async () => {
  for (const capabilities of [tasks, withDialogs]) {
    const { result } = await executeLater('return tools.notes.add({ text: "by task" })');
    const { taskId } = result;
    const asked = await followed(taskId, { capabilities });
    expect(asked).toMatchObject({ status: 'working', states: ['working'] });
    const { interactions } = (
      await call(server, 'GET', `/v1/executions/${taskId}`, { token: server.localToken })
    ).json;
    expect(asked.statusMessage).toContain(interactions[0].url);
    expect(asked.statusMessage).toContain('Allow notes.add');
    // The text names both ways to wait, whichever the client supports.
    expect(asked.statusMessage).toMatch(/Ask your user/);
    expect(asked.statusMessage).toMatch(/You cannot answer it/);
    expect(asked.statusMessage).toContain(`tasks/get, or with resume and executionId "${taskId}"`);
    const inputResponses = { [interactions[0].id]: yes, approve: yes };
    const update = await request('tasks/update', { taskId, inputResponses }, { capabilities });
    expect(update.error).toBeUndefined();
    expect(await statusOf(taskId)).toBe('waiting');
    expect(server.notes.notes).toEqual([]);
    await approveAll(server, taskId);
    expect(read((await ended(taskId)).result).value).toMatchObject({ text: 'by task' });
    server.notes.notes.splice(0);
  }
});

test('With dialogs allowed, the task asks there and continues after the answer', async () => {
  const trusted = { key: (await createDialogKey(server)).key, capabilities: withDialogs };
  const code = 'return (await Promise.all(["one", "two"].map((text) => tools.notes.add({ text })))).length';
  const { taskId } = (await executeLater(code, trusted)).result;
  const asked = await followed(taskId, trusted);
  expect(asked).toMatchObject({ status: 'input_required', statusMessage: expect.any(String) });
  expect(asked.statusMessage).toMatch(/in the dialog \(inputRequests\) or at http/);
  await expect.poll(async () => Object.keys((await followed(taskId, trusted)).inputRequests)).toHaveLength(2);
  const { inputRequests } = await followed(taskId, trusted);
  const names = Object.keys(inputRequests);
  expect(inputRequests[names[0] ?? '']).toMatchObject({
    method: 'elicitation/create',
    params: { mode: 'form', message: expect.stringContaining('notes.add') },
  });
  const update = (inputResponses: object, by = trusted) =>
    request('tasks/update', { taskId, inputResponses }, by);
  const [first = '', second = ''] = names;
  const [id, signature] = first.split('.');
  const forged = signature?.replace(/./, (letter) => (letter === 'x' ? 'y' : 'x'));
  const another = { [`${id}.${forged}`]: yes, [id ?? '']: yes, [`${second}.`]: yes };
  expect((await update(another)).result).toMatchObject({ resultType: 'complete' });
  expect(Object.keys((await followed(taskId, trusted)).inputRequests)).toEqual(names);
  const otherClient = { ...trusted, key: (await createDialogKey(server)).key };
  expect((await update({ [first]: yes }, otherClient)).error.code).toBe(-32_602);
  expect(server.notes.notes).toEqual([]);

  expect((await update({ [first]: yes })).result).toMatchObject({ resultType: 'complete' });
  const left = await followed(taskId, trusted);
  expect([left.status, Object.keys(left.inputRequests)]).toEqual(['input_required', [second]]);
  await update({ [first]: yes, [second]: yes });
  const get = async () => (await request('tasks/get', { taskId }, trusted)).result;
  await expect.poll(async () => (await get()).status).toBe('completed');
  expect(read((await get()).result).value).toBe(2);
});

test('The name of a question answers it in its own task only', async () => {
  const trusted = { key: (await createDialogKey(server)).key, capabilities: withDialogs };
  const begin = async (text: string) =>
    (await executeLater(`return tools.notes.add({ text: "${text}" })`, trusted)).result.taskId;
  const [one, other] = [await begin('one'), await begin('other')];
  const namesOf = async (taskId: string) =>
    Object.keys((await followed(taskId, trusted)).inputRequests ?? {}) as [string];
  const [[name], [unlike]] = [await namesOf(one), await namesOf(other)];
  server.notes.notes.splice(0);
  const responses = { [name]: yes, [name.split('.')[0] ?? '']: yes };
  await request('tasks/update', { taskId: other, inputResponses: responses }, trusted);
  for (const executionId of [one, other]) {
    const args = { name: 'resume', arguments: { executionId, waitMs: 0 } };
    await request('tools/call', { ...args, inputResponses: responses }, trusted);
    const forged = await request(
      'tools/call',
      { ...args, inputResponses: responses, requestState: name },
      trusted,
    );
    expect(forged.error.data.reason).toBe('forged');
  }
  expect([await namesOf(one), await namesOf(other)]).toEqual([[name], [unlike]]);
  expect(server.notes.notes).toEqual([]);
  for (const taskId of [one, other]) await request('tasks/cancel', { taskId }, trusted);
});

test('A rejected answer in a task says why and can be repeated', async () => {
  const by = { capabilities: withDialogs };
  const { taskId } = (await executeLater('return tools.notes.ask({})', by)).result;
  const { inputRequests } = await followed(taskId, by);
  const [name = ''] = Object.keys(inputRequests);
  const update = (content: object) =>
    request('tasks/update', { taskId, inputResponses: { [name]: { action: 'accept', content } } }, by);
  const { error } = await update({ text: 7 });
  expect(error).toMatchObject({ code: -32_602, message: expect.stringMatching(/inputResponses.*text/s) });
  expect(Object.keys((await followed(taskId, by)).inputRequests)).toEqual([name]);
  expect((await update({ text: 'typed' })).error).toBeUndefined();
  const get = async () => (await request('tasks/get', { taskId }, by)).result;
  await expect.poll(async () => (await get()).status).toBe('completed');
  expect(read((await get()).result).value).toEqual({ type: 'submitted', data: { text: 'typed' } });
});

test('A completed task stays completed', async () => {
  const code = 'await tools.notes.add({ text: "mid" }); await sleep(400); return "end"';
  const { taskId } = (await executeLater(code)).result;
  const states = new Set<string>();
  let result = await followed(taskId);
  await approveAll(server, taskId);
  while (result.status === 'working') {
    states.add(result.status);
    result = (await request('tasks/get', { taskId })).result;
    await sleep(20);
  }
  expect([[...states], result.status, read(result.result).value]).toEqual([['working'], 'completed', 'end']);
});
