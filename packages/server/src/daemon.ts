import { once } from 'node:events';
import {
  acquireLock,
  daemonLockPath,
  ensurePrivateFolder,
  type Folders,
  type Lock,
  removeDaemonRecord,
  thisProcess,
  writeDaemonRecord,
} from '@executor/home';
import { ExecutorError } from '@executor/protocol';
import { type RunningServer, type ServerOptions, startServer } from './main.ts';

export interface DaemonOptions extends ServerOptions {
  /** Told once the server answers. */
  onReady(server: { url: string }): void;
}

/** Runs the server as the one daemon of its folders, until it is told to stop by a signal. */
export async function runDaemon(options: DaemonOptions): Promise<void> {
  const { folders, logger, version } = options;
  const lock = lockDaemon(folders);
  try {
    const server = await startServer(options);
    const { engine, url } = server;
    const { workspaceId } = engine.installation.owner;
    writeDaemonRecord(folders, { ...thisProcess(), url, version, database: engine.store.kind, workspaceId });
    logger.info({ url, pid: process.pid, version, database: engine.store.kind }, 'listening');
    options.onReady({ url });
    await stopSignal(options);
    await shutDown(server, options);
  } finally {
    lock.release();
  }
}

function lockDaemon(folders: Folders): Lock {
  ensurePrivateFolder(folders.run);
  const attempt = acquireLock(daemonLockPath(folders));
  if (attempt.type === 'acquired') return attempt.lock;
  const { pid } = attempt.holder;
  throw new ExecutorError(
    'alreadyRunning',
    `Executor already runs as process ${pid}. \`executor status\` tells where, \`executor down\` stops it.`,
    {
      details: { pid },
    },
  );
}

async function stopSignal({ logger }: DaemonOptions): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  const name = await Promise.race(
    (['SIGTERM', 'SIGINT', 'SIGHUP'] as const).map((event) =>
      once(process, event, { signal }).then(() => event),
    ),
  );
  controller.abort();
  logger.info({ signal: name }, 'stopping: finishing the requests under way');
}

async function shutDown(server: RunningServer, { folders, logger }: DaemonOptions): Promise<void> {
  removeDaemonRecord(folders);
  await server.stop();
  logger.info('stopped');
}
