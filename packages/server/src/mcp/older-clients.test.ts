import { describe, expect } from 'vitest';
import { createKey } from '../../test/mcp-client.ts';
import { call, type TestServer, test } from '../../test/server.ts';

/** Raw requests of older clients, because a current SDK may not send what they sent. */
let server: TestServer;
let key: string;

test.beforeAll(async ({ server: shared }) => {
  server = shared;
  key = await createKey(server);
});

async function post(body: unknown, headers: Record<string, string> = {}) {
  const accept = 'application/json, text/event-stream';
  const answer = await call(server, 'POST', '/mcp', { token: key, body, headers: { accept, ...headers } });
  return { ...answer, messages: messagesOf(answer.text) };
}

/** The response, as JSON or as a stream of events. */
function messagesOf(text: string) {
  if (text === '') return [];
  const data = text.startsWith('{') || text.startsWith('[') ? [text] : text.match(/^data: .*$/gm);
  return (data ?? []).map((line) => line.replace(/^data: /, '')).flatMap((line) => JSON.parse(line || '[]'));
}

const initialize = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'old', version: '1' } },
});
const execute = (id: number, code: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'execute', arguments: { code } },
});

describe.each([
  // Before 2025-06-18 no header named the version.
  ['2025-03-26', {}],
  ['2025-06-18', { 'mcp-protocol-version': '2025-06-18' }],
  ['2025-11-25', { 'mcp-protocol-version': '2025-11-25' }],
] as [string, Record<string, string>][])('a client of %s', (version, headers) => {
  test('initializes, lists the tools and runs code', async () => {
    const introduced = await post(initialize(version));
    expect(introduced.messages).toMatchObject([{ id: 0, result: { protocolVersion: version } }]);
    const session = { ...headers, 'mcp-session-id': introduced.headers.get('mcp-session-id') ?? '' };
    expect(session['mcp-session-id']).not.toBe('');
    const ready = await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
    expect([ready.status, ready.text]).toEqual([202, '']);
    const listed = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, session);
    const names = listed.messages[0].result.tools.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['execute', 'resume']);
    const ran = await post(execute(2, 'return { sum: 1 + 1 }'), session);
    expect(ran.messages).toMatchObject([
      { id: 2, result: { content: [{ type: 'text', text: '{"sum":2}' }] } },
    ]);
  });
});

test('Every message of a 2025-03-26 batch is answered', async () => {
  const batch = [
    execute(1, 'return "one"'),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 'two', method: 'ping' },
    execute(3, 'return "three"'),
    { jsonrpc: '2.0', id: 4, method: 'nothing/such' },
  ];
  const { status, messages } = await post(batch);
  expect(status).toBe(200);
  const byId = new Map(messages.map((message: { id: unknown }) => [message.id, message]));
  expect([...byId.keys()].toSorted()).toEqual([1, 3, 4, 'two']);
  expect(byId.get(1)).toMatchObject({ result: { content: [{ text: '"one"' }] } });
  expect(byId.get('two')).toMatchObject({ result: {} });
  expect(byId.get(3)).toMatchObject({ result: { content: [{ text: '"three"' }] } });
  expect(byId.get(4)).toMatchObject({ error: { code: -32601 } });
});

test('A batch of notifications is accepted without a response', async () => {
  const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const { status, text } = await post([note, note]);
  expect([status, text]).toEqual([202, '']);
});
