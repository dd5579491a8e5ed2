/** An agent's call as a bare request, without the cost of a client library. */
interface McpCall {
  body: object;
  headers: Record<string, string>;
}

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const params = { name: 'execute', arguments: { code: 'return 1' } };
const message = { jsonrpc: '2.0', id: 1, method: 'tools/call' };

/** The same call in each era of the protocol. */
export const calls: Record<'2026-07-28' | 'session era', McpCall> = {
  '2026-07-28': {
    body: { ...message, params: { ...params, _meta } },
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'execute' },
  },
  'session era': { body: { ...message, params }, headers: {} },
};

export const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
};

export interface Server {
  url: string;
  key: string;
}

/** Calls `execute` and waits for the result. If the run outlasts the call, it calls `resume`, as the response says. */
export async function execute(server: Server, call: McpCall): Promise<void> {
  let { status, text } = await post(server, call);
  for (let unfinished = runIn(text); unfinished !== undefined; unfinished = runIn(text)) {
    const resumed = { name: 'resume', arguments: { executionId: unfinished } };
    ({ status, text } = await post(server, { ...call, body: { ...message, params: resumed } }));
  }
  if (!text.includes('"text":"1"')) throw new Error(`${status}: ${text}`);
}

function runIn(text: string): string | undefined {
  return /\\"status\\":\\"running\\",\\"executionId\\":\\"(exe_\w+)/.exec(text)?.[1];
}

/** The same run through the API, with the same key. */
export async function executeByApi(server: Server): Promise<void> {
  const body = { code: 'return 1', waitMs: 25_000 };
  const { status, text } = await post(server, { body, headers: {} }, '/v1/executions');
  if (!text.includes('"result":1')) throw new Error(`${status}: ${text}`);
}

export async function post({ url, key }: Server, { body, headers }: McpCall, path = '/mcp') {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      ...headers,
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
  });
  const { status, headers: answered } = response;
  return { status, session: answered.get('mcp-session-id') ?? '', text: await response.text() };
}

export async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
