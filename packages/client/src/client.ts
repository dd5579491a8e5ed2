import {
  ErrorBody,
  ExecutorError,
  fromErrorBody,
  pathParams,
  type Route,
  type RouteInput,
  type RouteOutput,
  type Routes,
  routes,
  sessionHeader,
} from '@executor/protocol';

export interface ClientOptions {
  /** Where the server is: `http://127.0.0.1:8788`. In Node, without options at all: EXECUTOR_URL and EXECUTOR_TOKEN. */
  url: string;
  /** The local token or an API key. */
  token?: string | undefined;
  /** In a page: the token of its session, sent beside the cookie. */
  sessionToken?: string | undefined;
  /** How long to wait for an answer; for ever, unless told. */
  timeoutMs?: number | undefined;
  fetch?: typeof fetch;
}

type Method<R extends Route> =
  Record<never, never> extends RouteInput<R>
    ? (input?: RouteInput<R>) => Promise<RouteOutput<R>>
    : (input: RouteInput<R>) => Promise<RouteOutput<R>>;

/** A method for each row of the table of routes: `client.apiKeys.create({ name: 'laptop' })`. */
export type Client = {
  [Group in keyof Routes]: { [Member in keyof Routes[Group]]: Method<Routes[Group][Member] & Route> };
};

/** The typed SDK, for Node and browsers. Failures are thrown as `ExecutorError`; `noServer` where nobody answered. */
export function createClient(options: ClientOptions = fromEnvironment()): Client {
  const method = (route: Route) => (input: Record<string, unknown> | undefined) =>
    request(options, route, input ?? {});
  return Object.fromEntries(
    Object.entries(routes).map(([group, members]) => [
      group,
      Object.fromEntries(Object.entries(members).map(([member, route]) => [member, method(route)])),
    ]),
  ) as unknown as Client;
}

function fromEnvironment(): ClientOptions {
  const { EXECUTOR_URL, EXECUTOR_TOKEN } = globalThis.process?.env ?? {};
  return { url: EXECUTOR_URL || 'http://127.0.0.1:8788', token: EXECUTOR_TOKEN || undefined };
}

async function request(
  options: ClientOptions,
  route: Route,
  input: Record<string, unknown>,
): Promise<unknown> {
  const response = await send(options, route, input);
  if (!response.ok && !isAnswer(route, response)) throw await failure(response);
  if (route.response === undefined) return undefined;
  const parsed = route.response.safeParse(await response.json().catch(() => undefined));
  if (parsed.success) return parsed.data;
  throw new ExecutorError(
    'internal',
    `${options.url} answered ${route.method} ${route.path} in a form that this client does not know. Are both of one version?`,
    {
      cause: parsed.error,
    },
  );
}

async function send(options: ClientOptions, route: Route, input: Record<string, unknown>): Promise<Response> {
  const { path, query, body } = distribute(route, input);
  const url = new URL(`${options.url.replace(/\/$/, '')}${path}`);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value));
  const headers = new Headers({ accept: 'application/json' });
  if (options.token !== undefined) headers.set('authorization', `Bearer ${options.token}`);
  if (options.sessionToken !== undefined) headers.set(sessionHeader, options.sessionToken);
  if (route.body) headers.set('content-type', 'application/json');
  const signal = options.timeoutMs === undefined ? undefined : AbortSignal.timeout(options.timeoutMs);
  try {
    return await (options.fetch ?? fetch)(url, {
      method: route.method,
      headers,
      redirect: 'error',
      ...(route.body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (cause) {
    if (signal?.aborted)
      throw new ExecutorError('timeout', `${options.url} did not answer in time.`, { cause });
    throw new ExecutorError('noServer', `Nothing answers at ${options.url}.`, {
      details: { url: options.url },
      cause,
    });
  }
}

/** Sorts a flat input into where the route wants each part. */
function distribute(route: Route, input: Record<string, unknown>) {
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

/** A sick server's health is an answer, not a failure. */
function isAnswer(route: Route, response: Response): boolean {
  return route === routes.health.get && response.status === 503;
}

async function failure(response: Response): Promise<ExecutorError> {
  const parsed = ErrorBody.safeParse(await response.json().catch(() => undefined));
  if (parsed.success) return fromErrorBody(parsed.data);
  return new ExecutorError(
    'noServer',
    `${response.url} answered ${response.status} ${response.statusText}, and not as Executor does.`,
    {
      details: { status: response.status },
    },
  );
}
