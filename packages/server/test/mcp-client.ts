import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { call, type TestServer } from './server.ts';

export const eras = ['legacy', 'auto'] as const;
type Era = (typeof eras)[number];

interface Connecting {
  era?: Era;
  name?: string;
  /** Sent as they are. */
  headers?: Record<string, string>;
  /** It has dialogs, and says yes to whatever they ask. */
  saysYes?: boolean;
}

/** A client as agent programs have one, of either era of the protocol. */
export async function connectMcp(
  { url }: { url: string },
  key: string,
  { era = 'auto', name = 'test-agent', headers, saysYes = false }: Connecting = {},
): Promise<Client> {
  const capabilities = saysYes ? { elicitation: { form: {}, url: {} } } : {};
  const client = new Client({ name, version: '1.0.0' }, { versionNegotiation: { mode: era }, capabilities });
  if (saysYes) client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }));
  const requestInit = { headers: headers ?? { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return client;
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
