import { ApiKeyList, CreatedApiKey, NewApiKey } from './api-key.ts';
import { AuditList } from './audit.ts';
import { Health } from './health.ts';
import { PageQuery } from './list.ts';
import { OpenApiDocument } from './openapi-document.ts';
import { Me } from './principal.ts';
import type { Route } from './route.ts';
import { Session, SignIn, SignInLink } from './session.ts';
import { Settings, SettingsChange } from './settings.ts';

/** The HTTP API, all of it. The server's handlers, the client's methods and the OpenAPI document follow from this table. */
export const routes = {
  health: {
    get: {
      method: 'GET',
      path: '/v1/health',
      access: 'public',
      summary: 'Whether the server works',
      response: Health,
    },
  },
  openapi: {
    get: {
      method: 'GET',
      path: '/v1/openapi.json',
      access: 'public',
      summary: 'This API as an OpenAPI document',
      response: OpenApiDocument,
    },
  },
  me: {
    get: {
      method: 'GET',
      path: '/v1/me',
      access: 'any',
      summary: 'Who the caller is, and where',
      response: Me,
    },
  },
  sessions: {
    createLink: {
      method: 'POST',
      path: '/v1/sessions/links',
      access: 'person',
      summary: 'Make a link that opens the UI signed in, once',
      response: SignInLink,
      status: 201,
    },
    create: {
      method: 'POST',
      path: '/v1/sessions',
      access: 'public',
      summary: 'Open a browser session with the code of a sign-in link; sets the session cookie',
      body: SignIn,
      response: Session,
      status: 201,
    },
    end: {
      method: 'DELETE',
      path: '/v1/sessions/current',
      access: 'person',
      summary: 'End this browser session',
    },
  },
  apiKeys: {
    list: {
      method: 'GET',
      path: '/v1/api-keys',
      access: 'person',
      summary: 'List the API keys',
      query: PageQuery,
      response: ApiKeyList,
    },
    create: {
      method: 'POST',
      path: '/v1/api-keys',
      access: 'person',
      summary: 'Create an API key; the answer holds the key, this once',
      body: NewApiKey,
      response: CreatedApiKey,
      status: 201,
    },
    remove: {
      method: 'DELETE',
      path: '/v1/api-keys/:id',
      access: 'person',
      summary: 'Revoke an API key, at once',
    },
  },
  audit: {
    list: {
      method: 'GET',
      path: '/v1/audit',
      access: 'person',
      summary: 'List who did what, the newest first',
      query: PageQuery,
      response: AuditList,
    },
  },
  settings: {
    get: {
      method: 'GET',
      path: '/v1/settings',
      access: 'person',
      summary: 'Read the settings of the workspace',
      response: Settings,
    },
    update: {
      method: 'PATCH',
      path: '/v1/settings',
      access: 'person',
      summary: 'Change settings of the workspace',
      body: SettingsChange,
      response: Settings,
    },
  },
} as const satisfies Record<string, Record<string, Route>>;

export type Routes = typeof routes;

/** The rows with their names (`apiKeys.list`), for whoever walks the whole table. */
export function routeRows(): { name: string; route: Route }[] {
  return Object.entries(routes).flatMap(([group, members]) =>
    Object.entries(members).map(([member, route]) => ({ name: `${group}.${member}`, route })),
  );
}
