import type { Engine } from '@executor/engine';
import type { Context } from 'hono';
import { expiredSessionCookie, sessionCookie, sessionCookieName } from '../../auth/session-cookie.ts';
import type { Handlers } from '../handler.ts';

/** The caller, sessions, API keys and presence. */
export function identityHandlers(
  { apiKeys, presence, sessions, store, workspaces, installation }: Engine,
  version: string,
): Pick<Handlers, 'me' | 'sessions' | 'apiKeys' | 'presence'> {
  const cookieName = sessionCookieName(installation.id);
  return {
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
          url: `${originOf(http)}/#sign-in=${code}`,
          expiresAt: expiresAt.toISOString(),
        };
      },
      async create({ code }, { http }) {
        const { id, cookie, token, expiresAt } = await sessions.open(code);
        const secure = originOf(http).startsWith('https:');
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
      update: ({ id, allowDialog }, { principal }) => apiKeys.setAllowDialog(principal, id, allowDialog),
      async remove({ id }, { principal }) {
        await apiKeys.revoke(principal, id);
        return undefined;
      },
    },
    presence: {
      get: (_, { principal }) => presence.get(principal),
      update: (change, { principal, proof }) => presence.update(principal, change, proof),
    },
  };
}

/** The origin under which the caller reached this server. The host guard checked the name; a TLS proxy sets the scheme. */
function originOf(http: Context): string {
  const scheme = http.req.header('x-forwarded-proto') === 'https' ? 'https' : 'http';
  return `${scheme}://${http.req.header('host')}`;
}
