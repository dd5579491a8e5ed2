import {
  ErrorBody,
  ExecutorError,
  fromErrorBody,
  maxNonces,
  pathParams,
  presenceHeader,
  type Route,
  waitMsOf,
} from '@executor/protocol';
import { pause } from './pause.ts';
import type { RequestSigner } from './request-signer.ts';

export interface ClientOptions {
  /** The URL of the server, such as `http://127.0.0.1:8788`. In Node, a client without options uses EXECUTOR_URL and EXECUTOR_TOKEN. */
  url: string;
  /** The local token or an API key. */
  token?: string | undefined;
  /** In a page: signs the requests of its session, beside the cookie. */
  signer?: RequestSigner | undefined;
  /** Timeout of a response, in addition to the time that the server is asked to wait. Default: none. */
  timeoutMs?: number | undefined;
  fetch?: Fetch;
}

/** The part of `fetch` that the client uses, so that a program can pass another HTTP client. */
type Fetch = (url: URL, request: FetchRequest) => Promise<FetchResponse>;

export interface FetchRequest {
  method: string;
  headers: Record<string, string>;
  redirect: 'error';
  signal: AbortSignal;
  body?: string;
}

export type FetchResponse = Pick<
  Response,
  'ok' | 'status' | 'statusText' | 'url' | 'body' | 'text' | 'json' | 'arrayBuffer'
> & { headers: Pick<Headers, 'get'> };

/** The options of one call. */
export interface CallOptions {
  /** Stops waiting for the response. The server may still complete the request. A stream ends. */
  signal?: AbortSignal | undefined;
  /** Overrides the timeout of the client. For a stream: how long to try to reconnect. */
  timeoutMs?: number | undefined;
  /** Proof of presence (the PIN), if presence is on. */
  presence?: string | undefined;
}

export interface Request {
  route: Route;
  input: Record<string, unknown>;
  accept: string;
  options: CallOptions;
  headers?: Record<string, string>;
}

/** How often a request is sent again that a busy server has refused, and how long each pause may be. */
const maxRepeats = 3;
const maxPauseSeconds = 5;

/**
 * Sends a request and reads its response with `read`, both within the timeout. Throws `ExecutorError`. A server that is too busy for the
 * request has done nothing with it and says when to try again, so the request is repeated a few times.
 */
export async function send<Result>(
  client: ClientOptions,
  request: Request,
  read: (response: FetchResponse) => Promise<Result>,
): Promise<Result> {
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await sendOnce(client, request, read);
    } catch (error) {
      const seconds = repeats < maxRepeats ? busySeconds(error) : undefined;
      if (seconds === undefined || seconds > maxPauseSeconds) throw error;
      await pause(seconds * 1_000, request.options.signal);
      if (request.options.signal?.aborted) throw error;
    }
  }
}

function busySeconds(error: unknown): number | undefined {
  if (!(error instanceof ExecutorError) || error.code !== 'tooManyRequests') return undefined;
  const seconds = error.details?.retryAfterSeconds;
  return typeof seconds === 'number' && seconds >= 0 ? seconds : undefined;
}

async function sendOnce<Result>(
  client: ClientOptions,
  request: Request,
  read: (response: FetchResponse) => Promise<Result>,
): Promise<Result> {
  const timeout = startTimeout(client, request);
  try {
    return await read(await fetchSigned(client, request, timeout.signal));
  } catch (cause) {
    if (cause instanceof ExecutorError) throw cause;
    if (request.options.signal?.aborted) throw request.options.signal.reason;
    if (timeout.signal.aborted)
      throw new ExecutorError('timeout', `${client.url} did not answer in time.`, { cause });
    throw new ExecutorError('noServer', `Nothing answers at ${client.url}.`, {
      details: { url: client.url },
      cause,
    });
  } finally {
    timeout.stop();
  }
}

/** Signs the request if the client has a key, and again if the server names a nonce that was not known: it did nothing until then. */
async function fetchSigned(
  client: ClientOptions,
  request: Request,
  signal: AbortSignal,
): Promise<FetchResponse> {
  const { method } = request.route;
  const url = urlOf(client, request);
  const body = request.route.body && JSON.stringify(distribute(request).body);
  for (let attempt = 1; ; attempt += 1) {
    const signed = await client.signer?.sign({ method, target: url.pathname + url.search, body });
    const response = await (client.fetch ?? fetch)(url, {
      method,
      headers: { ...headersOf(client, request), ...signed?.headers },
      redirect: 'error',
      signal,
      ...(body !== undefined && { body }),
    });
    const hasNewNonce = signed?.learnFrom(response) ?? false;
    if (response.status !== 401 || !hasNewNonce || attempt > maxNonces) return response;
    await response.body?.cancel();
  }
}

/** The error of a failed response. */
export async function failure(response: FetchResponse): Promise<ExecutorError> {
  const parsed = ErrorBody.safeParse(await response.json().catch(() => undefined));
  if (parsed.success) return fromErrorBody(parsed.data);
  return new ExecutorError(
    'noServer',
    `${response.url} answered ${response.status} ${response.statusText}, which is not a response of Executor.`,
    { details: { status: response.status } },
  );
}

export function unknownFormat({ url }: ClientOptions, route: Route, cause?: unknown): ExecutorError {
  return new ExecutorError(
    'internal',
    `${url} answered ${route.method} ${route.path} in an unknown format. Client and server may have different versions.`,
    { cause },
  );
}

interface Timeout {
  signal: AbortSignal;
  stop(): void;
}

/** Aborts at the timeout or when the caller aborts. The time that the server is asked to wait is added to the timeout. */
function startTimeout(client: ClientOptions, { route, input, options }: Request): Timeout {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timeoutMs = options.timeoutMs ?? client.timeoutMs;
  const timer = timeoutMs === undefined ? undefined : setTimeout(abort, timeoutMs + waitMsOf(route, input));
  options.signal?.addEventListener('abort', abort);
  if (options.signal?.aborted) abort();
  return {
    signal: controller.signal,
    stop() {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', abort);
    },
  };
}

function urlOf(client: ClientOptions, request: Request): URL {
  const { path, query } = distribute(request);
  const url = new URL(`${client.url.replace(/\/$/, '')}${path}`);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}

function headersOf(
  client: ClientOptions,
  { route, accept, options, headers }: Request,
): Record<string, string> {
  return {
    accept,
    ...headers,
    ...(client.token !== undefined && { authorization: `Bearer ${client.token}` }),
    ...(options.presence !== undefined && { [presenceHeader]: options.presence }),
    ...(route.body && { 'content-type': 'application/json' }),
  };
}

/** Divides a flat input into path parameters, query and body of the route. */
function distribute({ route, input }: Request) {
  const inPath = new Set(pathParams(route.path));
  const inQuery = new Set(Object.keys(route.query?.shape ?? {}));
  const pick = (belongs: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(input).filter(([name]) => belongs(name)));
  return {
    path: route.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(input[name]))),
    query: pick((name) => inQuery.has(name)),
    body: pick((name) => !inPath.has(name) && !inQuery.has(name)),
  };
}
