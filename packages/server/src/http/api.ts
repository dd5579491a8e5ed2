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
import type { ParseInThread } from './body/json-thread.ts';
import { readInput } from './body/request-input.ts';
import type { Handler } from './handler.ts';
import { respondBytes } from './stream/bytes-response.ts';
import type { ConnectionSlots } from './stream/connection-slots.ts';
import { disconnectSignal } from './stream/disconnect-signal.ts';
import type { EventStreams } from './stream/event-streams.ts';

type Identify = (http: Context) => Promise<Principal | undefined>;

/** What serving a route needs. */
export interface Service {
  identify: Identify;
  /** Throws if the workspace asks for proof of a person and the proof is invalid. */
  requirePresence(principal: Principal, proof: string | undefined): Promise<void>;
  streams: EventStreams;
  /** Slots for requests that wait for a run, since each holds a connection. */
  waitSlots: ConnectionSlots;
  /** Parses large bodies on another thread. */
  parseInThread: ParseInThread;
  /** Aborted when the server stops. */
  stopping: AbortSignal;
}

const maxHandlingMs = 30_000;

/** Serves one route: authenticate, authorize, read and parse the input, then call the handler. */
export function serveRoute(route: Route, handler: Handler<Route>, service: Service): HonoHandler {
  return async (http) => {
    const request = await withinTime(maxHandlingMs, () => admit(route, http, service));
    http.status(successStatus(route) as StatusCode);
    // Responses may hold keys and identities, so they are never cached.
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
  const input = await readInput(route, http, service.parseInThread);
  const proof = http.req.header(presenceHeader) ?? (input.presence as string | undefined);
  if (route.presence === 'route') await service.requirePresence(principal as Principal, proof);
  return { principal, input, proof };
}

async function respond(
  route: Route,
  handler: Handler<Route>,
  { http, service, principal, input, proof }: Admitted & { http: Context; service: Service },
): Promise<Response> {
  const handle = async (signal: AbortSignal, beginAt: (eventId: string) => void, finalInput = input) =>
    handler(finalInput as never, { principal: principal as never, http, proof, signal, beginAt });
  if (route.events) {
    const isAllowed = async () => (await service.identify(http)) !== undefined;
    const open = handle as unknown as Parameters<EventStreams['serve']>[0]['open'];
    return service.streams.serve({ http, principal: principal as Principal, isAllowed, open });
  }
  const output = route.waits
    ? await waitInSlot({ route, principal: principal as Principal, input, service }, (finalInput) => {
        const { signal } = disconnectSignal(http.env.outgoing, service.stopping);
        return handle(signal, () => {}, finalInput);
      })
    : await handle(neverAborted.signal, () => {});
  if (route.bytes) return respondBytes(http, output as never);
  return route.response === undefined ? http.body(null) : http.json(output);
}

/** Waits in a connection slot. If none is free, the request is answered without waiting, or rejected if the route says so. */
async function waitInSlot<Output>(
  waiting: { route: Route; principal: Principal; input: Record<string, unknown>; service: Service },
  handle: (input: Record<string, unknown>) => Promise<Output>,
): Promise<Output> {
  const { route, principal, input, service } = waiting;
  if (waitMsOf(route, input) === 0) return handle(input);
  const free = service.waitSlots.take(principal);
  if (free === undefined && route.waits === 'orRefuses') throw tooManyWaits(service.waitSlots);
  if (free === undefined) return handle({ ...input, waitMs: 0 });
  try {
    return await handle(input);
  } finally {
    free();
  }
}

function tooManyWaits({ limits }: ConnectionSlots): ExecutorError {
  return new ExecutorError(
    'tooManyWaits',
    `Too many requests wait for runs. The limit is ${limits.perPrincipal} per credential and ${limits.agents} for all agents together. The run continues. Try again later, or read it without waiting: GET /v1/executions/:id.`,
    { details: { ...limits } },
  );
}

const neverAborted = new AbortController();

/** Answers requests to unknown routes. Only authenticated callers learn which routes exist. */
export function rejectUnknownRoute(identify: Identify): HonoHandler {
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
      `Agents may not call ${route.method} ${route.path}. It needs a person: use the CLI on this machine, the web UI, or a person key.`,
    );
  }
  return principal;
}

/** Answers with a timeout error if the work takes too long. The work may still complete, as with any request that is cut off. */
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
    'This request needs a valid key: "Authorization: Bearer KEY" or "x-api-key: KEY". Create one with `executor keys create NAME`.',
  );
}

function unknownRoute(method: string, path: string): ExecutorError {
  const methods = routeRows()
    .filter(({ route }) => new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`).test(path))
    .map(({ route }) => route.method);
  if (methods.length === 0) {
    return new ExecutorError('notFound', `There is no route ${path}. GET /v1/openapi.json lists all routes.`);
  }
  return new ExecutorError('methodNotAllowed', `${path} supports ${methods.join(' and ')}, not ${method}.`, {
    details: { allow: methods },
  });
}
