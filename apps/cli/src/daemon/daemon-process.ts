import { ensurePrivateFolder, loadConfig, resolveFolders } from '@executor/home';
import { ExecutorError, toErrorBody, toExecutorError } from '@executor/protocol';
import { createLogger, runDaemon } from '@executor/server';
import { assets } from '../assets.ts';
import { version } from '../version.ts';
import type { DaemonReport } from './spawn-daemon.ts';

/** The daemon: the server in a process of its own. It tells the command that started it how that went, once. */
export async function daemonProcess({ port }: { port?: string }): Promise<void> {
  try {
    const folders = resolveFolders(process.env);
    const config = loadConfig({ folders, env: process.env, flags: { port } });
    ensurePrivateFolder(folders.logs);
    const logger = createLogger({ folders, level: config.logLevel });
    process.on('uncaughtException', (error) => {
      logger.fatal({ err: error }, 'the daemon ends because of an error nobody caught');
      process.exit(70);
    });
    await runDaemon({ config, folders, version, logger, assets, onReady: () => report({ type: 'ready' }) });
  } catch (thrown) {
    const error = toExecutorError(thrown);
    report({ type: 'failed', body: toErrorBody(error) });
    if (error.code === 'internal') console.error(error.cause);
    process.exitCode = ExecutorError.exitCode(error.code);
  }
}

function report(message: DaemonReport): void {
  if (process.connected) process.send?.(message);
}
