import { createClient } from '@executor/client';
import { daemonProcessOf, type Folders, loadConfig, resolveFolders } from '@executor/home';
import { ExecutorError, printable } from '@executor/protocol';
import { remoteUrl, tokenFor } from '../connect.ts';
import { findDaemon } from '../daemon/find-daemon.ts';
import { printJson, self } from '../output.ts';

/** What `status --json` prints. A pid without `running`: it is starting or stopping. */
interface Status {
  running: boolean;
  healthy?: boolean;
  pid?: number;
  url?: string;
  version?: string;
  home: string;
  database?: 'pglite' | 'postgres';
  workspaceId?: string;
  /** Why the configuration cannot be used. A daemon that runs keeps the one that it started with. */
  configError?: string;
}

const noServer = 4;

export async function status({ json = false }: { json?: boolean }): Promise<void> {
  const remote = remoteUrl();
  const found = remote === undefined ? await localStatus() : await remoteStatus(remote);
  if (!found.running) process.exitCode = noServer;
  if (json) return printJson(found);
  console.log(describe(found));
}

function describe(found: Status): string {
  const { running, pid, configError } = found;
  if (running) return describeRunning(found);
  if (pid !== undefined) return `Executor is starting or stopping (process ${pid}).`;
  if (configError === undefined) return `Executor is not running. Start it with \`${self} up\`.`;
  return `Executor is not running, and cannot start with its configuration.\n${printable(configError)}`;
}

function describeRunning(found: Status): string {
  const { healthy, pid, url, version, home, database, workspaceId, configError } = found;
  return [
    `Executor ${version} is running at ${url}${pid === undefined ? '' : ` (process ${pid})`}`,
    ...(healthy ? [] : [`It is not well: \`${self} doctor\` and \`${self} logs\` say why.`]),
    `  home       ${home}`,
    `  database   ${database}`,
    `  workspace  ${workspaceId}`,
    ...(configError === undefined
      ? []
      : [`It cannot be restarted with its configuration as it is now.\n${printable(configError)}`]),
  ].join('\n');
}

async function localStatus(): Promise<Status> {
  const folders = resolveFolders(process.env);
  const { home } = folders;
  const found = await findDaemon(folders);
  if (found === undefined)
    return { running: false, home, ...pidOf(daemonProcessOf(folders)), ...configErrorOf(folders) };
  const { pid, url, version, database, workspaceId } = found.record;
  return {
    running: true,
    healthy: found.health?.status === 'ok',
    pid,
    url,
    version,
    home,
    database,
    workspaceId,
    ...configErrorOf(folders),
  };
}

function configErrorOf(folders: Folders): { configError?: string } {
  try {
    loadConfig({ folders, env: process.env });
    return {};
  } catch (error) {
    if (error instanceof ExecutorError) return { configError: error.message };
    throw error;
  }
}

function pidOf(process: { pid: number } | undefined): { pid?: number } {
  return process ? { pid: process.pid } : {};
}

async function remoteStatus(url: string): Promise<Status> {
  const folders = resolveFolders(process.env);
  const client = createClient({ url, token: tokenFor(url, folders), timeoutMs: 5_000 });
  const health = await client.health.get();
  const { workspace, server } = await client.me.get();
  return {
    running: true,
    healthy: health.status === 'ok',
    url,
    home: folders.home,
    workspaceId: workspace.id,
    ...server,
  };
}
