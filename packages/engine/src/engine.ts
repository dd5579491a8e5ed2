import { hostname } from 'node:os';
import type { Principal, SourceProblem } from '@executor/protocol';
import { Artifacts } from './artifact/artifacts.ts';
import { Catalog, type ConnectedSource } from './catalog/catalog.ts';
import { ToolDescriptions } from './catalog/description/tool-descriptions.ts';
import { Discovery } from './catalog/discovery/discovery.ts';
import { indexTools } from './catalog/discovery/index/build-index.ts';
import { SourceIndexes } from './catalog/discovery/index/source-indexes.ts';
import { builtInNamespaces, executorSource } from './catalog/executor/executor-source.ts';
import { openSources } from './catalog/open-sources.ts';
import { type Clock, systemClock } from './clock.ts';
import { Executions } from './execution/executions.ts';
import { Typecheck } from './execution/typecheck/typecheck.ts';
import { Worker } from './execution/worker/worker.ts';
import { newId } from './id.ts';
import { ApiKeys } from './identity/api-keys.ts';
import { authenticate, type Credential } from './identity/authenticate.ts';
import { OAuthClients } from './identity/oauth-clients.ts';
import { provision } from './identity/provision.ts';
import { Sessions } from './identity/sessions.ts';
import { Interactions } from './interaction/interactions.ts';
import { Policies } from './policy/policies.ts';
import type { Indexer } from './ports/indexer.ts';
import type { Sandbox } from './ports/sandbox.ts';
import type { Source } from './ports/source.ts';
import type { Installation, Store } from './ports/store.ts';
import type { TypeChecker } from './ports/type-checker.ts';
import { PresenceGuard } from './presence/presence-guard.ts';
import { connectConfigured } from './source/configured-sources.ts';
import type { Initiator } from './source/initiator.ts';
import { Sources } from './source/sources.ts';
import { InputValidator } from './validation/input-validator.ts';
import { Workspaces } from './workspace/workspaces.ts';

/** The services of the engine. */
export interface Engine {
  readonly store: Store;
  readonly installation: Installation;
  readonly apiKeys: ApiKeys;
  readonly sessions: Sessions;
  readonly oauthClients: OAuthClients;
  readonly workspaces: Workspaces;
  readonly catalog: Catalog;
  readonly sources: Sources;
  readonly descriptions: ToolDescriptions;
  readonly discovery: Discovery;
  readonly executions: Executions;
  readonly artifacts: Artifacts;
  readonly interactions: Interactions;
  readonly policies: Policies;
  readonly presence: PresenceGuard;
  /** Executes no runs until it is started. */
  readonly worker: Worker;
  /** Connects the configured sources in the owner's workspace. Returns those that could not be connected. */
  connectConfigured(entries: readonly unknown[]): Promise<SourceProblem[]>;
  /** Opens the sources of the owner's workspace ahead of their first use. */
  openSources(signal: AbortSignal): Promise<void>;
  authenticate(credential: Credential): Promise<Principal | undefined>;
}

export interface EngineOptions {
  store: Store;
  /** The secret that authenticates the owner of this installation. */
  localToken: string;
  /** The name of the owner on a first start. */
  accountName: string;
  version: string;
  sandboxes: Sandbox[];
  /** If absent, types are not checked. */
  typeChecker?: TypeChecker;
  /** Tools for every workspace, in addition to Executor's own. */
  sources?: ConnectedSource[];
  /** The kinds of sources that workspaces can add. */
  sourceKinds?: Source[];
  /** Builds search indexes. The default builds them on this thread. */
  indexer?: Indexer;
  /** The URL at which people reach the server. */
  baseUrl(): string;
  worker?: { concurrency?: number | undefined; leaseMs?: number; evictAfterMs?: number; drainMs?: number };
  clock?: Clock;
  /** Reports problems that belong to no request. */
  onProblem?(message: string, details: Record<string, unknown>): void;
}

export async function createEngine({
  store,
  localToken,
  accountName,
  version,
  sandboxes: sandboxList,
  typeChecker,
  sources = [],
  sourceKinds = [],
  indexer = { index: indexTools },
  baseUrl,
  worker: workerOptions,
  clock = systemClock,
  onProblem = () => {},
}: EngineOptions): Promise<Engine> {
  const now = () => clock.now();
  const installation = await provision(store, accountName, now);
  const sandboxes = new Map(sandboxList.map((sandbox) => [sandbox.runtimeId, sandbox]));
  const indexes = new SourceIndexes({ indexer, onProblem });
  const catalog = new Catalog({
    store,
    kinds: sourceKinds,
    now,
    onOpened: (...packs) => indexes.begin(...packs),
  });
  const validator = new InputValidator();
  const artifacts = new Artifacts({ store, now });
  const presence = new PresenceGuard({ store, now });
  const workspaces = new Workspaces({ store, now });
  const policies = new Policies({
    store,
    now,
    validator,
    tools: {
      find: async (workspaceId, path) => (await catalog.seek(workspaceId, path))?.tool,
      namespaces: (workspaceId) => catalog.namespaces(workspaceId),
      paths: async (workspaceId, namespace) => [
        ...((await catalog.source(workspaceId, namespace))?.pack.paths() ?? []),
      ],
    },
  });
  const sourceService = new Sources({ store, catalog, kinds: sourceKinds, policies, now });
  const discovery = new Discovery({ catalog, policies, indexes });
  const descriptions = new ToolDescriptions({ catalog, policies, discovery });
  const own = executorSource({ store, artifacts, policies, sources: sourceService, descriptions, discovery });
  const ownSources = builtInNamespaces.map((namespace) => ({ namespace, source: own, settings: {} }));
  for (const connected of [...ownSources, ...sources]) {
    await catalog.connect(connected, AbortSignal.timeout(60_000));
  }
  const typecheck = typeChecker && new Typecheck({ checker: typeChecker, catalog, descriptions, policies });
  const worker = new Worker({
    store,
    clock,
    sandboxes,
    workspaces,
    run: { catalog, descriptions, policies, validator, artifacts, onProblem },
    identity: { id: newId('wrk', now()), host: hostname(), pid: process.pid, version },
    ...workerOptions,
  });
  return {
    store,
    installation,
    apiKeys: new ApiKeys({ store, now }),
    sessions: new Sessions({ store, now }),
    oauthClients: new OAuthClients({ store, installation, now }),
    workspaces,
    catalog,
    sources: sourceService,
    descriptions,
    discovery,
    connectConfigured: (entries) =>
      connectConfigured(entries, configuredBy(installation), {
        store,
        sources: sourceService,
        clock,
        onProblem,
      }),
    openSources: (signal) => openSources(installation.owner.workspaceId, { catalog, indexes, signal }),
    executions: new Executions({ store, clock, sandboxes, workspaces, worker, typecheck, baseUrl }),
    artifacts,
    interactions: new Interactions({ store, now, baseUrl, policies, presence, validator }),
    policies,
    presence,
    worker,
    authenticate: (credential) => authenticate(credential, { store, installation, localToken, now }),
  };
}

/** The configuration acts as the owner of the installation. */
function configuredBy({ owner }: Installation): Initiator {
  return { principal: { kind: 'person', credential: 'localToken', ...owner }, configured: true };
}
