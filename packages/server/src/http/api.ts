import {
  ExecutorError,
  type Principal,
  presenceHeader,
  type Route,
  routeRows,
  successStatus,
  waitMsOf,
} from '@executor/protocol';
import type { Context, Handler as HonoHandler } from 'hono';
import type { StatusCode } from 'hono/utils/http-status';
import { respondBytes } from './bytes-response.ts';
import type { EventStreams } from './event-streams.ts';
import type { Handler } from './handler.ts';
import { leaveSignal } from './leave-signal.ts';
import type { ParseApart } from './parse-apart.ts';
import type { Places } from './places.ts';
import { readInput } from './request-input.ts';

type Identify = (http: Context) => Promise<Principal | undefined>;

/** What every row is served with. */
export interface Service {
  identify: Identify;
  /** Refuses where proof of a person is asked for and this is none. */
  requirePresence(principal: Principal, proof: string | undefined): Promise<void>;
  streams: EventStreams;
  /** Those who wait for a run, each of whom holds a connection. */
  waits: Places;
  /** Parses what is too large to be parsed here. */
  parseApart: ParseApart;
  /** Aborted when the server stops. */
  stopping: AbortSignal;
}

const maxHandlingMs = 30_000;

/** Serves one row of the table: who asks, whether they may, what they ask; then the handler. Nothing of the body is read before. */
export function serveRoute(route: Route, handler: Handler<Route>, service: Service): HonoHandler {
  return async (http) => {
    const request = await withinTime(maxHandlingMs, () => admit(route, http, service));
    http.status(successStatus(route) as StatusCode);
    // A new key, or who someone is, is nothing for a cache.
    http.header('cache-control', 'no-store');
    const handlingMs = route.maxHandlingMs ?? maxHandlingMs;
    return withinTime(handlingMs + waitMsOf(route, request.input), () =>
      respond(route, handler, { http, service, ...request }),
    );
  };
}

interface Admitted {
  principal: Principal | undefined;
  input: Record<string, unknown>;
  proof: string | undefined;
}

async function admit(route: Route, http: Context, service: Service): Promise<Admitted> {
  const principal = await authorize(route, http, service.identify);
  const input = await readInput(route, http, service.parseApart);
  const proof = http.req.header(presenceHeader) ?? (input.presence as string | undefined);
  if (route.presence === 'route') await service.requirePresence(principal as Principal, proof);
  return { principal, input, proof };
}

async function respond(
  route: Route,
  handler: Handler<Route>,
  { http, service, principal, input, proof }: Admitted & { http: Context; service: Service },
): Promise<Response> {
  const handle = async (signal: AbortSignal, beginAt: (eventId: string) => void, given = input) =>
    handler(given as never, { principal: principal as never, http, proof, signal, beginAt });
  if (route.events) {
    const isAllowed = async () => (await service.identify(http)) !== undefined;
    const open = handle as unknown as Parameters<EventStreams['serve']>[0]['open'];
    return service.streams.serve({ http, principal: principal as Principal, isAllowed, open });
  }
  const output = route.waits
    ? await waitInPlace({ route, principal: principal as Principal, input, service }, (given) => {
        const { signal } = leaveSignal(http.env.outgoing, service.stopping);
        return handle(signal, () => {}, given);
      })
    : await handle(neverLeft.signal, () => {});
  if (route.bytes) return respondBytes(http, output as never);
  return route.response === undefined ? http.body(null) : http.json(output);
}

/** Waits where there is a place for it. Without one, what can be answered at once is: nobody may keep others out by waiting. */
async function waitInPlace<Output>(
  waiting: { route: Route; principal: Principal; input: Record<string, unknown>; service: Service },
  handle: (input: Record<string, unknown>) => Promise<Output>,
): Promise<Output> {
  const { route, principal, input, service } = waiting;
  if (waitMsOf(route, input) === 0) return handle(input);
  const free = service.waits.take(principal);
  if (free === undefined && route.waits === 'orRefuses') throw tooManyWaits(service.waits);
  if (free === undefined) return handle({ ...input, waitMs: 0 });
  try {
    return await handle(input);
  } finally {
    free();
  }
}

function tooManyWaits({ limits }: Places): ExecutorError {
  return new ExecutorError(
    'tooManyWaits',
    `Too many requests wait for runs: of one credential ${limits.perPrincipal} may, and of all agents together ${limits.agents}. The run goes on; ask again later, or without waiting: GET /v1/executions/:id.`,
    { details: { ...limits } },
  );
}

const neverLeft = new AbortController();

/** For whoever may know, what is wrong with a request to a route that does not exist. */
export function refuseUnknownRoute(identify: Identify): HonoHandler {
  return async (http) => {
    if ((await identify(http)) === undefined) throw unauthenticated();
    throw unknownRoute(http.req.method, http.req.path);
  };
}

async function authorize(route: Route, http: Context, identify: Identify): Promise<Principal | undefined> {
  if (route.access === 'public') return undefined;
  const principal = await identify(http);
  if (principal === undefined) throw unauthenticated();
  if (route.access === 'person' && principal.kind !== 'person') {
    throw new ExecutorError(
      'forbidden',
      `An agent may not use ${route.method} ${route.path}: it takes a person (the CLI on this machine, the web UI, or a person key).`,
    );
  }
  return principal;
}

/** What takes too long is answered for; whether it still happens is open, as with any request that is cut off. */
async function withinTime<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new ExecutorError('timeout', `The server did not finish this request within ${ms / 1000} seconds.`),
      );
    }, ms);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

function unauthenticated(): ExecutorError {
  return new ExecutorError(
    'unauthenticated',
    'This request needs a credential that is valid here: "Authorization: Bearer KEY" or "x-api-key: KEY". `executor keys create NAME` makes a key.',
  );
}

function unknownRoute(method: string, path: string): ExecutorError {
  const methods = routeRows()
    .filter(({ route }) => new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`).test(path))
    .map(({ route }) => route.method);
  if (methods.length === 0) {
    return new ExecutorError('notFound', `There is no route ${path}. GET /v1/openapi.json lists them all.`);
  }
  return new ExecutorError('methodNotAllowed', `${path} takes ${methods.join(' and ')}, not ${method}.`, {
    details: { allow: methods },
  });
}
