import type { Engine, SignedRequest } from '@executor/engine';
import { ExecutorError, proofHeader } from '@executor/protocol';
import type { Context } from 'hono';
import { signedRequest } from '../../auth/credential.ts';
import { provenRequest } from '../../auth/proven-request.ts';
import { expiredSessionCookie, sessionCookie, sessionCookieName } from '../../auth/session-cookie.ts';
import type { RequestAdmission } from '../admission/request-admission.ts';
import type { Handlers } from '../handler.ts';

/** The caller, sessions, API keys and presence. */
export function identityHandlers(
  { apiKeys, presence, sessions, store, workspaces, installation }: Engine,
  {
    version,
    admission,
  }: { version: string; admission: Pick<RequestAdmission, 'expectSession' | 'expectKey'> },
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
      async create({ code, publicKey }, { http }) {
        const { id, account, cookie, expiresAt } = await sessions.open({
          code,
          publicKey,
          signed: requireSigned(http),
          userAgent: http.req.header('user-agent'),
        });
        admission.expectSession(cookie, account);
        const secure = originOf(http).startsWith('https:');
        http.header('set-cookie', sessionCookie(cookieName, cookie, { expiresAt, secure }));
        return { id, expiresAt: expiresAt.toISOString() };
      },
      list: (page, { principal }) => sessions.list(principal, page),
      async end(_, { principal, http }) {
        await sessions.endCurrent(principal);
        http.header('set-cookie', expiredSessionCookie(cookieName));
        return undefined;
      },
      async remove({ id }, { principal }) {
        await sessions.end(principal, id);
        return undefined;
      },
      removeAll: async (_, { principal }) => ({ ended: await sessions.endAll(principal) }),
    },
    apiKeys: {
      list: (page, { principal }) => apiKeys.list(principal, page),
      async create(key, { principal }) {
        const created = await apiKeys.create(principal, key);
        const { id, kind } = created;
        admission.expectKey(created.key, { kind, key: id, workspaceId: principal.workspaceId });
        return created;
      },
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

function requireSigned(http: Context): SignedRequest {
  const signed = signedRequest((name) => http.req.header(name), provenRequest(http));
  if (signed) return signed;
  throw new ExecutorError(
    'unauthenticated',
    `A session is opened by a signed request, with the proof in the header ${proofHeader}. Open the link in a browser.`,
  );
}

/** The origin under which the caller reached this server. The host guard checked the name; a TLS proxy sets the scheme. */
function originOf(http: Context): string {
  const scheme = http.req.header('x-forwarded-proto') === 'https' ? 'https' : 'http';
  return `${scheme}://${http.req.header('host')}`;
}
