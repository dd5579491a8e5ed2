import { expect } from 'vitest';
import { heldTool } from '../../test/held-tool.ts';
import { acceptHeader, connectMcp, createKey, eras, execute, resume } from '../../test/mcp-client.ts';
import { call, type TestServer, test } from '../../test/server.ts';

let server: TestServer;
let key: string;

test.beforeAll(async ({ server: shared }) => {
  server = shared;
  key = await createKey(server);
});

const runWith = async (text: string) => {
  const { json } = await call(server, 'GET', '/v1/executions?limit=100', { token: key });
  return json.items.find(({ codeExcerpt }: { codeExcerpt: string }) => codeExcerpt.includes(text));
};

for (const era of eras) {
  test(`A client (${era}) that times out or cancels leaves its run alone`, async () => {
    const client = await connectMcp(server, key, { era });
    const tool = heldTool(server);
    const code = `await tools.notes.list({}); return "left ${era}"`;
    const cancel = new AbortController();
    const cancelled = client.callTool({ name: 'execute', arguments: { code } }, { signal: cancel.signal });
    const timedOut = client.callTool(
      { name: 'execute', arguments: { code: `${code} // again` } },
      { timeout: 1_000 },
    );
    const ends = Promise.allSettled([cancelled, timedOut]);
    await expect.poll(() => tool.calls).toHaveLength(2);
    cancel.abort();
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect((await execute(client, 'return "served"')).value).toBe('served');
    expect(tool.calls.map(({ aborted }) => aborted)).toEqual([false, false]);
    tool.answer();
    const run = await runWith(`left ${era}`);
    expect((await resume(client, run.id)).value).toBe(`left ${era}`);
    await client.close();
  });
}

const jsonRpc = (id: number | string, method: string, params: object = {}) => {
  return { jsonrpc: '2.0', id, method, params };
};
const executing = (id: number | string, code: string) =>
  jsonRpc(id, 'tools/call', { name: 'execute', arguments: { code } });
const cancelling = (requestId: number | string) => {
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } };
};

const post = (body: unknown) =>
  call(server, 'POST', '/mcp', {
    token: key,
    body,
    headers: { ...acceptHeader, 'mcp-session-id': 'a-session', 'mcp-protocol-version': '2025-03-26' },
  });

test('A cancelled request of the session era gets no answer, and its stream ends', async () => {
  const tool = heldTool(server);
  const response = post(executing('quiet', 'await tools.notes.list({}); return "quiet"'));
  await expect.poll(() => tool.calls).toHaveLength(1);
  expect((await post(cancelling('quiet'))).status).toBe(202);
  const { status, text } = await response;
  expect([status, text]).toEqual([200, '']);
  tool.answer();
});

test('The other requests of its batch are answered', async () => {
  const tool = heldTool(server);
  const response = post([
    executing('first', 'await tools.notes.list({}); return "first"'),
    executing('second', 'await tools.notes.list({}); return "second"'),
    jsonRpc('third', 'ping'),
  ]);
  await expect.poll(() => tool.calls).toHaveLength(2);
  await post(cancelling('first'));
  tool.answer();
  const { text } = await response;
  const ids = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data).id);
  expect(ids.toSorted()).toEqual(['second', 'third']);
});

test('A call whose cancellation arrives first starts nothing', async () => {
  await post(cancelling('late'));
  const { text } = await post([executing('late', 'return "too late"'), jsonRpc('beside', 'ping')]);
  expect(text).toContain('beside');
  expect(text).not.toContain('"late"');
  expect(await runWith('too late')).toBeUndefined();
});

test('A call waits at most 50 seconds, whatever it asks for', async () => {
  const client = await connectMcp(server, key);
  const { tools } = await client.listTools();
  for (const { inputSchema } of tools) {
    expect(inputSchema.properties?.waitMs).toMatchObject({
      default: 25_000,
      description: expect.stringContaining('at most 50000'),
    });
  }
  expect((await execute(client, 'return 1', { waitMs: 3_600_000 })).value).toBe(1);
  await client.close();
});
