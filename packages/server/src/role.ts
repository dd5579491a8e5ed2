import { type Role, type ServerOptions, startServer } from './main.ts';
import { stopSignal } from './stop-signal.ts';

export interface RoleOptions extends ServerOptions {
  role: Exclude<Role, 'all'>;
}

/** Runs one of the roles in this process until a signal tells it to stop. Any number of them may share a machine and a database. */
export async function runRole(options: RoleOptions): Promise<void> {
  const { role, logger, version, concurrency } = options;
  const server = await startServer(options);
  try {
    const about = role === 'server' ? { url: server.url } : { concurrency };
    logger.info({ role, ...about, pid: process.pid, version }, role === 'server' ? 'listening' : 'working');
    await stopSignal(logger);
  } finally {
    await server.stop();
  }
  logger.info('stopped');
}
