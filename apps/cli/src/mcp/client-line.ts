import { randomUUID } from 'node:crypto';
import { generatedKeyMark } from '@executor/protocol';

export type MessageId = string | number;

export interface Message {
  jsonrpc?: unknown;
  id?: unknown;
  method?: unknown;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: unknown;
}

/** One line of a client: one message, or a list of messages, which the protocol of 2025-03-26 allows. */
export interface ClientLine {
  body: string;
  messages: Message[];
  /** The ids of its requests. Each needs exactly one response. */
  ids: MessageId[];
  /** How many of its values are not messages. */
  invalidCount: number;
}

export function readLine(line: string): ClientLine {
  const parsed: unknown = JSON.parse(line);
  const values = Array.isArray(parsed) ? parsed : [parsed];
  const messages = values.filter(isMessage).map(withIdempotencyKey);
  const ids = messages.flatMap(({ id, method }) => (isId(id) && method !== undefined ? [id] : []));
  return {
    body: JSON.stringify(Array.isArray(parsed) ? messages : messages[0]),
    messages,
    ids,
    invalidCount: Math.max(values.length, 1) - messages.length,
  };
}

/** The headers that repeat parts of the message, required since 2026-07-28. */
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

/** Adds an idempotency key, so that a call that is repeated after a lost response runs once. */
function withIdempotencyKey(message: Message): Message {
  const { method, params } = message;
  const input = params?.arguments;
  if (method !== 'tools/call' || params?.name !== 'execute' || !isObject(input)) return message;
  if ('idempotencyKey' in input) return message;
  return {
    ...message,
    params: {
      ...params,
      _meta: { ...metaOf(message), [generatedKeyMark]: true },
      arguments: { ...input, idempotencyKey: `mcp-${randomUUID()}` },
    },
  };
}

function metaOf(message: Message | undefined): Record<string, unknown> | undefined {
  const meta = message?.params?._meta;
  return isObject(meta) ? meta : undefined;
}

/** A request, a notification, or a response to a question of the server. */
function isMessage(value: unknown): value is Message {
  if (!isObject(value)) return false;
  const { id, method } = value;
  return method === undefined ? isId(id) : typeof method === 'string' && (id === undefined || isId(id));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Characters that are valid in a header. */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[!-~]{1,200}$/.test(value);
}
