import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@executor/client';
import { packTools } from '../../../packages/engine/src/catalog/tool-pack.ts';
import type { Invocation, Question, Source } from '../../../packages/engine/src/ports/source.ts';
import {
  ensurePrivateFolder,
  loadConfig,
  readLocalToken,
  resolveFolders,
} from '../../../packages/home/src/index.ts';
import { createLogger } from '../../../packages/server/src/logs/logger.ts';
import { startServer } from '../../../packages/server/src/main.ts';
import { assets } from './built-assets.ts';

/** A server in the process of the test, with the built pages and a database of its own. */
export interface WebServer {
  url: string;
  /** A client with the local token, to check from outside of the browser. */
  client: Client;
  /** Everything that a page could have changed. */
  state(): Promise<unknown>;
  /** A new one-time link. */
  signInLink(): Promise<string>;
  logs(): Promise<string>;
  /** Cancels all waiting runs, which withdraws their questions. */
  cancelRuns(): Promise<void>;
  /** Stops the server without waiting for calls in flight. */
  stop(): Promise<void>;
  /** Starts it again at the same address, with the same data. */
  start(): Promise<void>;
  /** Stops it and deletes its data. */
  remove(): Promise<void>;
}

/** Its tool `desk.ask` asks the question in its input. No source of the product can ask for a form or a credential yet. */
export async function startWebServer(): Promise<WebServer> {
  const home = await mkdtemp(join(tmpdir(), 'executor-web-'));
  const folders = resolveFolders({ EXECUTOR_HOME: home });
  ensurePrivateFolder(folders.logs);
  const config = loadConfig({ folders, env: { EXECUTOR_PORT: '0', EXECUTOR_DRAIN_SECONDS: '0' } });
  const start = (port: number) =>
    startServer({
      config: { ...config, port },
      folders,
      version: '1.2.3',
      logger: createLogger({ folders, level: 'info' }),
      assets,
      sources: [{ namespace: 'desk', source: new DeskSource(), settings: {} }],
    });
  let server = await start(0);
  const { url } = server;
  const client = createClient({ url, token: readLocalToken(folders) ?? '' });
  return {
    url,
    client,
    state: () =>
      Promise.all([client.apiKeys.list(), client.audit.list({ limit: 200 }), client.settings.get()]),
    signInLink: async () => (await client.sessions.createLink()).url,
    logs: () => readAll(folders.logs),
    async cancelRuns() {
      for (const { id } of (await client.executions.list({ status: 'waiting' })).items)
        await client.executions.cancel({ id });
    },
    stop: () => server.stop(),
    async start() {
      server = await start(Number(new URL(url).port));
    },
    async remove() {
      await server.stop();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function readAll(folder: string): Promise<string> {
  const names = await readdir(folder);
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
}

class DeskSource implements Source {
  readonly kind = 'desk';

  async detect() {
    return undefined;
  }

  async load() {
    const ask = {
      path: 'desk.ask',
      description: 'asks',
      effect: 'read' as const,
      repeatable: true,
      version: '1',
      origin: {},
      inputSchema: { type: 'object' },
    };
    return { tools: packTools([ask]), warnings: [] };
  }

  preview() {
    return {};
  }

  async invoke({ input, ask }: Invocation) {
    const { withinMs, ...question } = input as Question & { withinMs?: number };
    const expires = withinMs === undefined ? {} : { expiresAt: new Date(Date.now() + withinMs) };
    return { type: 'value' as const, value: await ask({ ...question, ...expires }) };
  }
}
