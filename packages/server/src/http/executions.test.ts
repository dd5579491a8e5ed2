import { createClient } from '@executor/client';
import type { Execution, ExecutionEvent, WorkspaceEvent } from '@executor/protocol';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { call, startTestServer, type TestServer } from '../../test/server.ts';

const long = process.env.EXECUTOR_TEST_LONG === '1';

let server: TestServer;
let agent: string;
let otherAgent: string;
beforeAll(async () => {
  server = await startTestServer();
  agent = await newAgent('one');
  otherAgent = await newAgent('two');
});
afterAll(async () => server[Symbol.asyncDispose]());

const person = () => ({ token: server.localToken });

async function newAgent(name: string): Promise<string> {
  return (await call(server, 'POST', '/v1/api-keys', { ...person(), body: { name } })).json.key;
}

async function run(
  code: string,
  request: Record<string, unknown> = {},
  token = server.localToken,
): Promise<Execution> {
  const body = { code, waitMs: 20_000, ...request };
  const answer = await call(server, 'POST', '/v1/executions', { token, body });
  expect({ status: answer.status, error: answer.json?.error }).toEqual({ status: 201, error: undefined });
  return answer.json;
}

describe('runs', () => {
  test('code is run, and the response has its result, logs and URL', async () => {
    const execution = await run('console.log("hello"); return { six: 6 }', { metadata: { for: 'a test' } });
    expect(execution).toMatchObject({
      status: 'completed',
      result: { six: 6 },
      logs: [{ level: 'log', text: 'hello' }],
      interactions: [],
      metadata: { for: 'a test' },
      url: `${server.url}/executions/${execution.id}`,
    });
    expect((await call(server, 'GET', `/v1/executions/${execution.id}`, person())).json).toEqual(execution);
    const { items } = (await call(server, 'GET', '/v1/executions?status=completed&limit=1', person())).json;
    expect(items[0]).toMatchObject({ id: execution.id, codeExcerpt: expect.stringContaining('hello') });
  });

  test('a megabyte of code is accepted in every JSON escaping, and seven are rejected', async () => {
    const megabyte = `// ${'\u0001'.repeat(1024 * 1024 - 100)}\nreturn 'large'`;
    expect(JSON.stringify(megabyte).length).toBeGreaterThan(6_000_000);
    expect(await run(megabyte)).toMatchObject({ status: 'completed', result: 'large' });
    const refused = await call(server, 'POST', '/v1/executions', {
      ...person(),
      body: { code: 'x'.repeat(7 * 1024 * 1024) },
    });
    expect({ status: refused.status, code: refused.json.error.code }).toEqual({
      status: 413,
      code: 'payloadTooLarge',
    });
  });

  test('a caller that disconnects cancels nothing', async () => {
    const leaving = new AbortController();
    const body = {
      code: 'await tools.notes.list({}); return "done"',
      waitMs: 60_000,
      idempotencyKey: 'leaving',
    };
    const letGo = server.notes.hold('notes.list');
    const request = { ...person(), headers: { 'x-request-id': 'leaving' }, body, signal: leaving.signal };
    const before = server.notes.count('notes.list');
    const asked = call(server, 'POST', '/v1/executions', request);
    await expect.poll(() => server.notes.count('notes.list')).toBe(before + 1);
    leaving.abort();
    await expect(asked).rejects.toThrow();
    // The line is logged once the server has noticed the disconnect.
    await expect.poll(() => server.readLog()).toContain('"requestId":"leaving"');
    letGo();
    expect(await run(body.code, { idempotencyKey: 'leaving' })).toMatchObject({
      status: 'completed',
      result: 'done',
    });
  });

  test('a wait ends after its time with the state of the run', async () => {
    const { id } = await run('await sleep(600_000)', { waitMs: 0 });
    const waited = await call(server, 'POST', `/v1/executions/${id}/wait`, {
      ...person(),
      body: { waitMs: 300 },
    });
    expect(waited.json).toMatchObject({ id, status: expect.stringMatching(/^(running|waiting)$/) });
    expect((await call(server, 'POST', `/v1/executions/${id}/cancel`, person())).json.status).toBe(
      'cancelled',
    );
  });
});

test('The waits of an agent are limited, and do not block others', async () => {
  const waiter = await newAgent('waiter');
  const code = 'await sleep(600_000)';
  const { id } = await run(code, { waitMs: 0 }, waiter);
  const wait = (token: string, waitMs: number) =>
    call(server, 'POST', `/v1/executions/${id}/wait`, { token, body: { waitMs } });
  const held = Array.from({ length: 64 }, () => wait(waiter, 120_000));
  const refused = await vi.waitUntil(
    async () => {
      const answer = await wait(waiter, 1);
      return answer.status === 429 && answer;
    },
    { timeout: 20_000 },
  );
  expect(refused.json.error).toMatchObject({
    code: 'tooManyWaits',
    message: expect.stringContaining('The run continues'),
  });
  expect((await wait(waiter, 0)).status).toBe(200);
  // A new run is started, and the response is sent at once.
  const begun = await run(code, { waitMs: 120_000 }, waiter);
  expect(begun.status).toMatch(/^(queued|running|waiting)$/);
  expect((await wait(server.localToken, 1)).status).toBe(200);
  const cancelled = [id, begun.id].map((one) =>
    call(server, 'POST', `/v1/executions/${one}/cancel`, person()),
  );
  await Promise.all(cancelled);
  for (const { json } of await Promise.all(held)) expect(json.status).toBe('cancelled');
  expect((await wait(waiter, 1)).status).toBe(200);
});

test.runIf(long)('A wait may be longer than any other request', async () => {
  expect(await run('await sleep(33_000); return "late"', { waitMs: 60_000 })).toMatchObject({
    result: 'late',
  });
});

test.runIf(long)('Revoked keys lose their streams within 30 s', async () => {
  const { id, key } = (await call(server, 'POST', '/v1/api-keys', { ...person(), body: { name: 'leaky' } }))
    .json;
  const { id: runId } = await run('await sleep(600_000)', { waitMs: 0 }, key);
  const stream = createClient({ url: server.url, token: key }).executions.events({ id: runId });
  const received = collectUntilCut(stream);
  await call(server, 'DELETE', `/v1/api-keys/${id}`, person());
  expect((await received).at(-1)).toBe('unauthenticated');
  await call(server, 'POST', `/v1/executions/${runId}/cancel`, person());
});

describe('an agent', () => {
  test('sees the prompt and URL of a pending question', async () => {
    const { id, status, interactions } = await run('return tools.notes.add({ text: "a" })', {}, agent);
    expect({ status, interactions }).toEqual({
      status: 'waiting',
      interactions: [
        {
          kind: 'approval',
          prompt: expect.any(String),
          url: expect.stringContaining(`${server.url}/approvals/`),
        },
      ],
    });
    const seen = (await call(server, 'GET', `/v1/executions/${id}`, { token: agent })).json;
    expect(seen.interactions).toEqual(interactions);
    expect(
      (await call(server, 'GET', `/v1/executions/${id}`, person())).json.interactions[0].id,
    ).toBeDefined();
    await call(server, 'POST', `/v1/executions/${id}/cancel`, { token: agent });
  });

  test('cannot answer the questions of its run; after a person answers, the run continues', async () => {
    const { id } = await run('return tools.notes.add({ text: "approved" })', {}, agent);
    const path = `/v1/interactions?status=pending&executionId=${id}`;
    const { items } = (await call(server, 'GET', path, person())).json;
    expect(items).toMatchObject([
      { kind: 'approval', tool: { path: 'notes.add', input: { text: 'approved' } } },
    ]);
    const resolve = `/v1/interactions/${items[0].id}/resolve`;
    const body = { action: 'approve' };
    expect((await call(server, 'POST', resolve, { token: agent, body })).status).toBe(403);
    expect(server.notes.count('notes.add')).toBe(0);
    const waiting = call(server, 'POST', `/v1/executions/${id}/wait`, {
      token: agent,
      body: { waitMs: 20_000 },
    });
    expect((await waiting).json.status).toBe('waiting');
    const answered = await call(server, 'POST', resolve, { ...person(), body });
    expect({ status: answered.status, json: answered.json }).toMatchObject({
      status: 200,
      json: { status: 'resolved', resolution: { action: 'approve' } },
    });
    await vi.waitUntil(
      async () =>
        (await call(server, 'GET', `/v1/executions/${id}`, { token: agent })).json.status === 'completed',
      { timeout: 20_000 },
    );
    expect(server.notes.notes).toEqual(['approved']);
    expect((await call(server, 'POST', resolve, { ...person(), body })).status).toBe(409);
  });

  test('cannot see runs of others, nor their events and artifacts', async () => {
    const code = 'return tools.executor.artifacts.put({ text: "mine" })';
    const mine = await run(code, {}, agent);
    const artifactId = (mine.result as { id: string }).id;
    const persons = await run(code);
    const personsArtifactId = (persons.result as { id: string }).id;
    const routes = (id: string, artifact: string): [string, string, unknown?][] => [
      ['GET', `/v1/executions/${id}`],
      ['GET', `/v1/executions/${id}/calls`],
      ['GET', `/v1/executions/${id}/events`],
      ['POST', `/v1/executions/${id}/wait`, { waitMs: 0 }],
      ['POST', `/v1/executions/${id}/cancel`],
      ['GET', `/v1/artifacts/${artifact}`],
    ];
    const statuses = async (token: string, id: string, artifact: string) =>
      Promise.all(
        routes(id, artifact).map(
          async ([method, path, body]) => (await call(server, method, path, { token, body })).status,
        ),
      );
    expect(await statuses(agent, mine.id, artifactId)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await statuses(server.localToken, mine.id, artifactId)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await statuses(otherAgent, mine.id, artifactId)).toEqual([404, 404, 404, 404, 404, 404]);
    expect(await statuses(agent, persons.id, personsArtifactId)).toEqual([404, 404, 404, 404, 404, 404]);
    const listed = (await call(server, 'GET', '/v1/executions', { token: otherAgent })).json;
    expect(listed).toEqual({ items: [] });
  });
});

describe('events', () => {
  const client = () => createClient({ url: server.url, token: server.localToken });

  async function collect<Event extends WorkspaceEvent>(stream: AsyncIterable<Event>): Promise<Event[]> {
    const events: Event[] = [];
    for await (const event of stream) events.push(event);
    return events;
  }

  test('the journal of a run is streamed in order, from the start or any event', async () => {
    const { id } = await run('for (let i = 0; i < 5; i++) { console.log(i); await sleep(1) } return 1');
    const all = await collect(client().executions.events({ id }));
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
    expect(all.at(0)?.type).toBe('execution.created');
    expect(all.at(-1)?.type).toBe('execution.completed');
    for (const { id: after, seq } of all)
      expect(await collect(client().executions.events({ id, after }))).toEqual(all.slice(seq));
  });

  test('Last-Event-ID overrides `after`', async () => {
    const { id } = await run('return 1');
    const answer = await call(server, 'GET', `/v1/executions/${id}/events?after=0`, {
      ...person(),
      headers: { 'last-event-id': '2' },
    });
    expect(answer.text).toMatch(/^retry: \d+\n\nid: 3\n/);
    for (const after of ['nonsense', '-1', '1.5', 'x'.repeat(201)]) {
      const { status } = await call(server, 'GET', `/v1/executions/${id}/events?after=${after}`, person());
      expect(status).toBe(400);
    }
  });

  test('follow=false ends after the existing events', async () => {
    const { id } = await run('await sleep(600_000)', { waitMs: 0 });
    await vi.waitUntil(async () => {
      const events = await collect(client().executions.events({ id, follow: 'false' }));
      return events.some(({ type }) => type === 'timer.set');
    }, 20_000);
    await client().executions.cancel({ id });
  });

  test('a client follows a run over restarts of the server, without gaps or repetitions', async () => {
    const restarting = await startTestServer();
    try {
      const there = createClient({ url: restarting.url, token: restarting.localToken });
      const code = 'for (let i = 0; i < 40; i++) { console.log("line " + i); await sleep(60) } return "end"';
      const { id } = await there.executions.create({ code });
      const events: ExecutionEvent[] = [];
      let restarts = 0;
      for await (const event of there.executions.events({ id })) {
        events.push(event);
        if (events.length === 10 + 40 * restarts && restarts < 2) {
          restarts += 1;
          void restarting.restart();
        }
      }
      expect(restarts).toBe(2);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      expect(events.at(-1)?.type).toBe('execution.completed');
      const lines = events.flatMap(({ type, data }) => (type === 'log' ? [data.text] : []));
      expect(lines).toEqual(Array.from({ length: 40 }, (_, index) => `line ${index}`));
      expect(await there.executions.get({ id })).toMatchObject({ status: 'completed', result: 'end' });
    } finally {
      await restarting[Symbol.asyncDispose]();
    }
  });

  test('the workspace stream starts now or after an event', async () => {
    await run('return "before"');
    const leaving = new AbortController();
    const response = await fetch(`${server.url}/v1/events`, {
      headers: { authorization: `Bearer ${server.localToken}` },
      signal: leaving.signal,
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const beginning = (await reader?.read())?.value ?? '';
    const after = /^retry: \d+\nid: (.+)\n\n$/.exec(beginning)?.[1];
    expect(after).toBeDefined();
    const ids = [(await run('return 1')).id, (await run('return 2')).id];
    let text = '';
    while ((text.match(/event: execution.completed/g) ?? []).length < 2)
      text += (await reader?.read())?.value ?? '';
    leaving.abort();
    const received = await collect(client().events.list({ after, follow: 'false' }));
    for (const id of ids)
      expect(received.filter(({ executionId }) => executionId === id).map(({ type }) => type)).toEqual([
        'execution.created',
        'execution.started',
        'execution.completed',
      ]);
    expect(received.every(({ executionId = '' }) => ids.includes(executionId))).toBe(true);
    const [first, ...rest] = received;
    expect(await collect(client().events.list({ after: first?.id, follow: 'false' }))).toEqual(rest);
  });
});

describe('artifacts', () => {
  test('an HTML artifact is sent as a download', async () => {
    const { result } = await run(
      'return tools.executor.artifacts.put({ text: "<script>alert(1)</script>", mediaType: "text/html", name: "../x.html" })',
    );
    const path = `/v1/artifacts/${(result as { id: string }).id}`;
    const { status, text, headers } = await call(server, 'GET', path, person());
    expect({ status, text }).toEqual({ status: 200, text: '<script>alert(1)</script>' });
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html',
      'content-length': '25',
      'content-disposition': `attachment; filename="_x.html"; filename*=UTF-8''_x.html`,
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    const part = await call(server, 'GET', path, { ...person(), headers: { range: 'bytes=1-6' } });
    expect({ status: part.status, text: part.text }).toEqual({ status: 206, text: 'script' });
    const bytes = await createClient({ url: server.url, ...person() }).artifacts.get({
      id: (result as { id: string }).id,
    });
    expect(bytes).toMatchObject({ mediaType: 'text/html', name: '_x.html' });
  });
});

test('A stopping server answers waits with the current state and cuts streams', async () => {
  const stopping = await startTestServer();
  try {
    const client = createClient({ url: stopping.url, token: stopping.localToken });
    const { id } = await client.executions.create({ code: 'await sleep(600_000)' });
    const heard: string[] = [];
    const listening = readUntilCut(`${stopping.url}/v1/executions/${id}/events`, stopping.localToken, heard);
    const waiting = vi.spyOn(stopping.engine.executions, 'wait');
    const waits = Promise.all([
      client.executions.wait({ id, waitMs: 40_000 }),
      client.executions.create({ code: 'await sleep(600_000)', waitMs: 40_000 }),
    ]);
    await expect.poll(() => heard.join('')).toContain('execution.created');
    await expect.poll(() => waiting.mock.calls.length).toBe(1);
    await expect.poll(async () => (await client.executions.list({})).items.length).toBe(2);
    await stopping.stop();
    for (const { status } of await waits) expect(status).toMatch(/^(queued|running|waiting)$/);
    expect(await listening).toBe('cut');
  } finally {
    await stopping[Symbol.asyncDispose]();
  }
});

async function collectUntilCut(stream: AsyncIterable<ExecutionEvent>): Promise<string[]> {
  const types: string[] = [];
  try {
    for await (const { type } of stream) types.push(type);
  } catch (error) {
    types.push((error as { code: string }).code);
  }
  return types;
}

async function readUntilCut(url: string, token: string, pieces: string[]): Promise<'ended' | 'cut'> {
  const { body } = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  try {
    for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) pieces.push(piece);
    return 'ended';
  } catch {
    return 'cut';
  }
}
