import {
  type CallToolResult,
  Client,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { call, type TestServer } from './server.ts';

export const eras = ['legacy', 'auto'] as const;
type Era = (typeof eras)[number];

interface Connecting {
  era?: Era;
  name?: string;
  /** Replace the default headers. */
  headers?: Record<string, string>;
  /** The client supports dialogs, and this function answers them. */
  user?: DialogUser;
  dialogs?: { form?: Record<string, never>; url?: Record<string, never> };
}

/** A dialog as the user sees it. The signal aborts when the server withdraws it. */
export interface Shown {
  mode?: string | undefined;
  message: string;
  url?: string;
  requestedSchema?: { properties: Record<string, { enum?: string[] }>; required?: string[] };
  signal: AbortSignal;
}

type DialogUser = (shown: Shown) => ElicitResult | Promise<ElicitResult>;

export const approveOnce = { action: 'accept', content: { decision: 'approve once' } } as const;

/** Connects an MCP client of the chosen protocol version. */
export async function connectMcp(
  { url }: { url: string },
  key: string,
  { era = 'auto', name = 'test-agent', headers, user, dialogs = { form: {}, url: {} } }: Connecting = {},
): Promise<Client> {
  const capabilities = user ? { elicitation: dialogs } : {};
  const client = new Client({ name, version: '1.0.0' }, { versionNegotiation: { mode: era }, capabilities });
  if (user) {
    client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) =>
      user({ ...(params as Omit<Shown, 'signal'>), signal: mcpReq.signal }),
    );
  }
  const requestInit = { headers: headers ?? { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return client;
}

/** Creates a key whose client may ask for approvals in its dialogs. */
export async function createDialogKey(server: TestServer): Promise<{ id: string; key: string }> {
  const body = { name: 'trusted', allowDialog: true };
  return (await call(server, 'POST', '/v1/api-keys', { token: server.localToken, body })).json;
}

export async function createKey(server: TestServer, kind: 'agent' | 'person' = 'agent'): Promise<string> {
  const created = await call(server, 'POST', '/v1/api-keys', {
    token: server.localToken,
    body: { name: kind, kind },
  });
  return created.json.key;
}

/** Approves every pending question of a run. */
export async function approveAll(server: TestServer, executionId: string): Promise<void> {
  const { json } = await call(server, 'GET', '/v1/interactions?status=pending', { token: server.localToken });
  for (const { id, executionId: of } of json.items) {
    if (of !== executionId) continue;
    const body = { action: 'approve' };
    await call(server, 'POST', `/v1/interactions/${id}/resolve`, { token: server.localToken, body });
  }
}

export async function execute(client: Client, code: string, rest: Record<string, unknown> = {}) {
  return read(await client.callTool({ name: 'execute', arguments: { code, ...rest } }));
}

export async function resume(client: Client, executionId: string, rest: Record<string, unknown> = {}) {
  return read(await client.callTool({ name: 'resume', arguments: { executionId, ...rest } }));
}

export const acceptHeader = { accept: 'application/json, text/event-stream' };

/** Sends a raw request of 2026-07-28, for what the SDK's client does not support: tasks and forged answers. */
export async function statelessRequest(
  server: TestServer,
  method: string,
  params: Record<string, unknown>,
  { key, capabilities }: { key: string; capabilities: object },
) {
  const { json } = await call(server, 'POST', '/mcp', {
    headers: {
      ...acceptHeader,
      authorization: `Bearer ${key}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': String(params.name ?? params.taskId ?? ''),
    },
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: metaOf(capabilities) } },
  });
  return json;
}

function metaOf(capabilities: object) {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
}

/** The texts of an answer, the first one parsed as JSON. */
export function read(result: unknown) {
  const { content, isError } = result as CallToolResult;
  const texts = content.map((part) => (part.type === 'text' ? part.text : ''));
  return { value: JSON.parse(texts[0] ?? 'null'), texts, isError: isError ?? false };
}
