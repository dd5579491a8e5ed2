import {
  type Execution,
  type Route,
  type RouteInput,
  type RouteOutput,
  type Routes,
  routes,
  waitMsOf,
} from '@executor/protocol';
import { followEvents } from './follow-events.ts';
import { readBytes } from './read-bytes.ts';
import {
  type CallOptions,
  type ClientOptions,
  type FetchResponse,
  failure,
  send,
  unknownFormat,
} from './send.ts';
import { waitInSlices } from './wait-in-slices.ts';

/** A stream is returned at once and connects when it is read. */
type Answer<R extends Route> =
  RouteOutput<R> extends AsyncIterable<unknown> ? RouteOutput<R> : Promise<RouteOutput<R>>;

type Method<R extends Route> =
  Record<never, never> extends RouteInput<R>
    ? (input?: RouteInput<R>, options?: CallOptions) => Answer<R>
    : (input: RouteInput<R>, options?: CallOptions) => Answer<R>;

/** One method for each row of the route table: `client.apiKeys.create({ name: 'laptop' })`. */
export type Client = {
  [Group in keyof Routes]: { [Member in keyof Routes[Group]]: Method<Routes[Group][Member] & Route> };
};

type Input = Record<string, unknown>;

/** The typed SDK, for Node and browsers. It throws `ExecutorError`, with the code `noServer` if no server answers. */
export function createClient(client: ClientOptions = fromEnvironment()): Client {
  return Object.fromEntries(
    Object.entries(routes).map(([group, members]) => [
      group,
      Object.fromEntries(Object.entries(members).map(([member, route]) => [member, method(client, route)])),
    ]),
  ) as unknown as Client;
}

function fromEnvironment(): ClientOptions {
  const { EXECUTOR_URL, EXECUTOR_TOKEN } = globalThis.process?.env ?? {};
  return { url: EXECUTOR_URL || 'http://127.0.0.1:8788', token: EXECUTOR_TOKEN || undefined };
}

function method(client: ClientOptions, route: Route) {
  return (input: Input = {}, options: CallOptions = {}): unknown => {
    if (route.events) return followEvents(client, { route, input, options });
    if (route.bytes) return readBytes(client, { route, input, options });
    if (route.waits) return waitFor(client, route, input, options);
    return request(client, route, input, options);
  };
}

function waitFor(
  client: ClientOptions,
  route: Route,
  input: Input,
  options: CallOptions,
): Promise<Execution> {
  const read = (from: Route, fields: Input) => request(client, from, fields, options) as Promise<Execution>;
  return waitInSlices(waitMsOf(route, input), {
    start: (waitMs) => read(route, { ...input, waitMs }),
    waitAgain: (id, waitMs) => read(routes.executions.wait, { id, waitMs }),
  });
}

async function request(
  client: ClientOptions,
  route: Route,
  input: Input,
  options: CallOptions,
): Promise<unknown> {
  const text = await send(client, { route, input, options, accept: 'application/json' }, async (response) => {
    if (!response.ok && !isResult(route, response)) throw await failure(response);
    return response.text();
  });
  if (route.response === undefined) return undefined;
  const parsed = route.response.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw unknownFormat(client, route, parsed.error);
}

/** The health of a degraded server is a result, not an error. */
function isResult(route: Route, response: FetchResponse): boolean {
  return route === routes.health.get && response.status === 503;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
