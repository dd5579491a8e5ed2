import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensurePrivateFolder, loadConfig, readLocalToken, resolveFolders } from '@executor/home';
import { test as baseTest } from 'vitest';
import { vectorsFile } from '../../discovery/build.ts';
import { NotesSource } from '../../engine/test/notes-source.ts';
import { ShelfSource } from '../../engine/test/shelf-source.ts';
import { storeAssets } from '../../store/build.ts';
import { createLogger, logFilePath } from '../src/logs/logger.ts';
import { type ServerOptions, startServer } from '../src/main.ts';

/** A short drain time, because a test may leave a write hanging. */
const quick = { EXECUTOR_PORT: '0', EXECUTOR_LOG_LEVEL: 'debug', EXECUTOR_DRAIN_SECONDS: '8' };

/** A real server on a free port, with its own database, and tools that record their calls. */
export async function startTestServer(
  env: NodeJS.ProcessEnv = {},
  { realSources = false, ...more }: Pick<ServerOptions, 'createMcpServer'> & { realSources?: boolean } = {},
) {
  const home = await mkdtemp(join(tmpdir(), 'executor-server-'));
  const folders = resolveFolders({ EXECUTOR_HOME: home });
  const config = loadConfig({ folders, env: { ...quick, ...env } });
  const notes = new NotesSource();
  const shelf = new ShelfSource();
  ensurePrivateFolder(folders.logs);
  const start = (port: number) =>
    startServer({
      config: { ...config, port },
      folders,
      version: '1.2.3',
      logger: createLogger({ folders, level: config.logLevel }),
      assets,
      sources: [{ namespace: 'notes', source: notes, settings: {} }],
      ...(!realSources && { sourceKinds: [shelf] }),
      ...more,
    });
  let server = await start(config.port).catch(async (error) => {
    await rm(home, { recursive: true, force: true });
    throw error;
  });
  let restarted = Promise.resolve();
  return {
    url: server.url,
    get engine() {
      return server.engine;
    },
    notes,
    shelf,
    folders,
    localToken: readLocalToken(folders) ?? '',
    readLog: () => readFile(logFilePath(folders), 'utf8'),
    stop: () => server.stop(),
    /** Restarts it at the same address. Restarts run one after the other. */
    restart() {
      restarted = restarted.then(async () => {
        await server.stop();
        server = await start(Number(new URL(server.url).port));
      });
      return restarted;
    },
    async [Symbol.asyncDispose]() {
      await restarted;
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

const assets = {
  store: storeAssets(fileURLToPath(new URL('../../store/dist', import.meta.url))),
  web: fileURLToPath(new URL('./web', import.meta.url)),
  sandbox: fileURLToPath(new URL('../../sandboxes/dist/quickjs', import.meta.url)),
  reader: fileURLToPath(new URL('../../sources/dist/reader', import.meta.url)),
  typecheck: fileURLToPath(new URL('../../typecheck/dist', import.meta.url)),
  embedding: fileURLToPath(new URL('../../embedding/dist', import.meta.url)),
  jsonWorker: new URL('../dist/json-worker.js', import.meta.url),
  wordVectors: pathToFileURL(vectorsFile),
  indexWorker: new URL('../dist/index-worker.js', import.meta.url),
  printWorker: new URL('../dist/print-worker.js', import.meta.url),
};

export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

/**
 * Tests with the fixture `server`: one server for all test files of a vitest worker, which run one after the other. A file that needs
 * other settings, or that leaves rules or a PIN behind, starts a server of its own.
 */
// biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the fixtures from the pattern
export const test = baseTest.extend('server', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const server = await startTestServer();
  onCleanup(() => server[Symbol.asyncDispose]());
  return server;
});

/** Sends a request without the client package. */
export async function call(
  server: { url: string },
  method: string,
  path: string,
  init: { token?: string; headers?: Record<string, string>; body?: unknown; signal?: AbortSignal } = {},
) {
  const response = await fetch(`${server.url}${path}`, {
    method,
    ...(init.signal && { signal: init.signal }),
    headers: {
      ...(init.token !== undefined && { authorization: `Bearer ${init.token}` }),
      ...(init.body !== undefined && { 'content-type': 'application/json' }),
      ...init.headers,
    },
    ...(init.body !== undefined && {
      body: typeof init.body === 'string' ? init.body : JSON.stringify(init.body),
    }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parse(text) };
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the server answered
function parse(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
