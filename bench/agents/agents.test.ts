import { createClient } from '@executor/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../packages/server/test/server.ts';
import { type FakeModel, startFakeModel } from './fake-model.ts';
import { judge } from './judge.ts';
import { modelAgent } from './model-agent.ts';
import { scriptedAgent } from './policy/scripted-agent.ts';
import { groups, runTask, tasksOf } from './run-tasks.ts';
import type { Agent } from './task.ts';
import { Services } from './world.ts';

let server: TestServer;
let services: Services;

beforeAll(async () => {
  [server, services] = await Promise.all([
    startTestServer({}, { realSources: true }),
    Services.start({ withGithub: false }),
  ]);
  await services.connect(user());
});

afterAll(async () => {
  await services.close();
  await server[Symbol.asyncDispose]();
});

function user() {
  return createClient({ url: server.url, token: server.localToken });
}

function run(id: string, agent: Agent) {
  const tasks = tasksOf('open');
  const index = tasks.findIndex((task) => task.id === id);
  const task = tasks[index];
  if (task === undefined) throw new RangeError(`There is no task ${id}.`);
  return runTask(task, index, { url: server.url, user: user(), services, agent });
}

/** One task of each kind: a count over pages, an action with an approval, a nested body, and a refusal by the user. */
test.each(['quill-count-archived', 'quill-post', 'copper-deal-stage', 'harbor-cancel-denied'])(
  'the scripted agent finishes %s',
  async (id) => {
    const { reason, received, start } = await run(id, scriptedAgent);
    expect(reason).toBeUndefined();
    expect(received).toBeGreaterThan(start);
  },
);

test('the scripted agent does the same each time', async () => {
  const [first, second] = [
    await run('tessera-largest-room', scriptedAgent),
    await run('tessera-largest-room', scriptedAgent),
  ];
  const sent = ({ transcript }: typeof first) => transcript.map((exchange) => exchange.sent);
  expect(sent(first)).toEqual(sent(second));
});

test('a real model is plugged in by a URL and gets everything that the client shows', async () => {
  const model: FakeModel = await startFakeModel([
    { code: 'return await tools.quill.conversations.list({ limit: 50 });' },
    { code: "return await tools.quill.chat.postMessage({ channel: 'C0044', text: 'Deploy 118 is done.' });" },
    'resume',
    'It is posted.\nANSWER: "done"',
  ]);
  const agent = modelAgent({ url: model.url, name: 'fake-1', key: 'secret' });
  const { reason, executes, resumes } = await run('quill-post', agent);
  await model.close();
  expect({ reason, executes, resumes }).toEqual({ reason: undefined, executes: 2, resumes: 1 });
  const [first] = model.requests;
  expect(first).toMatchObject({
    authorization: 'Bearer secret',
    model: 'fake-1',
    messages: [{ role: 'system' }, { role: 'user', content: expect.stringContaining('Deploy 118 is done.') }],
    tools: [{ type: 'function', function: { name: 'execute' } }, { function: { name: 'resume' } }],
  });
  expect(model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool')).toHaveLength(3);
});

test.each([...groups])('no task of the group %s is done before it starts', async (group) => {
  const all = group === 'github' ? await Services.start({ withGithub: true }) : services;
  all.reset();
  const world = all.snapshot();
  for (const task of tasksOf(group))
    expect(judge(task, undefined, { before: world, after: world }), task.id).not.toBeUndefined();
  if (all !== services) await all.close();
});
