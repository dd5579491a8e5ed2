import { type Folders, listConfig, readDaemonRecord, resolveFolders } from '@executor/home';
import { ensureDaemon } from '../daemon/ensure-daemon.ts';
import { printJson } from '../output.ts';
import { refuseServerRole, stopDaemon } from './down.ts';

interface RestartOptions {
  port?: string;
  force?: boolean;
  json?: boolean;
}

export async function restart({ port, force = false, json = false }: RestartOptions): Promise<void> {
  const folders = resolveFolders(process.env);
  const wanted = port ?? samePort(folders);
  if ((await stopDaemon(folders, { force })) === undefined) refuseServerRole(folders, 'restart');
  const { record } = await ensureDaemon(folders, { port: wanted });
  const { pid, url, version } = record;
  if (json) return printJson({ running: true, pid, url, version });
  console.log(`Executor is running at ${url}`);
}

/** The port that the running daemon was given by a flag, which is kept unless the configuration names one. */
function samePort(folders: Folders): string | undefined {
  const record = readDaemonRecord(folders);
  const configured = listConfig({ folders, env: process.env }).find(({ key }) => key === 'port');
  return record && configured?.origin === 'default' ? new URL(record.url).port : undefined;
}
