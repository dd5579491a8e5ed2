import { ExecutorError, type Principal, type Route, routeRows, successStatus } from '@executor/protocol';
import type { Context, Handler as HonoHandler } from 'hono';
import type { StatusCode } from 'hono/utils/http-status';
import type { Handler } from './handlers.ts';
import { readInput } from './request-input.ts';

type Identify = (http: Context) => Promise<Principal | undefined>;

const maxHandlingMs = 30_000;

/** Serves one row of the table: who asks, whether they may, what they ask; then the handler. Nothing of the body is read before. */
export function serveRoute(route: Route, handler: Handler<Route>, identify: Identify): HonoHandler {
  return (http) =>
    withinTime(async () => {
      const principal = await authorize(route, http, identify);
      const input = await readInput(route, http);
      http.status(successStatus(route) as StatusCode);
      // A new key, or who someone is, is nothing for a cache.
      http.header('cache-control', 'no-store');
      const output = await handler(input as never, { principal: principal as never, http });
      return route.response === undefined ? http.body(null) : http.json(output);
    });
}

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
async function withinTime<Result>(work: () => Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new ExecutorError(
          'timeout',
          `The server did not finish this request within ${maxHandlingMs / 1000} seconds.`,
        ),
      );
    }, maxHandlingMs);
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
