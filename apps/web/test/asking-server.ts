import { mkdtemp, rm } from 'node:fs/promises';
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

export interface AskingServer {
  url: string;
  client: Client;
  stop(): Promise<void>;
}

/** The server with the built pages, and a tool, `desk.ask`, that asks the question it is given, as no source of today does. */
export async function startAskingServer(): Promise<AskingServer> {
  const home = await mkdtemp(join(tmpdir(), 'executor-asking-'));
  const folders = resolveFolders({ EXECUTOR_HOME: home });
  ensurePrivateFolder(folders.logs);
  const server = await startServer({
    config: loadConfig({ folders, env: { EXECUTOR_PORT: '0' } }),
    folders,
    version: '1.2.3',
    logger: createLogger({ folders, level: 'warn' }),
    assets,
    sources: [{ namespace: 'desk', source: new DeskSource(), settings: {} }],
  });
  return {
    url: server.url,
    client: createClient({ url: server.url, token: readLocalToken(folders) ?? '' }),
    async stop() {
      await server.stop();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
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
