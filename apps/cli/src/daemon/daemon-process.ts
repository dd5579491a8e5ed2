import { ensurePrivateFolder, loadConfig } from '@executor/home';
import { ExecutorError, toErrorBody, toExecutorError } from '@executor/protocol';
import { createLogger, type Logger, runDaemon } from '@executor/server';
import { assets } from '../assets.ts';
import type { Environment } from '../environment.ts';
import { version } from '../version.ts';
import type { DaemonReport } from './spawn-daemon.ts';

/** The daemon: the server in a process of its own. It reports once to the command that started it whether the start succeeded. */
export async function daemonProcess(environment: Environment, { port }: { port?: string }): Promise<void> {
  let logger: Logger | undefined;
  try {
    const folders = environment.folders;
    const config = loadConfig({ folders, env: environment.variables, flags: { port } });
    ensurePrivateFolder(folders.logs);
    logger = createLogger({ folders, level: config.logLevel });
    process.on('uncaughtException', (error) => {
      logger?.fatal({ err: error }, 'the daemon ends because of an uncaught error');
      process.exit(70);
    });
    await runDaemon({ config, folders, version, logger, assets, onReady: () => report({ type: 'ready' }) });
  } catch (thrown) {
    const error = toExecutorError(thrown);
    if (error.code !== 'alreadyRunning')
      logger?.error({ err: thrown }, 'the daemon could not start, or ended with an error');
    report({ type: 'failed', body: toErrorBody(error) });
    environment.exitCode = ExecutorError.exitCode(error.code);
  }
}

function report(message: DaemonReport): void {
  if (process.connected) process.send?.(message);
}
