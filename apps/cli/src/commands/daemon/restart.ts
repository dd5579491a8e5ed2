import { listConfig, readDaemonRecord } from '@executor/home';
import { ensureDaemon } from '../../daemon/ensure-daemon.ts';
import type { Environment } from '../../environment.ts';
import { refuseServerRole, stopDaemon } from './down.ts';

interface RestartOptions {
  port?: string;
  force?: boolean;
  json?: boolean;
}

export async function restart(
  environment: Environment,
  { port, force = false, json = false }: RestartOptions,
): Promise<void> {
  const wanted = port ?? samePort(environment);
  if ((await stopDaemon(environment, { force })) === undefined)
    refuseServerRole(environment.folders, 'restart');
  const { record } = await ensureDaemon(environment, { port: wanted });
  const { pid, url, version } = record;
  if (json) return environment.printJson({ running: true, pid, url, version });
  environment.print(`Executor is running at ${url}`);
}

/** The port of the running daemon that a flag set. It is kept unless the configuration sets one. */
function samePort({ folders, variables }: Environment): string | undefined {
  const record = readDaemonRecord(folders);
  const configured = listConfig({ folders, env: variables }).find(({ key }) => key === 'port');
  return record && configured?.origin === 'default' ? new URL(record.url).port : undefined;
}
