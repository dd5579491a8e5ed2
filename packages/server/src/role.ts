import { setPriority } from 'node:os';
import { removeDaemonRecord, thisProcess, writeDaemonRecord } from '@executor/home';
import { type Role, type RunningServer, type ServerOptions, startServer } from './main.ts';
import { limitGarbage } from './memory.ts';
import { stopSignal } from './stop-signal.ts';

/** Runs wait while a server on the same machine answers people. */
const workerPriority = 3;

export interface RoleOptions extends ServerOptions {
  role: Exclude<Role, 'all'>;
}

/** Runs one role in this process until a stop signal. Any number of processes may share a machine and a database. */
export async function runRole(options: RoleOptions): Promise<void> {
  const { role, logger, version, concurrency } = options;
  limitGarbage();
  if (role === 'worker') setPriority(workerPriority);
  const server = await startServer(options);
  try {
    const about = role === 'server' ? { url: server.url } : { concurrency };
    if (role === 'server') announce(server, options);
    logger.info({ role, ...about, pid: process.pid, version }, role === 'server' ? 'listening' : 'working');
    await stopSignal(logger);
  } finally {
    await server.stop();
    if (role === 'server') removeDaemonRecord(options.folders, { role });
  }
  logger.info('stopped');
}

/** Commands of this home use the server then, instead of starting a daemon. The server works without a record, too. */
function announce({ engine, url }: RunningServer, { folders, version, logger }: RoleOptions): void {
  const { workspaceId } = engine.installation.owner;
  const database = engine.store.kind;
  try {
    writeDaemonRecord(folders, { ...thisProcess(), url, version, database, workspaceId, role: 'server' });
  } catch (error) {
    logger.warn(
      { err: error },
      'commands of this home cannot find this server: its record cannot be written',
    );
  }
}
