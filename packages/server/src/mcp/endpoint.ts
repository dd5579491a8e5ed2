import { randomBytes, randomUUID } from 'node:crypto';
import { actAsAgent, type CallKey, type CallNotice, chargeTo, ownerOf } from '@executor/engine';
import { ExecutorError, type Principal } from '@executor/protocol';
import type { McpHttpHandler, McpRequestContext, McpServer, Server } from '@modelcontextprotocol/server';
import type { Context, Handler } from 'hono';
import type { ContentfulStatusCode, StatusCode } from 'hono/utils/http-status';
import type { AdmittedRequest, RequestAdmission } from '../http/admission/request-admission.ts';
import { Turn } from '../http/admission/turn.ts';
import type { ParseInThread } from '../http/body/json-thread.ts';
import { readJson } from '../http/body/request-input.ts';
import { disconnectSignal } from '../http/stream/disconnect-signal.ts';
import { LeavingCalls } from './call/leaving-calls.ts';
import { callKey, OpenCalls } from './call/open-calls.ts';
import type { Exchange, McpParts } from './call/tool-call.ts';
import { mcpSessionHeader, newClientSession } from './client-session.ts';
import { takeAnswer } from './dialog/dialogs.ts';
import { OpenDialogs } from './dialog/open-dialogs.ts';

/** Creates the MCP server that answers one request. */
export type CreateMcpServer = (
  exchange: Exchange,
  era: McpRequestContext['era'],
  parts: McpParts,
) => Server | McpServer | Promise<Server>;

interface EndpointOptions extends Omit<McpParts, 'openCalls' | 'leavingCalls' | 'openDialogs' | 'stateKey'> {
  /** Finds the principal of a request; throws if the credential is missing or invalid. */
  identify(http: Context): Promise<Principal>;
  /** Replaces the product's own MCP server. */
  createServer?: CreateMcpServer | undefined;
  parseInThread: ParseInThread;
  admission: RequestAdmission;
}

/** Room for 1 MB of code, since JSON may escape one byte as six. */
const maxBodyBytes = 7 * 1024 * 1024;
const maxInBatch = 50;

/**
 * `/mcp`. Every caller acts as an agent here, even with a person's credential. One handler serves the stateless protocol of 2026-07-28 and
 * the session protocols before it. Between requests it keeps only the open calls, so that a client can cancel them, and the open dialogs
 * of session clients, so that they can answer.
 *
 * A client that disconnects or cancels a call cancels no run, because programs do the same when they only lose patience: the run is
 * durable, and `resume` finds it. A call that is cancelled by `notifications/cancelled` ends, and in the session era it gets no answer.
 */
export function serveMcp(options: EndpointOptions): Handler {
  const openCalls = new OpenCalls();
  const leavingCalls = new LeavingCalls();
  const openDialogs = new OpenDialogs();
  const { admission } = options;
  const { store } = options.engine;
  // All servers are notified, because a balancer may send a cancellation to another server than its call.
  store.subscribe((change) => {
    if (change.type === 'callSent') openCalls.saw(change);
    if (change.type === 'callCancelled') openCalls.cancel(change);
  });
  const tell = (type: CallNotice['type'], key: CallKey) => store.tell({ type, ...key, id: randomUUID() });
  let loading: Promise<McpHttpHandler> | undefined;
  return (http) => {
    const turn = new Turn(http.env?.outgoing);
    return turn.during(async () => {
      const caller = await admission.admit(http, turn, async () => actAsAgent(await options.identify(http)));
      return chargeTo(caller.account, () => serveCaller(http, caller));
    });
  };
  async function serveCaller(http: Context, caller: AdmittedRequest<Principal>): Promise<Response> {
    const { principal, account, turn } = caller;
    const ownerId = ownerOf(principal);
    loading ??= loadHandler(
      { ...options, openCalls, leavingCalls, openDialogs, stateKey: stateKeyOf(options) },
      options.createServer,
    );
    const handler = await loading;
    if (http.req.method !== 'POST') return relay(http, await handler.fetch(http.req.raw));
    const payer = { account, turn, resource: options.engine.resources.held.requestBytes };
    let body: unknown;
    try {
      body = await readJson(http, maxBodyBytes, { payer, parseInThread: options.parseInThread });
    } catch (error) {
      return rejectInvalidJson(http, error);
    }
    const messages = messagesOf(body);
    admission.restrain(account, messages.length - 1);
    const exchange = exchangeOf(http, {
      principal,
      ownerId,
      account,
      turn,
      messages,
      stopping: options.stopping,
    });
    for (const requestId of exchange.requestIds) {
      const key = callKey({ ...exchange, requestId });
      if (key.scope === 'owner') tell('callSent', key);
    }
    for (const requestId of cancelledIn(messages)) tell('callCancelled', callKey({ ...exchange, requestId }));
    introduce(http, messages);
    for (const { id, result } of answersIn(messages)) {
      const dialog = openDialogs.take(exchange, id);
      if (dialog) await takeAnswer(options, principal, { dialog, result });
    }
    return relay(http, await answer(handler, http, { body, exchange }));
  }
}

/** Loaded at the first request, because loading the SDK would slow down the start of the server. */
async function loadHandler(
  parts: McpParts,
  createServer: CreateMcpServer | undefined,
): Promise<McpHttpHandler> {
  const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./mcp-server.ts'),
  ]);
  const create: CreateMcpServer = createServer ?? ((exchange, era) => createMcpServer(parts, exchange, era));
  return createMcpHandler(
    ({ authInfo, era }) => create(authInfo?.extra?.exchange as Exchange, era, parts),
    // A subscription is acknowledged and ends at once: the server announces no changes, so there is nothing to wait for.
    { onerror: (err) => parts.logger.debug({ err }, 'rejected an MCP request') },
  );
}

/** Reads the key at first use. */
function stateKeyOf({ engine }: EndpointOptions): () => Promise<string> {
  let known: string | undefined;
  return async () => {
    known ??= await engine.store.installations.stateKey(randomBytes(32).toString('base64url'));
    return known;
  };
}

/** Invalid JSON gets a JSON-RPC error instead of the usual error body. */
function rejectInvalidJson(http: Context, error: unknown): Response {
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
      `A batch may have at most ${maxInBatch} messages; this one has ${messages.length}.`,
    );
  }
  return messages.filter((message) => typeof message === 'object' && message !== null);
}

function exchangeOf(
  http: Context,
  from: Pick<Exchange, 'principal' | 'ownerId' | 'account' | 'turn'> & {
    messages: Message[];
    stopping: AbortSignal;
  },
): Exchange {
  const { messages, stopping, ...caller } = from;
  const { outgoing } = http.env;
  let sent: Promise<boolean> | undefined;
  return {
    ...caller,
    sessionId: http.req.header(mcpSessionHeader) ?? '',
    requestIds: requestedIn(messages),
    isFirst: messages.some(({ method }) => method === 'initialize' || method === 'server/discover'),
    left: disconnectSignal(outgoing, stopping).signal,
    isConnected: () => !outgoing.destroyed,
    sent: () => {
      sent ??= new Promise((resolve) => {
        const end = () => resolve(outgoing.writableFinished);
        if (outgoing.closed) end();
        else outgoing.once('close', end);
      });
      return sent;
    },
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

/** Answers to the server's questions. In the session era they arrive as messages without a method. */
function answersIn(messages: Message[]): Message[] {
  return messages.filter((message) => message.method === undefined && message.id !== undefined);
}

/** Gives a client that initializes a session id for its later requests. */
function introduce(http: Context, messages: Message[]): void {
  const first = messages.find(({ method }) => method === 'initialize');
  if (first) http.header(mcpSessionHeader, newClientSession(first.params ?? {}));
}

function answer(
  handler: McpHttpHandler,
  http: Context,
  { body, exchange }: { body: unknown; exchange: Exchange },
): Promise<Response> {
  // The SDK does not get the credential, because nothing after this point needs it.
  const authInfo = { token: '', clientId: exchange.ownerId, scopes: [], extra: { exchange } };
  return handler.fetch(http.req.raw, { authInfo, parsedBody: body });
}

/** Copies the SDK's response, so that the server's own headers are added to it. */
function relay(http: Context, { status, headers, body }: Response): Response {
  for (const [name, value] of headers) http.header(name, value);
  http.header('cache-control', 'no-store');
  return body === null
    ? http.body(null, status as StatusCode)
    : http.body(body, status as ContentfulStatusCode);
}
