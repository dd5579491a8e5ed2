import { randomBytes } from 'node:crypto';
import { actAsAgent, ownerOf } from '@executor/engine';
import { ExecutorError, type Principal } from '@executor/protocol';
import type { McpHttpHandler, McpRequestContext, McpServer, Server } from '@modelcontextprotocol/server';
import type { Context, Handler } from 'hono';
import type { ContentfulStatusCode, StatusCode } from 'hono/utils/http-status';
import { leaveSignal } from '../http/leave-signal.ts';
import type { ParseApart } from '../http/parse-apart.ts';
import { readJson } from '../http/request-input.ts';
import { mcpSessionHeader, newClientSession } from './client-session.ts';
import { takeAnswer } from './dialogs.ts';
import { OpenCalls } from './open-calls.ts';
import { OpenDialogs } from './open-dialogs.ts';
import { RateLimit } from './rate-limit.ts';
import type { Exchange, McpParts } from './tool-call.ts';

/** What answers one request of whoever it is from. */
export type McpServerOf = (
  exchange: Exchange,
  era: McpRequestContext['era'],
  parts: McpParts,
) => Server | McpServer | Promise<Server>;

interface EndpointOptions extends Omit<McpParts, 'openCalls' | 'openDialogs' | 'stateKey'> {
  /** Whoever a request is from; refuses it where that is nobody. */
  identify(http: Context): Promise<Principal>;
  /** What answers one request, where that is not the product's own. */
  createServer?: McpServerOf | undefined;
  parseApart: ParseApart;
}

/** A megabyte of code, each byte of which JSON may write as six, and what goes with it. */
const maxBodyBytes = 7 * 1024 * 1024;
const maxInBatch = 50;
const rate = { burst: 3_000, perSecond: 100 };

/**
 * `/mcp`. Whoever comes through here acts as an agent: what a person's credential may do elsewhere, it may not do here. One handler serves
 * the stateless protocol of 2026-07-28 and the ones with sessions before it, and keeps nothing between requests but which of them are
 * open, so that a client can cancel them, and which dialogs clients of the older ones have open, so that they can answer.
 *
 * A client that goes away cancels nothing: the run is durable, and `resume` finds it. The protocol of 2026-07-28 takes a closed stream for
 * a cancellation; it cannot be told from a lost connection, so it is none here. `notifications/cancelled` is one, in every era.
 */
export function serveMcp(options: EndpointOptions): Handler {
  const openCalls = new OpenCalls();
  const openDialogs = new OpenDialogs();
  const limit = new RateLimit(rate);
  let loading: Promise<McpHttpHandler> | undefined;
  return async (http) => {
    const principal = actAsAgent(await options.identify(http));
    const ownerId = ownerOf(principal);
    restrain(http, limit, { ownerId, count: 1 });
    loading ??= loadHandler(
      { ...options, openCalls, openDialogs, stateKey: stateKeyOf(options) },
      options.createServer,
    );
    const handler = await loading;
    if (http.req.method !== 'POST') return relay(http, await handler.fetch(http.req.raw));
    let body: unknown;
    try {
      body = await readJson(http, maxBodyBytes, options.parseApart);
    } catch (error) {
      return refuseNoJson(http, error);
    }
    const messages = messagesOf(body);
    restrain(http, limit, { ownerId, count: messages.length - 1 });
    const exchange = exchangeOf(http, { principal, ownerId, messages, stopping: options.stopping });
    for (const requestId of requestedIn(messages)) openCalls.saw({ ...exchange, requestId });
    for (const requestId of cancelledIn(messages)) openCalls.cancel({ ...exchange, requestId });
    introduce(http, messages);
    for (const { id, result } of answersIn(messages)) {
      const dialog = openDialogs.take(exchange, id);
      if (dialog) await takeAnswer(options, principal, { dialog, result });
    }
    return relay(http, await answer(handler, http, { body, exchange }));
  };
}

/** When it is first needed: loading it takes a good part of what a server may take to start. */
async function loadHandler(parts: McpParts, given: McpServerOf | undefined): Promise<McpHttpHandler> {
  const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./mcp-server.ts'),
  ]);
  const create: McpServerOf = given ?? ((exchange, era) => createMcpServer(parts, exchange, era));
  return createMcpHandler(
    ({ authInfo, era }) => create(authInfo?.extra?.exchange as Exchange, era, parts),
    // Nothing that a client could subscribe to ever changes.
    { maxSubscriptions: 0, onerror: (err) => parts.logger.debug({ err }, 'an MCP request was refused') },
  );
}

/** Asked for when it is first needed. */
function stateKeyOf({ engine }: EndpointOptions): () => Promise<string> {
  let known: string | undefined;
  return async () => {
    known ??= await engine.store.installations.stateKey(randomBytes(32).toString('base64url'));
    return known;
  };
}

function restrain(
  http: Context,
  limit: RateLimit,
  { ownerId, count }: { ownerId: string; count: number },
): void {
  const seconds = count > 0 ? limit.take(ownerId, count) : undefined;
  if (seconds === undefined) return;
  http.header('retry-after', String(seconds));
  throw new ExecutorError(
    'tooManyRequests',
    `Too many requests came with this key: at most ${rate.burst} at once and ${rate.perSecond} a second are taken. Wait ${seconds} seconds.`,
    { details: { retryAfterSeconds: seconds } },
  );
}

/** What is no JSON at all is told as JSON-RPC tells it. */
function refuseNoJson(http: Context, error: unknown): Response {
  if (!(error instanceof ExecutorError) || !(error.cause instanceof SyntaxError)) throw error;
  return http.json({ jsonrpc: '2.0', id: null, error: { code: -32_700, message: error.message } }, 400);
}

interface Message {
  method?: unknown;
  id?: unknown;
  result?: unknown;
  params?: { requestId?: unknown; clientInfo?: { name?: unknown }; capabilities?: unknown };
}

function messagesOf(body: unknown): Message[] {
  const messages = Array.isArray(body) ? body : [body];
  if (messages.length > maxInBatch) {
    throw new ExecutorError(
      'invalidRequest',
      `A batch may have ${maxInBatch} messages, not ${messages.length}.`,
    );
  }
  return messages.filter((message) => typeof message === 'object' && message !== null);
}

function exchangeOf(
  http: Context,
  from: { principal: Principal; ownerId: string; messages: Message[]; stopping: AbortSignal },
): Exchange {
  const { principal, ownerId, messages, stopping } = from;
  return {
    principal,
    ownerId,
    sessionId: http.req.header(mcpSessionHeader) ?? '',
    isFirst: messages.some(({ method }) => method === 'initialize' || method === 'server/discover'),
    left: leaveSignal(http.env.outgoing, stopping).signal,
  };
}

function requestedIn(messages: Message[]): (string | number)[] {
  return messages.flatMap(({ method, id }) => {
    const isId = typeof id === 'string' || typeof id === 'number';
    return method !== undefined && isId ? [id] : [];
  });
}

function cancelledIn(messages: Message[]): (string | number)[] {
  return messages.flatMap(({ method, params }) => {
    const id = params?.requestId;
    const isId = typeof id === 'string' || typeof id === 'number';
    return method === 'notifications/cancelled' && isId ? [id] : [];
  });
}

/** To what the server asked: in the session era they come like requests. */
function answersIn(messages: Message[]): Message[] {
  return messages.filter((message) => message.method === undefined && message.id !== undefined);
}

/** Gives a client that introduces itself the name by which its later requests are known to belong together. */
function introduce(http: Context, messages: Message[]): void {
  const first = messages.find(({ method }) => method === 'initialize');
  if (first) http.header(mcpSessionHeader, newClientSession(first.params ?? {}));
}

function answer(
  handler: McpHttpHandler,
  http: Context,
  { body, exchange }: { body: unknown; exchange: Exchange },
): Promise<Response> {
  // The credential itself stays behind: nothing after this has a use for it.
  const authInfo = { token: '', clientId: exchange.ownerId, scopes: [], extra: { exchange } };
  return handler.fetch(http.req.raw, { authInfo, parsedBody: body });
}

/** With the headers that every answer of this server has. */
function relay(http: Context, { status, headers, body }: Response): Response {
  for (const [name, value] of headers) http.header(name, value);
  http.header('cache-control', 'no-store');
  return body === null
    ? http.body(null, status as StatusCode)
    : http.body(body, status as ContentfulStatusCode);
}
