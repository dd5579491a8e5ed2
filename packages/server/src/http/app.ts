import type { Engine } from '@executor/engine';
import {
  ExecutorError,
  type Principal,
  type Route,
  routes,
  successStatus,
  toErrorBody,
  toExecutorError,
} from '@executor/protocol';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { ContentfulStatusCode, StatusCode } from 'hono/utils/http-status';
import type { Logger } from 'pino';
import { credentialOf } from '../auth/credential.ts';
import { sessionCookieName } from '../auth/session-cookie.ts';
import { createHandlers, type Handler } from './handlers.ts';
import { guardOrigin } from './host-guard.ts';
import { readInput } from './request-input.ts';
import { logRequests } from './request-log.ts';
import { serveWebFile, type WebFiles } from './web-files.ts';

export interface AppOptions {
  engine: Engine;
  version: string;
  logger: Logger;
  /** The names by which the server may be addressed. */
  names: ReadonlySet<string>;
  webFiles: WebFiles;
}

const maxBodyBytes = 1024 * 1024;
const maxHandlingMs = 30_000;

/** The server's one HTTP application: the table of routes under /v1, and the web pages for everything else. */
export function createApp({ engine, version, logger, names, webFiles }: AppOptions): Hono {
  const app = new Hono();
  const cookieName = sessionCookieName(engine.installation.id);
  const identify = (http: Context) =>
    engine.authenticate(credentialOf((name) => http.req.header(name), cookieName));

  app.use(logRequests(logger));
  app.use(async (http, next) => {
    // Set before there is an answer: to change one that is made, a whole Response must be built first.
    for (const [name, value] of securityHeaders) http.header(name, value);
    guardOrigin(requestOrigin(http), names);
    await next();
  });
  app.use('/v1/*', bodyLimit({ maxSize: maxBodyBytes, onError: refuseLargeBody }));

  const handlers = createHandlers(engine, version);
  for (const [group, members] of Object.entries(routes)) {
    for (const [member, route] of Object.entries(members) as [string, Route][]) {
      const handler = handlers[group as keyof typeof handlers][member as never] as Handler<Route>;
      app.on(route.method, route.path, async (http) => {
        const principal = await authorize(route, http, identify);
        const input = await readInput(route, http);
        http.status(successStatus(route) as StatusCode);
        const output = await withinTime(handler(input as never, { principal: principal as never, http }));
        return route.response === undefined ? http.body(null) : http.json(output);
      });
    }
  }

  app.all('/v1/*', async (http) => {
    if ((await identify(http)) === undefined) throw unauthenticated();
    throw unknownRoute(http.req.method, http.req.path);
  });
  app.get('*', (http) => serveWebFile(webFiles, http) ?? http.notFound());
  app.notFound((http) =>
    respondError(http, new ExecutorError('notFound', `There is nothing at ${http.req.path}.`)),
  );
  app.onError((thrown, http) => {
    const error = toExecutorError(thrown);
    if (error.code === 'internal') logger.error({ err: thrown, path: http.req.path }, 'request failed');
    return respondError(http, error);
  });
  return app;
}

const securityHeaders = Object.entries({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
});

function requestOrigin(http: Context): Parameters<typeof guardOrigin>[0] {
  const path = http.req.path;
  return {
    host: http.req.header('host'),
    origin: http.req.header('origin'),
    fetchSite: http.req.header('sec-fetch-site'),
    isNavigation:
      http.req.method === 'GET' &&
      http.req.header('sec-fetch-mode') === 'navigate' &&
      !path.startsWith('/v1/'),
    localAddress: http.env?.incoming?.socket?.localAddress,
  };
}

async function authorize(
  route: Route,
  http: Context,
  identify: (http: Context) => Promise<Principal | undefined>,
): Promise<Principal | undefined> {
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

/** A handler that takes too long is answered for; what it does still happens or not, as with any request that is cut off. */
async function withinTime<Result>(work: Result | Promise<Result>): Promise<Result> {
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
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function unauthenticated(): ExecutorError {
  return new ExecutorError(
    'unauthenticated',
    'This request needs a credential: "Authorization: Bearer KEY" or "x-api-key: KEY". `executor keys create NAME` makes a key.',
  );
}

function unknownRoute(method: string, path: string): ExecutorError {
  const methods = Object.values(routes)
    .flatMap((members): Route[] => Object.values(members))
    .filter((route) => new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`).test(path))
    .map((route) => route.method);
  if (methods.length === 0) {
    return new ExecutorError('notFound', `There is no route ${path}. GET /v1/openapi.json lists them all.`);
  }
  return new ExecutorError('methodNotAllowed', `${path} takes ${methods.join(' and ')}, not ${method}.`, {
    details: { allow: methods },
  });
}

function refuseLargeBody(): never {
  throw new ExecutorError('payloadTooLarge', `The body is larger than ${maxBodyBytes} bytes.`, {
    details: { maxBodyBytes },
  });
}

function respondError(http: Context, error: ExecutorError): Response {
  if (error.code === 'unauthenticated') http.header('www-authenticate', 'Bearer realm="executor"');
  if (error.code === 'methodNotAllowed') http.header('allow', [error.details?.allow].flat().join(', '));
  if (hasUnreadBody(http)) http.header('connection', 'close');
  return http.json(toErrorBody(error), ExecutorError.httpStatus(error.code) as ContentfulStatusCode);
}

/** The rest of a body that nobody will read stands in the way of the next request on that connection. */
function hasUnreadBody({ req }: Context): boolean {
  const sent = Number(req.header('content-length') ?? 0) > 0 || req.header('transfer-encoding') !== undefined;
  return sent && !req.raw.bodyUsed;
}
