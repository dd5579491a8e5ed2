import { randomUUID } from 'node:crypto';

export type MessageId = string | number;

export interface Message {
  jsonrpc?: unknown;
  id?: unknown;
  method?: unknown;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: unknown;
}

/** What a client wrote in one line: one message, or several in a list, as the protocol of 2025-03-26 allows. */
export interface ClientLine {
  body: string;
  messages: Message[];
  /** Of the requests in it, each of which needs exactly one answer. */
  ids: MessageId[];
  /** How much of it is JSON and yet no message. */
  strange: number;
}

export function readLine(line: string): ClientLine {
  const parsed: unknown = JSON.parse(line);
  const given = Array.isArray(parsed) ? parsed : [parsed];
  const messages = given.filter(isMessage).map(withIdempotencyKey);
  const ids = messages.flatMap(({ id, method }) => (isId(id) && method !== undefined ? [id] : []));
  return {
    body: JSON.stringify(Array.isArray(parsed) ? messages : messages[0]),
    messages,
    ids,
    strange: Math.max(given.length, 1) - messages.length,
  };
}

/** The headers that must say once more what the message says, since 2026-07-28. */
export function headersOf({ messages }: ClientLine): Record<string, string> {
  const [message, ...others] = messages;
  const version = metaOf(message)?.['io.modelcontextprotocol/protocolVersion'];
  if (message === undefined || others.length > 0 || !isToken(version)) return {};
  const name = message.params?.name ?? message.params?.uri ?? message.params?.taskId;
  return {
    'mcp-protocol-version': version,
    ...(isToken(message.method) && { 'mcp-method': message.method }),
    ...(isToken(name) && { 'mcp-name': name }),
  };
}

export function isId(id: unknown): id is MessageId {
  return typeof id === 'string' || typeof id === 'number';
}

/** A call that is sent again because its answer got lost is then the same call: it runs once. */
function withIdempotencyKey(message: Message): Message {
  const { method, params } = message;
  const given = params?.arguments;
  if (method !== 'tools/call' || params?.name !== 'execute' || !isObject(given)) return message;
  if ('idempotencyKey' in given) return message;
  return {
    ...message,
    params: { ...params, arguments: { ...given, idempotencyKey: `mcp-${randomUUID()}` } },
  };
}

function metaOf(message: Message | undefined): Record<string, unknown> | undefined {
  const meta = message?.params?._meta;
  return isObject(meta) ? meta : undefined;
}

/** A request, a notification, or an answer to what the server asked. */
function isMessage(value: unknown): value is Message {
  if (!isObject(value)) return false;
  const { id, method } = value;
  return method === undefined ? isId(id) : typeof method === 'string' && (id === undefined || isId(id));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What may stand in a header. */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[!-~]{1,200}$/.test(value);
}
