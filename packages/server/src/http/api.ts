import { type Account, asNewcomer, chargeTo, type Resources } from '@executor/engine';
import {
  ExecutorError,
  type Principal,
  presenceHeader,
  type ResourceLimits,
  type Route,
  routeRows,
  successStatus,
  waitMsOf,
} from '@executor/protocol';
import type { Context, Handler as HonoHandler } from 'hono';
import type { StatusCode } from 'hono/utils/http-status';
import {
  type AdmittedRequest,
  accountOfCaller,
  type RequestAdmission,
} from './admission/request-admission.ts';
import { Turn } from './admission/turn.ts';
import type { ParseInThread } from './body/json-thread.ts';
import { readInput } from './body/request-input.ts';
import type { Handler } from './handler.ts';
import { respondBytes, respondJson } from './stream/bytes-response.ts';
import { disconnectSignal } from './stream/disconnect-signal.ts';
import type { EventStreams } from './stream/event-streams.ts';

type Identify = (http: Context) => Promise<Principal | undefined>;

/** What serving a route needs. */
export interface Service {
  identify: Identify;
  /** Who is charged for a request without a credential that has a body, if its body says so. */
  payerOf(input: Record<string, unknown>): Account | undefined;
  /** Whether the credential of an open request is still valid. */
  isStillAllowed(principal: Principal, http: Context): Promise<boolean>;
  /** Throws if the workspace asks for proof of a person and the proof is invalid. */
  requirePresence(principal: Principal, proof: string | undefined): Promise<void>;
  streams: EventStreams;
  admission: RequestAdmission;
  resources: Pick<Resources, 'held'>;
  /** Parses large bodies on another thread. */
  parseInThread: ParseInThread;
  /** Aborted when the server stops. */
  stopping: AbortSignal;
}

const maxHandlingMs = 30_000;

/** Serves one route: admit, authenticate, authorize, read and parse the input, then call the handler. */
export function serveRoute(route: Route, handler: Handler<Route>, service: Service): HonoHandler {
  return (http) => {
    const turn = new Turn(http.env?.outgoing);
    return turn.during(async () => {
      const caller = await withinTime(maxHandlingMs, () =>
        turn.during(() => admit(route, http, { service, turn })),
      );
      return chargeTo(caller.account, () => serve(route, handler, { http, service, caller }));
    });
  };
}

type Caller = AdmittedRequest<Principal | undefined>;

interface Serving {
  http: Context;
  service: Service;
  caller: Caller;
}

async function serve(route: Route, handler: Handler<Route>, serving: Serving): Promise<Response> {
  const { http, service, caller } = serving;
  const { turn } = caller;
  const request = await withinTime(maxHandlingMs, () =>
    turn.during(() => readRequest(route, http, { service, caller })),
  );
  if (route.access === 'public' && route.body) {
    // The body is there: a caller that sends it slowly has kept nobody from signing in.
    const account = service.payerOf(request.input) ?? caller.account;
    await service.admission.enter({ account, turn });
    return chargeTo(account, () => handleRequest(route, handler, { ...serving, ...request }));
  }
  return handleRequest(route, handler, { ...serving, ...request });
}

function handleRequest(
  route: Route,
  handler: Handler<Route>,
  handling: ParsedRequest & Serving,
): Promise<Response> {
  const { http, caller, input } = handling;
  http.status(successStatus(route) as StatusCode);
  // Responses may hold keys and identities, so they are never cached.
  http.header('cache-control', 'no-store');
  const handlingMs = route.maxHandlingMs ?? maxHandlingMs;
  return withinTime(handlingMs + waitMsOf(route, input), () =>
    caller.turn.during(() => respond(route, handler, handling)),
  );
}

interface ParsedRequest {
  input: Record<string, unknown>;
  proof: string | undefined;
}

async function readRequest(
  route: Route,
  http: Context,
  { service, caller }: Pick<Serving, 'service' | 'caller'>,
): Promise<ParsedRequest> {
  const { turn } = caller;
  const account = route.access === 'public' ? asNewcomer(caller.account) : caller.account;
  const payer = { account, turn, resource: service.resources.held.requestBytes };
  const input = await readInput(route, http, { payer, parseInThread: service.parseInThread });
  const proof = http.req.header(presenceHeader) ?? (input.presence as string | undefined);
  if (route.presence === 'route') await service.requirePresence(caller.principal as Principal, proof);
  return { input, proof };
}

async function respond(
  route: Route,
  handler: Handler<Route>,
  { http, service, caller, input, proof }: ParsedRequest & Serving,
): Promise<Response> {
  const { principal, account } = caller;
  const handle = async (signal: AbortSignal, beginAt: (eventId: string) => void, finalInput = input) =>
    handler(finalInput as never, { principal: principal as never, http, proof, signal, beginAt });
  if (route.events) {
    const isAllowed = () => service.isStillAllowed(principal as Principal, http);
    const open = handle as unknown as Parameters<EventStreams['serve']>[0]['open'];
    const response = await service.streams.serve({ http, account, isAllowed, open });
    caller.turn.end();
    return response;
  }
  const output = route.waits
    ? await waitInSlot({ route, input, service, caller }, (finalInput) => {
        const { signal } = disconnectSignal(http.env.outgoing, service.stopping);
        return handle(signal, () => {}, finalInput);
      })
    : await handle(neverAborted.signal, () => {});
  if (route.bytes) return respondBytes(http, output as never);
  return route.response === undefined ? http.body(null) : respondJson(http, output);
}

/** Waits in a slot for waits. If none is free, the request is answered without waiting, or rejected if the route says so. */
async function waitInSlot<Output>(
  waiting: { route: Route; input: Record<string, unknown>; service: Service; caller: Caller },
  handle: (input: Record<string, unknown>) => Promise<Output>,
): Promise<Output> {
  const { route, input, service, caller } = waiting;
  if (waitMsOf(route, input) === 0) return handle(input);
  const { waits } = service.resources.held;
  const slot = waits.tryTake(caller.account);
  if (slot === undefined && route.waits === 'orRefuses') throw tooManyWaits(waits.limits);
  if (slot === undefined) return handle({ ...input, waitMs: 0 });
  caller.turn.wait();
  try {
    return await handle(input);
  } finally {
    slot.release();
  }
}

function tooManyWaits({ perKey, agents }: ResourceLimits): ExecutorError {
  return new ExecutorError(
    'tooManyWaits',
    `Too many requests wait for runs. The limit is ${perKey} per credential and ${agents} for all agents together. The run continues. Try again later, or read it without waiting: GET /v1/executions/:id.`,
    { details: { perKey, agents, retryAfterSeconds: 1 } },
  );
}

const neverAborted = new AbortController();

/** Answers requests to unknown routes. Only authenticated callers learn which routes exist. */
export function rejectUnknownRoute({
  admission,
  identify,
}: Pick<Service, 'admission' | 'identify'>): HonoHandler {
  return (http) => {
    const turn = new Turn(http.env?.outgoing);
    return turn.during(async () => {
      const { principal } = await admission.admit(http, turn, () => identify(http));
      if (principal === undefined) throw unauthenticated();
      throw unknownRoute(http.req.method, http.req.path);
    });
  };
}

/** A request that needs no credential passes. If it has a body, it has to `enter` before anything is done with it. */
async function admit(
  route: Route,
  http: Context,
  { service: { admission, identify }, turn }: { service: Service; turn: Turn },
): Promise<Caller> {
  if (route.access === 'public') return { account: accountOfCaller(http), turn, principal: undefined };
  const caller = await admission.admit(http, turn, () => identify(http));
  if (caller.principal === undefined) throw unauthenticated();
  if (route.access === 'person' && caller.principal.kind !== 'person') {
    throw new ExecutorError(
      'forbidden',
      `Agents may not call ${route.method} ${route.path}. It needs a person: use the CLI on this machine, the web UI, or a person key.`,
    );
  }
  return caller;
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
