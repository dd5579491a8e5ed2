import type { Engine } from '@executor/engine';
import { ExecutorError, routeRows, toExecutorError } from '@executor/protocol';
import { type Context, Hono } from 'hono';
import type { Logger } from 'pino';
import { credentialOf } from '../auth/credential.ts';
import { sessionCookieName } from '../auth/session-cookie.ts';
import { type McpServerOf, serveMcp } from '../mcp/endpoint.ts';
import { identifyClients } from '../mcp/identify.ts';
import type { ProtectedResource } from '../oauth/protected-resource.ts';
import { serveMetadata } from '../oauth/serve-metadata.ts';
import { refuseUnknownRoute, type Service, serveRoute } from './api.ts';
import { outwardError, respondError } from './error-response.ts';
import { EventStreams } from './event-streams.ts';
import { handlerOf } from './handler.ts';
import { createHandlers } from './handlers.ts';
import { guardOrigin } from './host-guard.ts';
import type { ParseApart } from './parse-apart.ts';
import { Places } from './places.ts';
import { logRequests, requestIdOf } from './request-log.ts';
import { serveWebFile, type WebFiles } from './web-files.ts';

export interface AppOptions {
  engine: Engine;
  version: string;
  logger: Logger;
  /** The names by which the server may be addressed. */
  names: ReadonlySet<string>;
  /** What `/mcp` is to an authorization server, where there is one. */
  resource: ProtectedResource | undefined;
  /** What answers MCP clients, instead of the product's own. */
  createMcpServer?: McpServerOf | undefined;
  webFiles: WebFiles;
  /** Parses what is too large to be parsed here. */
  parseApart: ParseApart;
  /** Aborted when the server stops: waits are answered then, and streams end. */
  stopping: AbortSignal;
}

/** The server's one HTTP application: the table of routes under /v1, /mcp for agents, and the web pages for everything else. */
export function createApp(options: AppOptions): Hono {
  const { engine, version, logger, names, resource, createMcpServer, webFiles, parseApart, stopping } =
    options;
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

  const handlers = createHandlers(engine, version);
  const service: Service = {
    identify,
    requirePresence: (principal, proof) => engine.presence.require(principal, proof),
    streams: new EventStreams({ logger, stopping }),
    waits: new Places(),
    parseApart,
    stopping,
  };
  for (const { name, route } of routeRows()) {
    app.on(route.method, route.path, serveRoute(route, handlerOf(handlers, name), service));
  }
  app.all(
    '/mcp',
    serveMcp({
      engine,
      version,
      logger,
      identify: identifyClients(engine, resource),
      createServer: createMcpServer,
      waits: service.waits,
      parseApart,
      stopping,
    }),
  );
  app.all('/v1/*', refuseUnknownRoute(identify));
  serveMetadata(app, resource);
  // Programs look here for documents: a page would only confuse them.
  app.all('/.well-known/*', (http) => http.notFound());
  app.get('*', (http) => serveWebFile(webFiles, http) ?? http.notFound());
  app.notFound((http) =>
    respondError(http, new ExecutorError('notFound', `There is nothing at ${http.req.path}.`)),
  );
  app.onError((thrown, http) => {
    const error = toExecutorError(thrown);
    const requestId = requestIdOf(http);
    if (error.code === 'internal') logger.error({ requestId, err: thrown }, 'request failed');
    return respondError(http, outwardError(error));
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
  const { method, path, url } = http.req;
  return {
    host: http.req.header('host'),
    target: new URL(url).host,
    origin: http.req.header('origin'),
    fetchSite: http.req.header('sec-fetch-site'),
    isNavigation: method === 'GET' && http.req.header('sec-fetch-mode') === 'navigate' && isPage(path),
    localAddress: http.env?.incoming?.socket?.localAddress,
  };
}

function isPage(path: string): boolean {
  return !path.startsWith('/v1/') && path !== '/mcp';
}
