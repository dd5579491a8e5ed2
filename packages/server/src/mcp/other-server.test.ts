import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../../../store/test/test-database.ts';
import { heldTool } from '../../test/held-tool.ts';
import { acceptHeader, createKey } from '../../test/mcp-client.ts';
import { call, startTestServer, type TestServer } from '../../test/server.ts';

/* Two servers of one database behind a balancer: a cancellation reaches another server than the call. */

let one: TestServer;
let other: TestServer;
let key: string;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await createDatabase();
  drop = database.drop;
  const env = { EXECUTOR_DATABASE_URL: database.url };
  [one, other] = [await startTestServer(env), await startTestServer(env)];
  key = await createKey(one);
});
afterAll(async () => {
  await Promise.all([one[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]);
  await drop();
});

const session = { 'mcp-session-id': 'a-session', 'mcp-protocol-version': '2025-03-26' };
const stateless = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'execute',
};
type Headers = typeof session | typeof stateless;

const executing = (id: number | string, code: string) => {
  return {
    ...{ jsonrpc: '2.0', id, method: 'tools/call' },
    params: { name: 'execute', arguments: { code, waitMs: 50_000 } },
  };
};

const statelessCall = (id: string, code: string) => {
  const { params, ...message } = executing(id, code);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return { ...message, params: { ...params, _meta } };
};

const post = (server: TestServer, body: unknown, headers: Headers) =>
  call(server, 'POST', '/mcp', { token: key, body, headers: { ...acceptHeader, ...headers } });

const cancel = (server: TestServer, requestId: number | string, headers: Headers = session) =>
  post(server, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }, headers);

const runWith = async (text: string) => {
  const { json } = await call(one, 'GET', '/v1/executions?limit=100', { token: key });
  return json.items.find(({ codeExcerpt }: { codeExcerpt: string }) => codeExcerpt.includes(text));
};

test('A cancellation that reaches another server ends the call, and the run goes on', async () => {
  const tool = heldTool(one);
  const response = post(
    one,
    executing('elsewhere', 'await tools.notes.list({}); return "elsewhere"'),
    session,
  );
  await expect.poll(() => tool.calls).toHaveLength(1);
  expect((await cancel(other, 'elsewhere')).status).toBe(202);
  const { status, text } = await response;
  expect([status, text]).toEqual([200, '']);
  expect(tool.calls.map(({ aborted }) => aborted)).toEqual([false]);
  tool.answer();
  await expect.poll(async () => (await runWith('elsewhere')).status).toBe('completed');
});

test('Without a session, the id of the call must be in use once, on all servers together', async () => {
  const tool = heldTool(one);
  const begin = (server: TestServer, id: string) =>
    post(server, statelessCall(id, `await tools.notes.list({}); return "${id}"`), stateless);
  const [alone, mine] = [begin(one, 'alone'), begin(one, 'twice')];
  await expect.poll(() => tool.calls).toHaveLength(2);
  await post(other, statelessCall('twice', 'return 2'), stateless);
  await cancel(other, 'twice', stateless);
  await cancel(other, 'alone', stateless);
  expect((await alone).text).toContain('The run has not finished');
  tool.answer();
  expect((await mine).text).toContain('twice');
});

test('A cancellation that overtakes its call on another server starts nothing', async () => {
  await cancel(other, 'early');
  // The notice of the cancellation is sent before the one of this run.
  await post(other, executing('after', 'return 1'), session);
  await expect
    .poll(async () => {
      const { text } = await post(
        one,
        [executing('early', 'return "early"'), { jsonrpc: '2.0', id: 2, method: 'ping' }],
        session,
      );
      return text;
    })
    .not.toContain('"early"');
});
