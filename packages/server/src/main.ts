import { userInfo } from 'node:os';
import { createEngine, type Engine } from '@executor/engine';
import { type Config, ensureLocalToken, ensurePrivateFolder, type Folders } from '@executor/home';
import { openStore, type StoreAssets } from '@executor/store';
import type { Logger } from 'pino';
import { createApp } from './http/app.ts';
import { serverNames } from './http/host-guard.ts';
import { readWebFiles } from './http/web-files.ts';
import { listen } from './listen.ts';

export interface ServerOptions {
  config: Config;
  folders: Folders;
  version: string;
  logger: Logger;
  assets: ServerAssets;
}

/** Files that the build puts beside the program. */
export interface ServerAssets {
  store: StoreAssets;
  /** The folder of the built web pages. */
  web: string;
}

export interface RunningServer {
  url: string;
  engine: Engine;
  /** Finishes what is under way and lets go of everything; calling it again waits for the same end. */
  stop(): Promise<void>;
}

const graceMs = 10_000;

/** The composition root: the one place that knows which adapters there are. */
export async function startServer({
  config,
  folders,
  version,
  logger,
  assets,
}: ServerOptions): Promise<RunningServer> {
  ensurePrivateFolder(folders.data);
  const localToken = ensureLocalToken(folders);
  const store = await openStore({
    databaseUrl: config.databaseUrl,
    folder: folders.data,
    assets: assets.store,
    onProblem: (message, details) => logger.warn(details, message),
  });
  try {
    const engine = await createEngine({ store, localToken, accountName: accountName() });
    const names = serverNames(config.host, config.allowedHosts);
    const app = createApp({ engine, version, logger, names, webFiles: readWebFiles(assets.web) });
    const listener = await listen(app, config.host, config.port);
    let stopped: Promise<void> | undefined;
    return {
      url: `http://${reachable(config.host)}:${listener.port}`,
      engine,
      stop: () => {
        stopped ??= listener.close(graceMs).then(() => store.close());
        return stopped;
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
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
