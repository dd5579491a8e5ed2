import { hostname } from 'node:os';
import type { Principal } from '@executor/protocol';
import { Artifacts } from './artifact/artifacts.ts';
import { Catalog, type ConnectedSource } from './catalog/catalog.ts';
import { executorSource } from './catalog/executor-source.ts';
import { type Clock, systemClock } from './clock.ts';
import { Executions } from './execution/executions.ts';
import { Worker } from './execution/worker.ts';
import { newId } from './id.ts';
import { ApiKeys } from './identity/api-keys.ts';
import { authenticate, type Credential } from './identity/authenticate.ts';
import { provision } from './identity/provision.ts';
import { Sessions } from './identity/sessions.ts';
import { Interactions } from './interaction/interactions.ts';
import { Policies } from './policy/policies.ts';
import type { Sandbox } from './ports/sandbox.ts';
import type { Installation, Store } from './ports/store.ts';
import { PresenceGuard } from './presence/presence-guard.ts';
import { InputValidator } from './validation/input-validator.ts';
import { Workspaces } from './workspace/workspaces.ts';

/** Everything that decides, ready to use. */
export interface Engine {
  readonly store: Store;
  readonly installation: Installation;
  readonly apiKeys: ApiKeys;
  readonly sessions: Sessions;
  readonly workspaces: Workspaces;
  readonly catalog: Catalog;
  readonly executions: Executions;
  readonly artifacts: Artifacts;
  readonly interactions: Interactions;
  readonly policies: Policies;
  readonly presence: PresenceGuard;
  /** Runs nothing until it is started. */
  readonly worker: Worker;
  authenticate(credential: Credential): Promise<Principal | undefined>;
}

export interface EngineOptions {
  store: Store;
  /** The secret that stands for the owner of this installation. */
  localToken: string;
  /** What to call the owner on a first start. */
  accountName: string;
  version: string;
  sandboxes: Sandbox[];
  /** Beside the product's own tools. */
  sources?: ConnectedSource[];
  /** Where people reach the server. */
  baseUrl(): string;
  worker?: { concurrency?: number | undefined; leaseMs?: number; evictAfterMs?: number };
  clock?: Clock;
  /** Told of what goes wrong without anybody having asked. */
  onProblem?(message: string, details: Record<string, unknown>): void;
}

export async function createEngine({
  store,
  localToken,
  accountName,
  version,
  sandboxes: sandboxList,
  sources = [],
  baseUrl,
  worker: workerOptions,
  clock = systemClock,
  onProblem = () => {},
}: EngineOptions): Promise<Engine> {
  const now = () => clock.now();
  const installation = await provision(store, accountName, now);
  const sandboxes = new Map(sandboxList.map((sandbox) => [sandbox.runtimeId, sandbox]));
  const catalog = new Catalog();
  const validator = new InputValidator();
  const artifacts = new Artifacts({ store, now });
  const presence = new PresenceGuard({ store, now });
  const workspaces = new Workspaces({ store, now });
  const policies = new Policies({
    store,
    now,
    validator,
    findTool: async (workspaceId, path) => catalog.find(workspaceId, path)?.tool,
  });
  const own = { namespace: 'executor', source: executorSource({ store, artifacts, policies }), settings: {} };
  for (const connected of [own, ...sources]) await catalog.connect(connected, AbortSignal.timeout(60_000));
  const worker = new Worker({
    store,
    clock,
    sandboxes,
    workspaces,
    run: { catalog, policies, validator, artifacts, onProblem },
    identity: { id: newId('wrk', now()), host: hostname(), pid: process.pid, version },
    ...workerOptions,
  });
  return {
    store,
    installation,
    apiKeys: new ApiKeys({ store, now }),
    sessions: new Sessions({ store, now }),
    workspaces,
    catalog,
    executions: new Executions({ store, clock, sandboxes, workspaces, worker, baseUrl }),
    artifacts,
    interactions: new Interactions({ store, now, baseUrl, policies, presence, validator }),
    policies,
    presence,
    worker,
    authenticate: (credential) => authenticate(credential, { store, installation, localToken, now }),
  };
}
