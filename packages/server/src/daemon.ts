import {
  acquireLock,
  daemonLockPath,
  ensurePrivateFolder,
  type Folders,
  type Lock,
  removeDaemonRecord,
  requireOwnFolders,
  thisProcess,
  writeDaemonRecord,
} from '@executor/home';
import { ExecutorError } from '@executor/protocol';
import { type RunningServer, type ServerOptions, startServer } from './main.ts';
import { limitGarbage } from './memory.ts';
import { stopSignal } from './stop-signal.ts';

export interface DaemonOptions extends ServerOptions {
  /** Called when the server answers requests. */
  onReady(server: { url: string }): void;
}

/** Runs the server as the only daemon of its folders, until a stop signal. */
export async function runDaemon(options: DaemonOptions): Promise<void> {
  const lock = lockDaemon(options.folders);
  limitGarbage();
  try {
    const server = await startServer(options);
    try {
      announce(server, options);
      await stopSignal(options.logger);
    } finally {
      await server.stop();
      removeDaemonRecord(options.folders);
    }
    options.logger.info('stopped');
  } finally {
    lock.release();
  }
}

function announce(
  { engine, url }: RunningServer,
  { folders, version, logger, onReady }: DaemonOptions,
): void {
  const { workspaceId } = engine.installation.owner;
  writeDaemonRecord(folders, { ...thisProcess(), url, version, database: engine.store.kind, workspaceId });
  logger.info({ url, pid: process.pid, version, database: engine.store.kind }, 'listening');
  onReady({ url });
}

function lockDaemon(folders: Folders): Lock {
  requireOwnFolders(folders);
  ensurePrivateFolder(folders.run);
  const attempt = acquireLock(daemonLockPath(folders));
  if (attempt.type === 'acquired') return attempt.lock;
  const { pid } = attempt.holder;
  throw new ExecutorError(
    'alreadyRunning',
    `Executor is already running as process ${pid}. \`executor status\` shows its URL, \`executor down\` stops it.`,
    {
      details: { pid },
    },
  );
}
