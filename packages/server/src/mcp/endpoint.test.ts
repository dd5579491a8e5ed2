import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approveAll, connectMcp, createKey, eras, execute, resume } from '../../test/mcp-client.ts';
import { call, startTestServer, type TestServer } from '../../test/server.ts';

let server: TestServer;
let key: string;

beforeAll(async () => {
  server = await startTestServer();
  key = await createKey(server);
});
afterAll(async () => server[Symbol.asyncDispose]());

async function until<Value>(look: () => Promise<Value>, isRight: (value: Value) => boolean): Promise<Value> {
  for (;;) {
    const value = await look();
    if (isRight(value)) return value;
    await sleep(50);
  }
}

const runs = (token: string) => call(server, 'GET', '/v1/executions?limit=100', { token });

for (const era of eras) {
  describe(`a client of the ${era === 'legacy' ? 'session era' : 'protocol of 2026-07-28'}`, () => {
    test('gets instructions, runs code and gets the result once', async () => {
      const client = await connectMcp(server, key, { era });
      expect(client.getNegotiatedProtocolVersion()).toBe(era === 'legacy' ? '2025-11-25' : '2026-07-28');
      expect(client.getInstructions()).toContain('Do not run the code again');
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['execute', 'resume']);
      const answer = await client.callTool({
        name: 'execute',
        arguments: { code: 'console.log("hello"); return { a: 1 }' },
      });
      expect(answer.structuredContent).toBeUndefined();
      expect(answer.content).toEqual([
        { type: 'text', text: '{"a":1}' },
        { type: 'text', text: 'Logs:\nhello' },
      ]);
      await client.close();
    });

    test('waits at a write and continues after an approval', async () => {
      const client = await connectMcp(server, key, { era, name: `agent ${era}` });
      const code = `return tools.notes.add({ text: "${era}" })`;
      const stopped = await execute(client, code);
      expect(stopped).toMatchObject({
        isError: false,
        value: {
          status: 'waiting',
          executionId: expect.stringMatching(/^exe_/),
          interactions: [{ kind: 'approval', prompt: expect.any(String), url: expect.any(String) }],
          next: expect.stringContaining('call resume'),
        },
      });
      const { executionId, interactions } = stopped.value;
      expect(Object.keys(interactions[0])).toEqual(['kind', 'prompt', 'url']);
      expect((await resume(client, executionId, { waitMs: 50 })).value.status).toBe('waiting');
      expect(server.notes.notes).not.toContain(era);
      const resumed = resume(client, executionId);
      await sleep(300);
      await approveAll(server, executionId);
      expect((await resumed).value).toMatchObject({ text: era });
      const shown = await call(server, 'GET', `/v1/executions/${executionId}`, { token: server.localToken });
      expect(shown.json.clientId).toBe(`agent ${era}`);
      await client.close();
    });

    test('hears of calls that the code did not await, failures first', async () => {
      const client = await connectMcp(server, key, { era });
      const code = `tools.notes.list();
        tools.notes.list({ wrong: 1 } as any).catch(() => {});
        setTimeout(() => {}, 1e9);
        return 'done'`;
      const { content } = await client.callTool({ name: 'execute', arguments: { code } });
      const [result, text] = content as { text: string }[];
      expect(result?.text).toBe('"done"');
      expect(text?.text.split('\n')).toEqual([
        expect.stringMatching(/^The code returned without awaiting all calls: 1 of 2 calls failed/),
        expect.stringMatching(/^- notes.list \(line 2\): failed: /),
        '- notes.list (line 1): succeeded',
        expect.stringMatching(/^When the run ended, setTimeout \(line 3\) had not fired/),
      ]);
      const waiting = await execute(client, `tools.notes.add({ text: 'later' }); return 1`);
      expect(waiting.value).toMatchObject({
        status: 'waiting',
        next: expect.stringMatching(/^The code has already returned/),
      });
      await client.close();
    });

    test('gets errors that say what to do next', async () => {
      const client = await connectMcp(server, key, { era });
      const thrown = await execute(client, 'const a = 1;\nthrow new TypeError("no such luck")');
      expect(thrown).toMatchObject({
        isError: true,
        value: {
          status: 'failed',
          error: { code: 'threw', message: expect.stringContaining('no such luck'), line: 2 },
          next: expect.stringContaining('call `execute` again'),
        },
      });
      const unreadable = await execute(client, 'return (');
      expect(unreadable.value).toMatchObject({
        error: { code: 'syntax' },
        next: expect.stringContaining('Nothing ran'),
      });
      expect(await execute(client, '')).toMatchObject({
        isError: true,
        value: {
          error: { code: 'invalidRequest', message: 'The input is invalid: code: Pass TypeScript code.' },
        },
      });
      expect(await execute(client, 'return 1', { approve: true })).toMatchObject({ isError: true });
      expect(await resume(client, 'exe_nothing')).toMatchObject({
        isError: true,
        value: { error: { code: 'notFound', message: expect.stringContaining('executionId') } },
      });
      await expect(client.callTool({ name: 'approve', arguments: {} })).rejects.toThrow(/execute and resume/);
      await client.close();
    });

    test('runs code with the same idempotency key once', async () => {
      const client = await connectMcp(server, key, { era });
      const once = { idempotencyKey: `once-${era}` };
      const code = 'return Math.random()';
      const first = await execute(client, code, once);
      const other = await connectMcp(server, key, { era });
      expect(await execute(other, code, once)).toEqual(first);
      expect(await execute(client, 'return 2', once)).toMatchObject({
        isError: true,
        value: { error: { code: 'conflict' }, executionId: expect.stringMatching(/^exe_/) },
      });
      await Promise.all([client.close(), other.close()]);
    });

    test('gets progress reports', async () => {
      const client = await connectMcp(server, key, { era });
      const heard: unknown[] = [];
      await client.callTool(
        { name: 'execute', arguments: { code: 'await tools.notes.list({}); await sleep(700); return 1' } },
        { onprogress: (progress) => heard.push(progress) },
      );
      expect(heard).toContainEqual({ progress: 1, message: 'Call 1: notes.list' });
      await client.close();
    });

    test('that disconnects during a call cancels nothing', async () => {
      const client = await connectMcp(server, key, { era });
      const idempotencyKey = `dies-${era}`;
      const code = `await sleep(1500); return "done ${era}"`;
      const lost = execute(client, code, { idempotencyKey }).catch(() => {});
      const begun = ({ codeExcerpt, status }: { codeExcerpt: string; status: string }) =>
        codeExcerpt.includes(`done ${era}`) && status !== 'completed';
      await until(
        () => runs(key),
        ({ json }) => json.items.some(begun),
      );
      await client.close();
      await lost;
      const again = await connectMcp(server, key, { era });
      expect((await execute(again, code, { idempotencyKey })).value).toBe(`done ${era}`);
      await again.close();
    });
  });
}

test('A run is resumed in another session, in another protocol version and after a restart', async () => {
  const first = await connectMcp(server, key, { era: 'legacy' });
  const { value } = await execute(first, 'return tools.notes.add({ text: "late" })');
  await first.close();
  await server.restart();
  const second = await connectMcp(server, key);
  expect((await resume(second, value.executionId, { waitMs: 0 })).value.status).toBe('waiting');
  await approveAll(server, value.executionId);
  expect((await resume(second, value.executionId)).value).toMatchObject({ text: 'late' });
  await second.close();
});

test('Resume waits for an answer and returns the next question', async () => {
  const client = await connectMcp(server, key);
  const code =
    'await tools.notes.add({ text: "one" }); await tools.notes.add({ text: "two" }); return "both"';
  const { value } = await execute(client, code);
  const { executionId } = value;
  const next = resume(client, executionId);
  await approveAll(server, executionId);
  const second = (await next).value;
  expect(second).toMatchObject({ status: 'waiting', executionId });
  expect(second.interactions[0].url).not.toBe(value.interactions[0].url);
  await approveAll(server, executionId);
  expect((await resume(client, executionId)).value).toBe('both');
  await client.close();
});

test('A denied call tells the model who denied it and not to try it again', async () => {
  const client = await connectMcp(server, key);
  const person = { token: server.localToken };
  const { value } = await execute(client, 'return tools.notes.add({ text: "denied" })');
  const { json } = await call(server, 'GET', '/v1/interactions?status=pending', person);
  const asked = json.items.find((one: { executionId: string }) => one.executionId === value.executionId);
  const body = { action: 'deny', reason: 'not today' };
  await call(server, 'POST', `/v1/interactions/${asked.id}/resolve`, { ...person, body });
  const { value: answer } = await resume(client, value.executionId);
  expect(answer.error.message).toMatch(
    /A person denied notes\.add: not today\. Do not try the same again\.$/,
  );
  expect(answer.next).toContain('Do not try the same again.');
  expect(answer.next).not.toContain('Fix the code');
  await client.close();
});

test('A subscription is acknowledged and ends at once, because nothing is announced', async () => {
  const client = await connectMcp(server, key);
  const subscription = await client.listen({ toolsListChanged: true });
  expect(await subscription.closed).toBe('graceful');
  await client.close();
});

test('Type errors of code that ran are shown only if it failed, in bounded size', async () => {
  const client = await connectMcp(server, key);
  const textsOf = async (code: string) => {
    const { content } = await client.callTool({ name: 'execute', arguments: { code } });
    return (content as { text: string }[]).map(({ text }) => text);
  };
  const described = 'const d = await tools.describe.tool({ path: "notes.list" });';
  expect(await textsOf(`${described}\nconst text: number = d.path; return text`)).toEqual(['"notes.list"']);
  const many = Array.from({ length: 9 }, (_, index) => `d.${'x'.repeat(500)}${index}`).join('; ');
  const [, types = ''] = await textsOf(`${described}\nnew Date(1) - new Date(0); ${many}; throw 1`);
  expect(types).toMatch(/^Type errors. They did not stop the run:\nLine 2: Property 'xxx/);
  expect(types).toMatch(/Run exe_\w+ has 4 more type errors\.$/);
  expect(types.length).toBeLessThan(2_000);
  await client.close();
});

test('A large result is cut, and its hint reads all of it', async () => {
  const client = await connectMcp(server, key);
  for (const items of [1_000, 20_000]) {
    const code = `return Array.from({ length: ${items} }, (_, n) => ({ n, text: "item number " + n }))`;
    const { value, texts } = await execute(client, code);
    expect(texts.join('').length).toBeLessThan(25_000);
    expect(value[0]).toEqual({ n: 0, text: 'item number 0' });
    const more = Number(/^… \((\d+) more items\)$/.exec(value.at(-1))?.[1]);
    expect(value.length - 1 + more, 'shown and omitted items are complete').toBe(items);
    const [, hint] = /in code: (.*)\. Then return only what you need\.$/.exec(texts[1] ?? '') ?? [];
    const whole = await execute(client, `${hint}; return [json.length, json.at(-1)]`);
    expect(whole.value).toEqual([items, { n: items - 1, text: `item number ${items - 1}` }]);
  }
  const long = (await execute(client, 'return "z".repeat(100_000)')).value;
  const [, shown = '', missing] = /^(z+)… \((\d+) more characters\)$/.exec(long) ?? [];
  expect(shown.length + Number(missing)).toBe(100_000);
  const { texts } = await execute(client, 'for (let n = 0; n < 5000; n++) console.log("line", n); return 1');
  expect(texts[1]).toMatch(/line 4999$/);
  expect(texts[1]?.length).toBeLessThan(4_200);
  expect(texts[1]).toMatch(/^End of the logs \(.*executor executions events exe_/);
  const { error } = (await execute(client, 'throw new Error("no ".repeat(3000))')).value;
  expect(error.message).toMatch(/… \(\d+ more characters; .*`executor executions show exe_\w+`\)$/);
  await client.close();
});

test('Instructions and tool descriptions stay short with 20 sources', async () => {
  for (let number = 0; number < 20; number++) {
    const url = `https://system-${number}.example/openapi.json`;
    server.shelf.put(url, { tools: [{ name: 'list', effect: 'read' }] });
    const body = { url, namespace: `connected_system_${number}` };
    const added = await call(server, 'POST', '/v1/sources', { token: server.localToken, body });
    expect(added.status).toBe(201);
  }
  for (const era of eras) {
    const client = await connectMcp(server, key, { era });
    const { tools } = await client.listTools();
    const instructions = client.getInstructions() ?? '';
    expect(instructions).toContain('connected_system_19 (');
    expect(JSON.stringify(tools).length + instructions.length).toBeLessThan(3_600);
    await client.close();
  }
});

test('A namespace whose tools are all denied is not listed', async () => {
  const url = 'https://hidden.example/openapi.json';
  server.shelf.put(url, {
    tools: [
      { name: 'list', effect: 'read' },
      { name: 'get', effect: 'read' },
    ],
  });
  const person = { token: server.localToken };
  const isNamed = async () => {
    const client = await connectMcp(server, key);
    const instructions = client.getInstructions();
    await client.close();
    return instructions?.includes('hidden_system');
  };
  const rule = (pattern: string, decision: string) =>
    call(server, 'POST', '/v1/policies', { ...person, body: { pattern, decision } });
  const body = { url, namespace: 'hidden_system' };
  const added = await call(server, 'POST', '/v1/sources', { ...person, body });
  const seen = [await isNamed()];
  const denied = await rule('hidden_system.**', 'deny');
  seen.push(await isNamed());
  const allowed = await rule('hidden_system.list', 'allow');
  seen.push(await isNamed());
  expect(seen).toEqual([true, false, true]);
  for (const { json } of [denied, allowed]) await call(server, 'DELETE', `/v1/policies/${json.id}`, person);
  await call(server, 'DELETE', `/v1/sources/${added.json.id}`, person);
});

const sessions = process.env.EXECUTOR_TEST_LONG === '1' ? 500 : 100;

/** The number of concurrent requests that one process can send to itself without connection errors. */
async function inWaves<Result>(work: (number: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  while (results.length < sessions) {
    const wave = Array.from({ length: 100 }, (_, index) => work(results.length + index));
    results.push(...(await Promise.all(wave)));
  }
  return results;
}

test(`${sessions} concurrent sessions get their own results`, async () => {
  const keys = await Promise.all([createKey(server), createKey(server), key]);
  const clients = await inWaves((number) =>
    connectMcp(server, keys[number % 3] ?? key, { era: eras[number % 2] ?? 'auto' }),
  );
  const results = await inWaves(async (number) => {
    const client = clients[number] as Client;
    let { value } = await execute(client, `return { number: ${number} }`);
    while (value.executionId) ({ value } = await resume(client, value.executionId));
    return value.number;
  });
  await Promise.all(clients.map((client) => client.close()));
  expect(results).toEqual(Array.from({ length: sessions }, (_, number) => number));
});
