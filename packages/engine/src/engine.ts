import { hostname } from 'node:os';
import { type LimitChanges, type Principal, type SourceProblem, sharesOf } from '@executor/protocol';
import { Artifacts } from './artifact/artifacts.ts';
import { Catalog, type ConnectedSource } from './catalog/catalog.ts';
import { ToolDescriptions } from './catalog/description/tool-descriptions.ts';
import { ModelVectors } from './catalog/discovery/model-vectors.ts';
import { SourceIndexes } from './catalog/discovery/source-indexes.ts';
import { ToolFinder } from './catalog/discovery/tool-finder.ts';
import { builtInNamespaces, executorSource } from './catalog/executor/executor-source.ts';
import { openSources } from './catalog/open-sources.ts';
import { samePrintThread, ToolPrinter } from './catalog/signature/tool-printer.ts';
import { toolTexts } from './catalog/tool-text.ts';
import { type Clock, systemClock } from './clock.ts';
import { Deliveries } from './execution/deliveries.ts';
import { Executions } from './execution/executions.ts';
import { Typecheck } from './execution/typecheck/typecheck.ts';
import { Worker } from './execution/worker/worker.ts';
import { newId } from './id.ts';
import { ApiKeys } from './identity/api-keys.ts';
import { authenticate, type Credential } from './identity/authenticate.ts';
import { OAuthClients } from './identity/oauth-clients.ts';
import { provision } from './identity/provision.ts';
import { RequestProofs } from './identity/request-proofs.ts';
import { Sessions } from './identity/sessions.ts';
import { Interactions } from './interaction/interactions.ts';
import { localJsonReader } from './json/local-json-reader.ts';
import { Policies } from './policy/policies.ts';
import type { AccessProbe } from './ports/access-probe.ts';
import type { Discovery } from './ports/discovery.ts';
import type { Embedder } from './ports/embedder.ts';
import type { Indexer } from './ports/indexer.ts';
import type { JsonReader } from './ports/json-reader.ts';
import type { PrintThread } from './ports/print-thread.ts';
import type { Sandbox } from './ports/sandbox.ts';
import type { Source } from './ports/source.ts';
import type { Installation, Store } from './ports/store.ts';
import type { TypeChecker } from './ports/type-checker.ts';
import { PresenceGuard } from './presence/presence-guard.ts';
import { Resources } from './resource/resources.ts';
import { StoredQuotas } from './resource/stored-quotas.ts';
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
  readonly requestProofs: RequestProofs;
  readonly oauthClients: OAuthClients;
  readonly workspaces: Workspaces;
  readonly catalog: Catalog;
  readonly sources: Sources;
  readonly descriptions: ToolDescriptions;
  readonly discovery: ToolFinder;
  readonly executions: Executions;
  readonly deliveries: Deliveries;
  readonly artifacts: Artifacts;
  readonly jsonReader: JsonReader;
  readonly interactions: Interactions;
  readonly policies: Policies;
  readonly presence: PresenceGuard;
  readonly resources: Resources;
  readonly quotas: StoredQuotas;
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
  /** Finds out how a system wants its callers to authenticate. */
  accessProbe?: AccessProbe;
  /** Ranks tools for requests. */
  discovery: Discovery;
  /** Runs the language model of tool search. If absent, search uses none. */
  embedder?: Embedder | undefined;
  /** Builds search indexes. The default builds them on this thread. */
  indexer?: Indexer;
  /** Reads large JSON. The default reads it on this thread. */
  jsonReader?: JsonReader;
  /** Prints tools that take long to print. The default prints them on this thread. */
  printThread?: PrintThread;
  /** The URL at which people reach the server. */
  baseUrl(): string;
  /** Limits of resources that differ from the defaults. */
  limits?: LimitChanges | undefined;
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
  accessProbe,
  discovery: ranking,
  embedder,
  indexer = { index: async (tools) => ranking.index(await toolTexts(tools)) },
  jsonReader = localJsonReader,
  printThread = samePrintThread,
  baseUrl,
  limits,
  worker: workerOptions,
  clock = systemClock,
  onProblem = () => {},
}: EngineOptions): Promise<Engine> {
  const now = () => clock.now();
  const concurrency = workerOptions?.concurrency;
  const resources = new Resources({
    ...(concurrency !== undefined && sharesOf(concurrency)),
    // The embedded database has one connection.
    ...(store.kind === 'pglite' && { 'statements.total': 1 }),
    ...limits,
  });
  store.shareTurns(resources.held.statements);
  const installation = await provision(store, accountName, now);
  const sandboxes = new Map(sandboxList.map((sandbox) => [sandbox.runtimeId, sandbox]));
  const vectors = embedder && new ModelVectors({ embedder, store, discovery: ranking, onProblem });
  const indexes = new SourceIndexes({ discovery: ranking, indexer, vectors, onProblem });
  const catalog = new Catalog({
    store,
    kinds: sourceKinds,
    now,
    onOpened: (...packs) => indexes.begin(...packs),
    onProblem,
  });
  const requestProofs = new RequestProofs();
  const sessions = new Sessions({ store, proofs: requestProofs, now });
  const validator = new InputValidator();
  const quotas = new StoredQuotas({ store, clock, changes: limits });
  const artifacts = new Artifacts({ store, quotas, now });
  const presence = new PresenceGuard({ store, now });
  const workspaces = new Workspaces({ store, now });
  const find = async (workspaceId: string, path: string, options?: { fresh: boolean }) =>
    (await catalog.seek(workspaceId, path, options))?.tool;
  const policies = new Policies({
    store,
    now,
    validator,
    tools: {
      find,
      namespaces: (workspaceId) => catalog.namespaces(workspaceId),
      paths: async (workspaceId, namespace) => [
        ...((await catalog.source(workspaceId, namespace))?.pack.paths() ?? []),
      ],
    },
  });
  const sourceService = new Sources({
    store,
    catalog,
    kinds: sourceKinds,
    accessProbe,
    policies,
    now,
    clock,
    onProblem,
  });
  const printer = new ToolPrinter(printThread);
  const discovery = new ToolFinder({ catalog, policies, discovery: ranking, indexes, vectors, printer });
  const descriptions = new ToolDescriptions({ catalog, policies, discovery, printer });
  const own = executorSource({
    store,
    artifacts,
    jsonReader,
    policies,
    sources: sourceService,
    descriptions,
    discovery,
  });
  const ownSources = builtInNamespaces.map((namespace) => ({ namespace, source: own, settings: {} }));
  for (const connected of [...ownSources, ...sources]) {
    await catalog.connect(connected, AbortSignal.timeout(60_000));
  }
  const typecheck =
    typeChecker && new Typecheck({ checker: typeChecker, catalog, descriptions, policies, printer });
  const worker = new Worker({
    store,
    clock,
    sandboxes,
    workspaces,
    slots: resources.held.runs,
    run: {
      catalog,
      descriptions,
      policies,
      printer,
      ownCalls: resources.held.ownCalls,
      validator,
      artifacts,
      jsonReader,
      quotas,
      memory: resources.held,
      onProblem,
    },
    identity: { id: newId('wrk', now()), host: hostname(), pid: process.pid, version },
    ...workerOptions,
  });
  return {
    store,
    installation,
    apiKeys: new ApiKeys({ store, now }),
    sessions,
    requestProofs,
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
    executions: new Executions({
      store,
      clock,
      sandboxes,
      workspaces,
      worker,
      typecheck,
      resources,
      quotas,
      baseUrl,
    }),
    deliveries: new Deliveries({ store }),
    artifacts,
    jsonReader,
    interactions: new Interactions({
      ...{ store, now, baseUrl, policies, presence, validator },
      toolNow: (workspaceId, path) => find(workspaceId, path, { fresh: true }),
    }),
    policies,
    presence,
    resources,
    quotas,
    worker,
    authenticate: (credential) =>
      authenticate(credential, { store, sessions, installation, localToken, now }),
  };
}

/** The configuration acts as the owner of the installation. */
function configuredBy({ owner }: Installation): Initiator {
  return { principal: { kind: 'person', credential: 'localToken', ...owner }, system: true };
}
