import { type Engine, listAudit } from '@executor/engine';
import {
  openApiDocument,
  type ParsedInput,
  type Principal,
  type Route,
  type RouteOutput,
  type Routes,
} from '@executor/protocol';
import type { Context } from 'hono';
import { expiredSessionCookie, sessionCookie, sessionCookieName } from '../auth/session-cookie.ts';

/** What a handler knows besides its input. A public route has no principal. */
interface Call<R extends Route> {
  principal: R['access'] extends 'public' ? undefined : Principal;
  http: Context;
}

export type Handler<R extends Route> = (
  input: ParsedInput<R>,
  call: Call<R>,
) => RouteOutput<R> | Promise<RouteOutput<R>>;

export type Handlers = {
  [Group in keyof Routes]: { [Member in keyof Routes[Group]]: Handler<Routes[Group][Member] & Route> };
};

export function handlerOf(handlers: Handlers, name: string): Handler<Route> {
  const [group, member] = name.split('.') as [keyof Handlers, never];
  return handlers[group][member];
}

/** One handler per row of the table of routes; a row without one does not compile. */
export function createHandlers(engine: Engine, version: string): Handlers {
  const { apiKeys, sessions, store, workspaces, installation } = engine;
  const cookieName = sessionCookieName(installation.id);
  const openapi = openApiDocument(version);
  return {
    health: {
      get(_, { http }) {
        const available = store.isAvailable();
        if (!available) http.status(503);
        return {
          status: available ? 'ok' : 'degraded',
          name: 'executor',
          version,
          installationId: installation.id,
          database: available ? 'ok' : 'unavailable',
        };
      },
    },
    openapi: { get: () => openapi },
    me: {
      get: async (_, { principal }) => ({
        principal,
        ...(await workspaces.describe(principal)),
        server: { version, database: store.kind },
      }),
    },
    sessions: {
      async createLink(_, { principal, http }) {
        const { code, expiresAt } = await sessions.createLink(principal);
        return {
          url: `${addressedAs(http)}/#sign-in=${code}`,
          expiresAt: expiresAt.toISOString(),
        };
      },
      async create({ code }, { http }) {
        const { id, cookie, token, expiresAt } = await sessions.open(code);
        const secure = addressedAs(http).startsWith('https:');
        http.header('set-cookie', sessionCookie(cookieName, cookie, { expiresAt, secure }));
        return { id, token, expiresAt: expiresAt.toISOString() };
      },
      async end(_, { principal, http }) {
        await sessions.end(principal);
        http.header('set-cookie', expiredSessionCookie(cookieName));
        return undefined;
      },
    },
    apiKeys: {
      list: (page, { principal }) => apiKeys.list(principal, page),
      create: (key, { principal }) => apiKeys.create(principal, key),
      async remove({ id }, { principal }) {
        await apiKeys.revoke(principal, id);
        return undefined;
      },
    },
    audit: { list: (page, { principal }) => listAudit(store, principal, page) },
    settings: {
      get: (_, { principal }) => workspaces.settings(principal),
      update: (change, { principal }) => workspaces.changeSettings(principal, change),
    },
  };
}

/** The origin by which the caller knows this server: the name was checked, and a proxy tells of its TLS. */
function addressedAs(http: Context): string {
  const scheme = http.req.header('x-forwarded-proto') === 'https' ? 'https' : 'http';
  return `${scheme}://${http.req.header('host')}`;
}
