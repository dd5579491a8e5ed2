import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { createDiscovery } from '@executor/discovery';
import { createEmbedder, type ProcessEmbedder } from '@executor/embedding';
import { type ConnectedSource, createEngine, type Engine, type Source } from '@executor/engine';
import {
  type Config,
  ensureLocalToken,
  ensurePrivateFolder,
  type Folders,
  isModelInstalled,
  modelFolder,
  modelVersion,
  requireOwnFolders,
} from '@executor/home';
import { createQuickJsSandbox, hidePaths } from '@executor/sandboxes';
import {
  createAccessProbe,
  createGoogleSource,
  createGraphQlSource,
  createHttpClient,
  createMcpSource,
  createOpenApiSource,
  type McpSourceOptions,
} from '@executor/sources';
import { openStore, type StoreAssets } from '@executor/store';
import { createTypeChecker } from '@executor/typecheck';
import type { Logger } from 'pino';
import { threadJsonReader } from './answers/json-reader.ts';
import { Connections } from './connection/connections.ts';
import { threadIndexer } from './discovery/indexer.ts';
import { createApp } from './http/app.ts';
import { jsonParser } from './http/body/json-thread.ts';
import { serverNames } from './http/host-guard.ts';
import { readWebFiles } from './http/web-files.ts';
import { type Listener, listen } from './listen.ts';
import type { CreateMcpServer } from './mcp/endpoint.ts';
import { AuthorizationServer } from './oauth/authorization-server.ts';
import { ProtectedResource } from './oauth/protected-resource.ts';
import { printThread } from './printing/print-thread.ts';

/** A process answers requests, runs executions, or both. */
const roles = {
  all: { serves: true, works: true },
  server: { serves: true, works: false },
  worker: { serves: false, works: true },
} as const;
export type Role = keyof typeof roles;

export interface ServerOptions {
  config: Config;
  folders: Folders;
  version: string;
  logger: Logger;
  assets: ServerAssets;
  role?: Role;
  /** Maximum number of concurrent executions. */
  concurrency?: number | undefined;
  /** How long a lease lasts without a heartbeat, and how long a waiting run stays in memory. */
  worker?: { leaseMs?: number; evictAfterMs?: number };
  /** Sources to connect besides the product's own. */
  sources?: ConnectedSource[];
  /** Replaces the kinds of source that the product supports. */
  sourceKinds?: Source[];
  /** Replaces the product's own MCP server. */
  createMcpServer?: CreateMcpServer;
}

/** Files that the build puts beside the program. */
export interface ServerAssets {
  store: StoreAssets;
  /** The folder of the built web pages. */
  web: string;
  /** The folder of the sandbox's child process program. */
  sandbox: string;
  /** The folder of the child process program that reads documents. */
  reader: string;
  /** The folder of the type checker's process. */
  typecheck: string;
  /** The program of the thread that reads large JSON. */
  jsonWorker: URL;
  /** The program of the thread that indexes tools. */
  indexWorker: URL;
  /** The folder of the language model's process. */
  embedding: string;
  /** The vectors of words, with which search compares meanings. */
  wordVectors: URL;
  /** The program of the thread that prints signatures. */
  printWorker: URL;
}

export interface RunningServer {
  /** The URL it listens on. For a worker: the URL of the server in its configuration. */
  url: string;
  engine: Engine;
  /** Finishes work in flight and releases everything. A second call waits for the same stop. */
  stop(): Promise<void>;
}

const graceMs = 10_000;

/** The composition root: the only module that names concrete adapters. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { config, logger, role = 'all' } = options;
  const { serves, works } = roles[role];
  const parts = await openParts(options);
  const stopping = new AbortController();
  // Every waiting request and every stream adds a listener.
  setMaxListeners(0, stopping.signal);
  try {
    let listener: Listener | undefined;
    const localToken = localTokenFor(options);
    const url = () => `http://${reachable(config.host)}:${listener?.port ?? config.port}`;
    const engine = await createEngine({
      store: parts.store,
      sandboxes: [parts.sandbox],
      typeChecker: parts.typeChecker,
      sources: options.sources ?? [],
      sourceKinds: options.sourceKinds ?? parts.sourceKinds,
      accessProbe: parts.accessProbe,
      discovery: parts.discovery,
      embedder: parts.embedder,
      indexer: threadIndexer(parts.discovery, { ...options.assets, hasModel: parts.embedder !== undefined }),
      jsonReader: parts.jsonReader,
      printThread: printThread(options.assets.printWorker),
      localToken,
      accountName: accountName(),
      version: options.version,
      baseUrl: () => config.publicUrl ?? url(),
      limits: config.limits,
      worker: {
        drainMs: config.drainSeconds * 1_000,
        ...options.worker,
        concurrency: options.concurrency,
      },
      onProblem: (message, { error, ...details }) => logger.warn({ ...details, err: error }, message),
    });
    if (serves) listener = await serve(engine, { ...options, localToken }, stopping.signal);
    if (works) startWorker(engine, logger, stopping.signal);
    if (serves) connectConfigured(engine, options);
    openSources(engine, logger, stopping.signal);
    let stopped: Promise<void> | undefined;
    const stop = async () => {
      stopping.abort();
      engine.sources.stop();
      await Promise.all([listener?.close(graceMs), engine.worker.drain()]);
      // A kind of source that cannot close its connections does not keep the database open.
      await engine.sources.close().finally(parts.close);
    };
    return {
      url: url(),
      engine,
      stop: () => {
        stopped ??= stop();
        return stopped;
      },
    };
  } catch (error) {
    await parts.close();
    throw error;
  }
}

/** Opens sandbox and store concurrently, since each waits for its own processes or disks. */
async function openParts(options: ServerOptions) {
  const { config, folders, logger, assets, version } = options;
  requireOwnFolders(folders);
  ensurePrivateFolder(folders.data);
  const [sandbox, store] = await Promise.allSettled([
    createQuickJsSandbox({ folder: assets.sandbox }),
    openStore({
      databaseUrl: config.databaseUrl,
      folder: folders.data,
      assets: assets.store,
      onProblem: (message, details) => logger.warn(details, message),
    }),
  ]);
  const http = createHttpClient();
  const typeChecker = createTypeChecker({ folder: assets.typecheck });
  const jsonReader = threadJsonReader(assets.jsonWorker);
  const embedder = modelEmbedder(options);
  const discovery = createDiscovery({
    vectorsFile: assets.wordVectors,
    hasModel: embedder !== undefined,
    onProblem: (message, { error }) => logger.warn({ err: error }, message),
  });
  const confine: McpSourceOptions['confine'] = (program) =>
    sandbox.status === 'fulfilled'
      ? hidePaths(sandbox.value.confinement, ownPaths(folders), program)
      : program;
  const reading = { http, jsonReader, readerFolder: assets.reader };
  const sourceKinds: Source[] = [
    createOpenApiSource(reading),
    createGoogleSource(reading),
    createGraphQlSource(reading),
    createMcpSource({ http, version, confine }),
  ];
  const close = async () => {
    await http.close();
    typeChecker.close();
    embedder?.close();
    if (sandbox.status === 'fulfilled') sandbox.value.close();
    if (store.status === 'fulfilled') await store.value.close();
  };
  if (store.status === 'fulfilled' && sandbox.status === 'fulfilled') {
    logger.debug({ confinement: sandbox.value.confinement.kind }, 'sandbox ready');
    const opened = { store: store.value, sandbox: sandbox.value };
    const accessProbe = createAccessProbe(http);
    return { ...opened, typeChecker, embedder, discovery, sourceKinds, accessProbe, jsonReader, close };
  }
  await close();
  throw store.status === 'rejected' ? store.reason : (sandbox as PromiseRejectedResult).reason;
}

/** The language model in the configuration. It is loaded at its first use. */
function modelEmbedder({ config, folders, logger, assets }: ServerOptions): ProcessEmbedder | undefined {
  const name = config['discovery.model'];
  if (name === undefined) return undefined;
  const installed = modelFolder(folders, name);
  if (!isModelInstalled(installed, name)) {
    const message = `the language model is not installed, so search compares meanings without it; \`executor config set discovery.model ${name}\` installs it`;
    logger.warn({ model: name }, message);
    return undefined;
  }
  return createEmbedder({
    model: modelVersion(name),
    folder: assets.embedding,
    modelFolder: installed,
    onProblem: (message, details) => logger.warn(details, message),
  });
}

/** The paths that no program of a source may read. */
function ownPaths({ data, logs, run, config }: Folders): string[] {
  return [data, logs, run, join(config, 'config.json')];
}

async function serve(
  engine: Engine,
  { config, version, logger, assets, createMcpServer, localToken }: ServerOptions & { localToken: string },
  stopping: AbortSignal,
): Promise<Listener> {
  const names = serverNames(config.host, config.allowedHosts);
  const connections = new Connections({ held: engine.resources.held.connections });
  const app = createApp({
    engine,
    localToken,
    version,
    logger,
    names,
    resource: protectedResource(engine, config),
    createMcpServer,
    webFiles: readWebFiles(assets.web),
    connections,
    parseInThread: jsonParser(assets.jsonWorker),
    stopping,
  });
  const listener = await listen(app, { host: config.host, port: config.port, connections });
  if (!/^(localhost|127\..*|::1)$/.test(config.host)) {
    logger.warn(
      { host: config.host },
      'other machines can reach this server over plain HTTP; put a TLS proxy in front of it to protect keys in transit',
    );
  }
  return listener;
}

/** The authorization server is contacted when the first client sends a token. */
function protectedResource(
  { oauthClients: clients }: Engine,
  { authorizationServer: issuer, publicUrl }: Config,
): ProtectedResource | undefined {
  if (issuer === undefined) return undefined;
  return new ProtectedResource({ server: new AuthorizationServer({ issuer }), clients, publicUrl });
}

/** Runs in the background. `executor doctor` lists the sources that could not be connected. */
function connectConfigured(engine: Engine, { config, logger }: ServerOptions): void {
  if (config.toolSources.length === 0) return;
  engine.connectConfigured(config.toolSources).catch((error) => {
    logger.error({ err: error }, 'could not connect the configured sources');
  });
}

/** The first requests after a start are served before the sources are opened. */
const openAfterMs = 500;

/** Runs in the background. A source that is not open yet is opened at its first use. */
function openSources(engine: Engine, logger: Logger, stopping: AbortSignal): void {
  const open = () =>
    engine.openSources(stopping).catch((error) => {
      if (!stopping.aborted) logger.warn({ err: error }, 'could not open the sources ahead of use');
    });
  setTimeout(() => !stopping.aborted && void open(), openAfterMs).unref();
}

const restartMs = 2_000;

/** Runs in the background. The server answers while the worker looks for abandoned runs. */
function startWorker(engine: Engine, logger: Logger, stopping: AbortSignal): void {
  engine.worker.start().catch((error) => {
    if (stopping.aborted) return;
    logger.error({ err: error }, 'the worker could not start; retrying');
    setTimeout(() => !stopping.aborted && startWorker(engine, logger, stopping), restartMs).unref();
  });
}

/** A worker accepts no requests, so its token is random. */
function localTokenFor({ folders, role }: ServerOptions): string {
  return role === 'worker' ? randomBytes(32).toString('base64url') : ensureLocalToken(folders);
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user without a name.
    return 'owner';
  }
}

/** An address that a browser can open. 0.0.0.0 is not one. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
