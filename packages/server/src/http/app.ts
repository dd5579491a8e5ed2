import type { Engine } from '@executor/engine';
import {
  ExecutorError,
  nonceHeader,
  type Principal,
  proofHeader,
  routeRows,
  toExecutorError,
} from '@executor/protocol';
import { type Context, Hono } from 'hono';
import type { Logger } from 'pino';
import { credentialOf } from '../auth/credential.ts';
import { provenRequest } from '../auth/proven-request.ts';
import { sessionCookieName } from '../auth/session-cookie.ts';
import type { Connections } from '../connection/connections.ts';
import { type CreateMcpServer, serveMcp } from '../mcp/endpoint.ts';
import { identifyClients } from '../mcp/identify.ts';
import type { ProtectedResource } from '../oauth/protected-resource.ts';
import { serveMetadata } from '../oauth/serve-metadata.ts';
import { RequestAdmission } from './admission/request-admission.ts';
import { rejectUnknownRoute, type Service, serveRoute } from './api.ts';
import type { ParseInThread } from './body/json-thread.ts';
import { outwardError, respondError } from './error-response.ts';
import { handlerOf } from './handler.ts';
import { createHandlers } from './handlers.ts';
import { guardOrigin } from './host-guard.ts';
import { RequestLog } from './request-log.ts';
import { EventStreams } from './stream/event-streams.ts';
import { replaceServiceWorker, serveWebFile, type WebFiles } from './web-files.ts';

export interface AppOptions {
  engine: Engine;
  localToken: string;
  version: string;
  logger: Logger;
  /** The host names that the server accepts. */
  names: ReadonlySet<string>;
  /** `/mcp` as a resource of the configured authorization server, if any. */
  resource: ProtectedResource | undefined;
  /** Replaces the product's own MCP server. */
  createMcpServer?: CreateMcpServer | undefined;
  webFiles: WebFiles;
  connections?: Connections | undefined;
  /** Parses large bodies on another thread. */
  parseInThread: ParseInThread;
  /** Aborted when the server stops. Waits are then answered, and streams end. */
  stopping: AbortSignal;
}

/** The HTTP application: the route table under /v1, /mcp for agents, and the web pages for all other paths. */
export function createApp(options: AppOptions): Hono {
  const {
    engine,
    localToken,
    version,
    logger,
    names,
    resource,
    createMcpServer,
    webFiles,
    parseInThread,
    stopping,
    connections,
  } = options;
  const app = new Hono();
  const cookieName = sessionCookieName(engine.installation.id);
  const identify = (http: Context) =>
    engine.authenticate(credentialOf((name) => http.req.header(name), provenRequest(http), cookieName));

  const log = new RequestLog(logger, engine.resources.logRate);
  app.use(log.middleware);
  app.use(async (http, next) => {
    // Set before the response exists, because changing one later builds a new Response.
    for (const [name, value] of securityHeaders) http.header(name, value);
    guardOrigin(requestOrigin(http), names);
    if (http.req.header(proofHeader) !== undefined) http.header(nonceHeader, engine.requestProofs.nonce);
    const replacement = replaceServiceWorker(webFiles, http);
    if (replacement) return replacement;
    await next();
  });

  const admission = new RequestAdmission({ resources: engine.resources, connections, cookieName });
  const { owner } = engine.installation;
  admission.expectKey(localToken, { kind: 'person', key: owner.actorId, workspaceId: owner.workspaceId });
  const handlers = createHandlers(engine, version, admission);
  // A signed request cannot be authenticated twice, so its stream asks about the session.
  const isStillAllowed = async ({ sessionId }: Principal, http: Context) =>
    sessionId === undefined ? (await identify(http)) !== undefined : engine.sessions.isLive(sessionId);
  const service: Service = {
    identify,
    payerOf: ({ code }) => (typeof code === 'string' ? engine.sessions.accountOfLink(code) : undefined),
    isStillAllowed,
    requirePresence: (principal, proof) => engine.presence.require(principal, proof),
    streams: new EventStreams({ logger, stopping, slots: engine.resources.held.streams }),
    admission,
    resources: engine.resources,
    parseInThread,
    stopping,
  };
  engine.store.subscribe(({ type }) => type === 'sessions' && service.streams.checkAll());
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
      admission,
      parseInThread,
      stopping,
    }),
  );
  app.all('/v1/*', rejectUnknownRoute(service));
  serveMetadata(app, resource);
  // Programs look for documents here and must not get a page.
  app.all('/.well-known/*', (http) => http.notFound());
  app.get('*', (http) => serveWebFile(webFiles, http) ?? http.notFound());
  app.notFound((http) =>
    respondError(http, new ExecutorError('notFound', `There is nothing at ${http.req.path}.`)),
  );
  app.onError((thrown, http) => {
    const error = toExecutorError(thrown);
    if (error.code === 'internal') log.failed(http, thrown);
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
