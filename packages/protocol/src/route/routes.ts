import * as z from 'zod';
import {
  Interaction,
  InteractionList,
  InteractionQuery,
  Resolution,
  ResolutionOfSeveral,
  ResolvedSeveral,
} from '../approval/interaction.ts';
import {
  ExplainPolicy,
  NewPolicyRequest,
  PolicyChangeRequest,
  PolicyExplanation,
  PolicyList,
  SavedPolicy,
} from '../approval/policy.ts';
import { EventQuery, ExecutionEvent, WorkspaceEvent } from '../execution/event.ts';
import {
  CallList,
  Execution,
  ExecutionList,
  ExecutionQuery,
  NewExecution,
  ReplayReport,
  Wait,
} from '../execution/execution.ts';
import { WorkerList } from '../execution/worker.ts';
import { ApiKey, ApiKeyChange, ApiKeyList, CreatedApiKey, NewApiKey } from '../identity/api-key.ts';
import { Presence, PresenceChange } from '../identity/presence.ts';
import { Me } from '../identity/principal.ts';
import { EndedSessions, Session, SessionList, SignIn, SignInLink } from '../identity/session.ts';
import { ResourceList } from '../resource/usage.ts';
import { AuditList } from '../workspace/audit.ts';
import { Settings, SettingsChange } from '../workspace/settings.ts';
import { PageQuery } from './list.ts';
import type { Route } from './route.ts';
import { sourceRoutes } from './source-routes.ts';

const Health = z
  .object({
    status: z.enum(['ok', 'degraded']),
    name: z.literal('executor'),
    version: z.string(),
    installationId: z.string(),
    database: z.enum(['ok', 'unavailable']),
  })
  .meta({ id: 'Health' });
export type Health = z.infer<typeof Health>;

/** Room for one megabyte of code, since JSON may escape one byte as six, and for the other fields. */
const maxExecutionBytes = 7 * 1024 * 1024;

/** Anybody may send it. */
const maxSignInBytes = 16 * 1024;

/** The whole HTTP API. The server's handlers, the client's methods and the OpenAPI document are made from this table. */
export const routes = {
  health: {
    get: {
      method: 'GET',
      path: '/v1/health',
      access: 'public',
      summary: 'Check that the server works',
      response: Health,
    },
  },
  openapi: {
    get: {
      method: 'GET',
      path: '/v1/openapi.json',
      access: 'public',
      summary: 'Read this OpenAPI document',
      response: z.record(z.string(), z.unknown()),
    },
  },
  me: {
    get: {
      method: 'GET',
      path: '/v1/me',
      access: 'any',
      summary: 'Read who the caller is, in which workspace',
      response: Me,
    },
  },
  sessions: {
    createLink: {
      method: 'POST',
      path: '/v1/sessions/links',
      access: 'person',
      summary: 'Create a link that opens the UI signed in, once',
      response: SignInLink,
      status: 201,
    },
    create: {
      method: 'POST',
      path: '/v1/sessions',
      access: 'public',
      summary: 'Open a browser session with the code of a sign-in link; sets the session cookie',
      body: SignIn,
      maxBodyBytes: maxSignInBytes,
      response: Session,
      status: 201,
    },
    list: {
      method: 'GET',
      path: '/v1/sessions',
      access: 'person',
      summary: 'List your browser sessions',
      query: PageQuery,
      response: SessionList,
    },
    end: {
      method: 'DELETE',
      path: '/v1/sessions/current',
      access: 'person',
      summary: 'End this browser session',
    },
    remove: {
      method: 'DELETE',
      path: '/v1/sessions/:id',
      access: 'person',
      summary: 'End one of your browser sessions immediately',
    },
    removeAll: {
      method: 'DELETE',
      path: '/v1/sessions',
      access: 'person',
      summary: 'End all of your browser sessions and sign-in links immediately',
      response: EndedSessions,
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
      summary: 'Create an API key; only this response contains the key itself',
      body: NewApiKey,
      presence: 'route',
      response: CreatedApiKey,
      status: 201,
    },
    update: {
      method: 'PATCH',
      path: '/v1/api-keys/:id',
      access: 'person',
      summary: 'Allow approvals in the dialog of the client that holds a key, or stop that',
      body: ApiKeyChange,
      presence: 'route',
      response: ApiKey,
    },
    remove: {
      method: 'DELETE',
      path: '/v1/api-keys/:id',
      access: 'person',
      summary: 'Revoke an API key immediately',
      presence: 'route',
    },
  },
  executions: {
    create: {
      method: 'POST',
      path: '/v1/executions',
      access: 'any',
      summary: 'Run code; responds at once, or after `waitMs` or the end of the run, whichever is first',
      body: NewExecution,
      maxBodyBytes: maxExecutionBytes,
      waits: 'orAnswers',
      response: Execution,
      status: 201,
    },
    list: {
      method: 'GET',
      path: '/v1/executions',
      access: 'any',
      summary: 'List the runs, newest first; an agent sees its own',
      query: ExecutionQuery,
      response: ExecutionList,
    },
    get: {
      method: 'GET',
      path: '/v1/executions/:id',
      access: 'any',
      summary: 'Read a run',
      response: Execution,
    },
    calls: {
      method: 'GET',
      path: '/v1/executions/:id/calls',
      access: 'any',
      summary: 'List the tool calls of a run, in order',
      query: PageQuery,
      response: CallList,
    },
    events: {
      method: 'GET',
      path: '/v1/executions/:id/events',
      access: 'any',
      summary: 'Follow the journal of a run, as server-sent events',
      query: EventQuery,
      events: ExecutionEvent,
    },
    wait: {
      method: 'POST',
      path: '/v1/executions/:id/wait',
      access: 'any',
      summary: 'Wait until a run has finished, needs an answer, or the time is over',
      body: Wait,
      waits: 'orRefuses',
      response: Execution,
    },
    cancel: {
      method: 'POST',
      path: '/v1/executions/:id/cancel',
      access: 'any',
      summary: 'Cancel a run; a finished run is not changed',
      response: Execution,
    },
    replay: {
      method: 'POST',
      path: '/v1/executions/:id/replay',
      access: 'person',
      summary: 'Replay a finished run from its journal, without sending anything, and compare the results',
      response: ReplayReport,
    },
  },
  events: {
    list: {
      method: 'GET',
      path: '/v1/events',
      access: 'person',
      summary: 'Follow the runs, interactions and sources of the workspace, as server-sent events',
      query: EventQuery,
      events: WorkspaceEvent,
    },
  },
  artifacts: {
    get: {
      method: 'GET',
      path: '/v1/artifacts/:id',
      access: 'any',
      summary: 'Read an artifact; an agent can read those of its own runs',
      bytes: true,
    },
  },
  interactions: {
    list: {
      method: 'GET',
      path: '/v1/interactions',
      access: 'person',
      summary: 'List the questions to people, newest first',
      query: InteractionQuery,
      response: InteractionList,
    },
    get: {
      method: 'GET',
      path: '/v1/interactions/:id',
      access: 'person',
      summary: 'Read an interaction, with exactly what will be sent',
      response: Interaction,
    },
    resolve: {
      method: 'POST',
      path: '/v1/interactions/:id/resolve',
      access: 'person',
      summary: 'Answer an interaction, once',
      body: Resolution,
      presence: 'engine',
      response: Interaction,
    },
    resolveSeveral: {
      method: 'POST',
      path: '/v1/interactions/resolve',
      access: 'person',
      summary: 'Answer several interactions with the same action',
      body: ResolutionOfSeveral,
      presence: 'engine',
      response: ResolvedSeveral,
    },
  },
  ...sourceRoutes,
  policies: {
    list: {
      method: 'GET',
      path: '/v1/policies',
      access: 'person',
      summary: 'List the rules',
      query: PageQuery,
      response: PolicyList,
    },
    create: {
      method: 'POST',
      path: '/v1/policies',
      access: 'person',
      summary: 'Add a rule; it applies from the next call on',
      body: NewPolicyRequest,
      presence: 'route',
      response: SavedPolicy,
      status: 201,
    },
    update: {
      method: 'PATCH',
      path: '/v1/policies/:id',
      access: 'person',
      summary: 'Change a rule; it applies from the next call on',
      body: PolicyChangeRequest,
      presence: 'route',
      response: SavedPolicy,
    },
    remove: {
      method: 'DELETE',
      path: '/v1/policies/:id',
      access: 'person',
      summary: 'Remove a rule',
      presence: 'route',
    },
    explain: {
      method: 'POST',
      path: '/v1/policies/explain',
      access: 'any',
      summary: 'Explain the decision on a call: which rule makes it, and why',
      body: ExplainPolicy,
      response: PolicyExplanation,
    },
  },
  presence: {
    get: {
      method: 'GET',
      path: '/v1/presence',
      access: 'person',
      summary: 'Read whether answers and changes need a PIN',
      response: Presence,
    },
    update: {
      method: 'PATCH',
      path: '/v1/presence',
      access: 'person',
      summary: 'Require a PIN, or stop requiring it',
      body: PresenceChange,
      presence: 'engine',
      response: Presence,
    },
  },
  workers: {
    list: {
      method: 'GET',
      path: '/v1/workers',
      access: 'person',
      summary: 'List the processes that run executions',
      response: WorkerList,
    },
  },
  resources: {
    list: {
      method: 'GET',
      path: '/v1/resources',
      access: 'person',
      summary: 'List what is scarce in this server process and in the workspace, its limits, and who uses it',
      response: ResourceList,
    },
  },
  audit: {
    list: {
      method: 'GET',
      path: '/v1/audit',
      access: 'person',
      summary: 'List who did what, newest first',
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
      presence: 'route',
      response: Settings,
    },
  },
} as const satisfies Record<string, Record<string, Route>>;

export type Routes = typeof routes;

/** All rows with their names, such as `apiKeys.list`. */
export function routeRows(): { name: string; route: Route }[] {
  return Object.entries(routes).flatMap(([group, members]) =>
    Object.entries(members).map(([member, route]) => ({ name: `${group}.${member}`, route })),
  );
}
