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
  /** Sent as they are. */
  headers?: Record<string, string>;
  /** It has dialogs, and this is what its user does with them. */
  user?: DialogUser;
  dialogs?: { form?: Record<string, never>; url?: Record<string, never> };
}

/** What a dialog shows, and whether it was withdrawn. */
export interface Shown {
  mode?: string | undefined;
  message: string;
  url?: string;
  requestedSchema?: { properties: Record<string, { enum?: string[] }>; required?: string[] };
  signal: AbortSignal;
}

type DialogUser = (shown: Shown) => ElicitResult | Promise<ElicitResult>;

export const approveOnce = { action: 'accept', content: { decision: 'approve once' } } as const;

/** A client as agent programs have one, of either era of the protocol. */
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

/** A key whose client's dialog a person trusts with approvals. */
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

/** A person's yes to everything that a run asks. */
export async function approveAll(server: TestServer, executionId: string): Promise<void> {
  const { json } = await call(server, 'GET', '/v1/interactions?status=pending', { token: server.localToken });
  for (const { id, executionId: of } of json.items) {
    if (of !== executionId) continue;
    const body = { action: 'approve' };
    await call(server, 'POST', `/v1/interactions/${id}/resolve`, { token: server.localToken, body });
  }
}

/** The texts of an answer, the first of them as JSON. */
export function read(result: unknown) {
  const { content, isError } = result as CallToolResult;
  const texts = content.map((part) => (part.type === 'text' ? part.text : ''));
  return { value: JSON.parse(texts[0] ?? 'null'), texts, isError: isError ?? false };
}
