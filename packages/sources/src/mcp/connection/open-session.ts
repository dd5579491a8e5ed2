import type { Auth, SourceLogLine } from '@executor/engine';
import type { Client, Transport } from '@modelcontextprotocol/client';
import type { HttpClient } from '../../http/http-client.ts';
import { elicit } from '../call/elicitation-request.ts';
import { shortText } from '../call/short-text.ts';
import { loadSdk } from '../sdk.ts';
import type { McpSettings } from '../settings.ts';
import type { StdioServers } from '../stdio/stdio-servers.ts';
import { currentScope } from './call-scope.ts';
import { createFetch, type HttpFailure } from './http-fetch.ts';
import { type Route, Session } from './session.ts';

export interface SessionRequest {
  sourceId: string;
  settings: McpSettings;
  auth: Auth;
  /** How the server was reached before. Only a loaded source finds out again. */
  known?: Route | undefined;
  signal: AbortSignal;
}

export interface SessionEvents {
  /** The lists of the server have changed. */
  onChange(): void;
  onLog(text: SourceLogLine['text']): void;
  onIdle(session: Session): void;
}

export interface ConnectionParts {
  http: HttpClient;
  stdio: StdioServers;
  version: string;
}

const connectMs = 60_000;
/** A program that ignores requests before `initialize` is one of the session era. */
const probeMs = 10_000;

/** A failure to connect, with the HTTP status if there was one. */
export class ConnectError extends Error {
  readonly failure: HttpFailure;

  constructor(cause: unknown, failure: HttpFailure) {
    super(failure.error?.message ?? (cause instanceof Error ? cause.message : String(cause)), { cause });
    this.name = 'ConnectError';
    this.failure = failure;
  }
}

/** Connects to a server. At a URL it tries streamable HTTP, and then SSE, which older servers offer. */
export async function openSession(
  request: SessionRequest,
  events: SessionEvents,
  parts: ConnectionParts,
): Promise<Session> {
  const { settings, known } = request;
  if (settings.command !== undefined) return openStdio(request, events, parts);
  const transport = settings.transport ?? known?.transport;
  if (transport === 'sse') return connect('sse', request, events, parts);
  try {
    return await connect('http', request, events, parts);
  } catch (error) {
    const status = error instanceof ConnectError ? error.failure.status : undefined;
    const mayBeSse = transport === undefined && status !== undefined && [400, 404, 405].includes(status);
    if (!mayBeSse) throw error;
    return connect('sse', request, events, parts).catch(() => {
      throw error;
    });
  }
}

/** A program may end when it gets the request by which the era is found out. Then it is started again for the session era. */
async function openStdio(
  request: SessionRequest,
  events: SessionEvents,
  parts: ConnectionParts,
): Promise<Session> {
  const { known } = request;
  if (known?.era === 'legacy') return connect('stdio', request, events, parts);
  const starts = parts.stdio.countOf(request.sourceId);
  try {
    return await connect('stdio', request, events, parts);
  } catch (error) {
    request.signal.throwIfAborted();
    const hasEnded = parts.stdio.hasEndedSince(request.sourceId, starts);
    if (!hasEnded) throw error;
    const legacy = { ...request, known: { transport: 'stdio', era: 'legacy' } as const };
    return connect('stdio', legacy, events, parts);
  }
}

async function connect(
  kind: Route['transport'],
  request: SessionRequest,
  events: SessionEvents,
  parts: ConnectionParts,
): Promise<Session> {
  const sdk = await loadSdk();
  const ended = new AbortController();
  let failure: HttpFailure = {};
  let session: Session | undefined;
  const onFailure = (found: HttpFailure) => {
    failure = found;
    // A server that forgot the session answers 404.
    if (session && found.status === 404) session.isOver = true;
    const scope = currentScope();
    if (scope && found.error) scope.fail(found.error);
  };
  const transport = await openTransport(kind, { request, parts, signal: ended.signal, onFailure, events });
  const client = new sdk.Client(
    { name: 'executor', version: parts.version },
    {
      capabilities: { elicitation: { form: {}, url: {} } },
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: kind === 'stdio' ? probeMs : connectMs } },
      inputRequired: { autoFulfill: false },
      // Results are data for the code. Validating them against the server's own schemas protects nobody.
      jsonSchemaValidator: {
        getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
      },
    },
  );
  const current = () => session;
  listen(client, current, events, sdk);
  client.onclose = () => {
    ended.abort();
    if (!session) return;
    session.isOver = true;
  };
  client.onerror = (error) => {
    if (/Maximum reconnection attempts/.test(error.message)) currentScope()?.fail(error);
  };
  try {
    const isLegacy = kind === 'sse' || request.known?.era === 'legacy';
    await client.connect(transport, {
      timeout: connectMs,
      signal: request.signal,
      ...(isLegacy && { prior: { kind: 'legacy' } }),
    });
  } catch (error) {
    ended.abort();
    await client.close().catch(() => {});
    await transport.close().catch(() => {});
    request.signal.throwIfAborted();
    throw new ConnectError(error, failure);
  }
  const era = client.getProtocolEra() ?? 'legacy';
  session = new Session({ client, transport, route: { transport: kind, era }, onIdle: events.onIdle });
  subscribe(session);
  return session;
}

async function openTransport(
  kind: Route['transport'],
  {
    request,
    parts,
    signal,
    onFailure,
    events,
  }: {
    request: SessionRequest;
    parts: ConnectionParts;
    signal: AbortSignal;
    onFailure(failure: HttpFailure): void;
    events: SessionEvents;
  },
): Promise<Transport> {
  const { settings, auth, sourceId } = request;
  if (kind === 'stdio') return parts.stdio.open(sourceId, settings, { onLog: events.onLog });
  const { SSEClientTransport, StreamableHTTPClientTransport } = await loadSdk();
  const url = new URL(settings.url ?? '');
  const fetch = createFetch({ http: parts.http, settings, auth, signal, onFailure });
  // Redirects are left to our own client, which knows what a write may follow.
  if (kind === 'sse') return new SSEClientTransport(url, { fetch, redirectPolicy: 'follow' });
  return new StreamableHTTPClientTransport(url, { fetch, redirectPolicy: 'follow' });
}

const listChanges = [
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
] as const;

/** Handles what the server sends by itself. */
function listen(
  client: Client,
  current: () => Session | undefined,
  events: SessionEvents,
  { ProtocolError, ProtocolErrorCode }: Awaited<ReturnType<typeof loadSdk>>,
): void {
  for (const method of listChanges) client.setNotificationHandler(method, () => events.onChange());
  client.setNotificationHandler('notifications/message', ({ params: { level, logger, data } }) => {
    const words = typeof data === 'string' ? data : JSON.stringify(data);
    const text = shortText(`${logger === undefined ? '' : `${logger}: `}${words}`, 1_000);
    const invocation = (current()?.scopeOfMessage() ?? currentScope())?.invocation;
    if (invocation) invocation.log({ level: levels[level] ?? 'info', text });
    else events.onLog(`${level}: ${text}`);
  });
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const invocation = current()?.scopeOfMessage()?.invocation;
    if (invocation) return elicit(params, invocation);
    throw new ProtocolError(
      ProtocolErrorCode.InvalidRequest,
      'Executor cannot tell which run this question belongs to. Ask during a call, on its own response stream.',
    );
  });
  client.fallbackRequestHandler = async ({ method }) => {
    throw new ProtocolError(ProtocolErrorCode.MethodNotFound, refusalOf(method));
  };
}

const levels: Record<string, 'debug' | 'info' | 'warn' | 'error'> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
};

export function refusalOf(method: string): string {
  if (method === 'sampling/createMessage')
    return 'Executor runs no model for a server, so it refuses sampling.';
  if (method === 'roots/list') return 'Executor shows a server no folders, so it refuses roots.';
  return `Executor does not support ${method.slice(0, 100)}.`;
}

/** Asks for notices of changes and for messages, in the background: a server need not answer. */
function subscribe(session: Session): void {
  const { client, route } = session;
  const { tools, prompts, resources, logging } = client.getServerCapabilities() ?? {};
  const ignore = () => {};
  if (route.era === 'legacy') {
    if (logging) client.setLoggingLevel('info').catch(ignore);
    return;
  }
  const filter = {
    ...(tools?.listChanged && { toolsListChanged: true }),
    ...(prompts?.listChanged && { promptsListChanged: true }),
    ...(resources?.listChanged && { resourcesListChanged: true }),
  };
  if (Object.keys(filter).length === 0) return;
  client.listen(filter).then((subscription) => {
    session.subscription = subscription;
    if (session.isOver) void subscription.close();
  }, ignore);
}
