import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { userInfo } from 'node:os';
import { type ConnectedSource, createEngine, type Engine, type Source } from '@executor/engine';
import { type Config, ensureLocalToken, ensurePrivateFolder, type Folders } from '@executor/home';
import { createQuickJsSandbox } from '@executor/sandboxes';
import { createHttpClient, createOpenApiSource } from '@executor/sources';
import { openStore, type StoreAssets } from '@executor/store';
import { createTypeChecker } from '@executor/typecheck';
import type { Logger } from 'pino';
import { threadIndexer } from './discovery/indexer.ts';
import { createApp } from './http/app.ts';
import { serverNames } from './http/host-guard.ts';
import { jsonParser } from './http/parse-apart.ts';
import { readWebFiles } from './http/web-files.ts';
import { type Listener, listen } from './listen.ts';
import type { McpServerOf } from './mcp/endpoint.ts';
import { AuthorizationServer } from './oauth/authorization-server.ts';
import { ProtectedResource } from './oauth/protected-resource.ts';

/** What a process does of all that there is to do. */
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
  /** How many executions to run at once. */
  concurrency?: number | undefined;
  /** How long a run stays this process's without a sign of life, and in memory while it only waits. */
  worker?: { leaseMs?: number; evictAfterMs?: number };
  /** Tools beside the product's own. */
  sources?: ConnectedSource[];
  /** What sources may be, instead of what the product knows. */
  sourceKinds?: Source[];
  /** What answers MCP clients, instead of the product's two tools. */
  createMcpServer?: McpServerOf;
}

/** Files that the build puts beside the program. */
export interface ServerAssets {
  store: StoreAssets;
  /** The folder of the built web pages. */
  web: string;
  /** What the sandbox's child processes run from. */
  sandbox: string;
  /** What documents are read by: a folder with the program of a child process. */
  reader: string;
  /** What the type checker's process runs from. */
  typecheck: string;
  /** The program of the thread that reads large bodies. */
  jsonWorker: URL;
  /** The program of the thread that indexes tools. */
  indexWorker: URL;
}

export interface RunningServer {
  /** Where it listens; of a worker, where its configuration says that the server is. */
  url: string;
  engine: Engine;
  /** Finishes what is under way and lets go of everything; calling it again waits for the same end. */
  stop(): Promise<void>;
}

const graceMs = 10_000;

/** The composition root: the one place that knows which adapters there are. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { config, logger, role = 'all' } = options;
  const { serves, works } = roles[role];
  const parts = await openParts(options);
  const stopping = new AbortController();
  // Every request that waits and every stream listens to it.
  setMaxListeners(0, stopping.signal);
  try {
    let listener: Listener | undefined;
    const url = () => `http://${reachable(config.host)}:${listener?.port ?? config.port}`;
    const engine = await createEngine({
      store: parts.store,
      sandboxes: [parts.sandbox],
      typeChecker: parts.typeChecker,
      sources: options.sources ?? [],
      sourceKinds: options.sourceKinds ?? parts.sourceKinds,
      indexer: threadIndexer(options.assets.indexWorker),
      localToken: localTokenFor(options),
      accountName: accountName(),
      version: options.version,
      baseUrl: () => config.publicUrl ?? url(),
      worker: {
        drainMs: config.drainSeconds * 1_000,
        ...options.worker,
        concurrency: options.concurrency,
      },
      onProblem: (message, { error, ...details }) => logger.warn({ ...details, err: error }, message),
    });
    if (serves) listener = await serve(engine, options, stopping.signal);
    if (works) startWorker(engine, logger, stopping.signal);
    if (serves) connectConfigured(engine, options);
    openSources(engine, logger, stopping.signal);
    let stopped: Promise<void> | undefined;
    const stop = async () => {
      stopping.abort();
      engine.sources.stop();
      await Promise.all([listener?.close(graceMs), engine.worker.drain()]);
      await parts.close();
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

/** Both at once: each waits for processes or disks of its own. */
async function openParts({ config, folders, logger, assets }: ServerOptions) {
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
  const sourceKinds: Source[] = [createOpenApiSource({ http, readerFolder: assets.reader })];
  const close = async () => {
    await http.close();
    typeChecker.close();
    if (sandbox.status === 'fulfilled') sandbox.value.close();
    if (store.status === 'fulfilled') await store.value.close();
  };
  if (store.status === 'fulfilled' && sandbox.status === 'fulfilled') {
    logger.debug({ confinement: sandbox.value.confinement.kind }, 'the sandbox is ready');
    return { store: store.value, sandbox: sandbox.value, typeChecker, sourceKinds, close };
  }
  await close();
  throw store.status === 'rejected' ? store.reason : (sandbox as PromiseRejectedResult).reason;
}

async function serve(
  engine: Engine,
  { config, version, logger, assets, createMcpServer }: ServerOptions,
  stopping: AbortSignal,
): Promise<Listener> {
  const names = serverNames(config.host, config.allowedHosts);
  const app = createApp({
    engine,
    version,
    logger,
    names,
    resource: protectedResource(engine, config),
    createMcpServer,
    webFiles: readWebFiles(assets.web),
    parseApart: jsonParser(assets.jsonWorker),
    stopping,
  });
  const listener = await listen(app, config.host, config.port);
  if (!/^(localhost|127\..*|::1)$/.test(config.host)) {
    logger.warn(
      { host: config.host },
      'other machines can reach this server, over plain HTTP; a TLS proxy before it would protect keys on their way',
    );
  }
  return listener;
}

/** Whether the authorization server answers is found out when the first client comes with a token. */
function protectedResource(
  { oauthClients: clients }: Engine,
  { authorizationServer: issuer, publicUrl }: Config,
): ProtectedResource | undefined {
  if (issuer === undefined) return undefined;
  return new ProtectedResource({ server: new AuthorizationServer({ issuer }), clients, publicUrl });
}

/** Nobody waits for it: `executor doctor` tells what could not be connected. */
function connectConfigured(engine: Engine, { config, logger }: ServerOptions): void {
  if (config.toolSources.length === 0) return;
  engine.connectConfigured(config.toolSources).catch((error) => {
    logger.error({ err: error }, 'the configured sources could not be connected');
  });
}

/** Whoever started it asks for something first. */
const openAfterMs = 500;

/** Nobody waits for it: what is not open yet is opened when it is asked for. */
function openSources(engine: Engine, logger: Logger, stopping: AbortSignal): void {
  const open = () =>
    engine.openSources(stopping).catch((error) => {
      if (!stopping.aborted)
        logger.warn({ err: error }, 'the sources could not be opened before they are used');
    });
  setTimeout(() => !stopping.aborted && void open(), openAfterMs).unref();
}

const startAgainMs = 2_000;

/** Nobody waits for it: the server answers while the worker looks for runs that were left behind. */
function startWorker(engine: Engine, logger: Logger, stopping: AbortSignal): void {
  engine.worker.start().catch((error) => {
    if (stopping.aborted) return;
    logger.error({ err: error }, 'the worker could not start, and is started again in a moment');
    setTimeout(() => !stopping.aborted && startWorker(engine, logger, stopping), startAgainMs).unref();
  });
}

/** A worker is asked for nothing by anybody, so nobody holds a token of its. */
function localTokenFor({ folders, role }: ServerOptions): string {
  return role === 'worker' ? randomBytes(32).toString('base64url') : ensureLocalToken(folders);
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user that has no name.
    return 'owner';
  }
}

/** An address to show: nobody can open 0.0.0.0. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
