import {
  ErrorBody,
  ExecutorError,
  fromErrorBody,
  pathParams,
  presenceHeader,
  type Route,
  sessionHeader,
  waitMsOf,
} from '@executor/protocol';

export interface ClientOptions {
  /** Where the server is: `http://127.0.0.1:8788`. In Node, without options at all: EXECUTOR_URL and EXECUTOR_TOKEN. */
  url: string;
  /** The local token or an API key. */
  token?: string | undefined;
  /** In a page: the token of its session, sent beside the cookie. */
  sessionToken?: string | undefined;
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
  /** Gives up waiting; what was asked for may still happen. A stream ends. */
  signal?: AbortSignal | undefined;
  /** Instead of the client's own. Of a stream: how long to try to get it back after it was cut off. */
  timeoutMs?: number | undefined;
  /** Proof of a person (the PIN), where presence is on. */
  presence?: string | undefined;
}

export interface Request {
  route: Route;
  input: Record<string, unknown>;
  accept: string;
  options: CallOptions;
  headers?: Record<string, string>;
}

/** Sends a request and reads its answer with `read`, all of it within the time that there is. Failures are thrown as ExecutorErrors. */
export async function send<Result>(
  client: ClientOptions,
  request: Request,
  read: (response: FetchResponse) => Promise<Result>,
): Promise<Result> {
  const clock = startClock(client, request);
  try {
    const response = await (client.fetch ?? fetch)(urlOf(client, request), {
      method: request.route.method,
      headers: headersOf(client, request),
      redirect: 'error',
      signal: clock.signal,
      ...(request.route.body && { body: JSON.stringify(distribute(request).body) }),
    });
    return await read(response);
  } catch (cause) {
    if (cause instanceof ExecutorError) throw cause;
    if (request.options.signal?.aborted) throw request.options.signal.reason;
    if (clock.signal.aborted)
      throw new ExecutorError('timeout', `${client.url} did not answer in time.`, { cause });
    throw new ExecutorError('noServer', `Nothing answers at ${client.url}.`, {
      details: { url: client.url },
      cause,
    });
  } finally {
    clock.stop();
  }
}

/** What a refused request was refused for. */
export async function failure(response: FetchResponse): Promise<ExecutorError> {
  const parsed = ErrorBody.safeParse(await response.json().catch(() => undefined));
  if (parsed.success) return fromErrorBody(parsed.data);
  return new ExecutorError(
    'noServer',
    `${response.url} answered ${response.status} ${response.statusText}, and not as Executor does.`,
    { details: { status: response.status } },
  );
}

export function unknownForm({ url }: ClientOptions, route: Route, cause?: unknown): ExecutorError {
  return new ExecutorError(
    'internal',
    `${url} answered ${route.method} ${route.path} in a form that this client does not know. Are both of one version?`,
    { cause },
  );
}

interface Clock {
  signal: AbortSignal;
  stop(): void;
}

/** Aborts when the time is up or the caller says so; time that the server is asked to wait does not count. */
function startClock(client: ClientOptions, { route, input, options }: Request): Clock {
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
    ...(client.sessionToken !== undefined && { [sessionHeader]: client.sessionToken }),
    ...(options.presence !== undefined && { [presenceHeader]: options.presence }),
    ...(route.body && { 'content-type': 'application/json' }),
  };
}

/** Sorts a flat input into where the route wants each part. */
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
