import { daemonProcessOf, loadConfig } from '@executor/home';
import { ExecutorError, printable } from '@executor/protocol';
import { findDaemon } from '../../daemon/find-daemon.ts';
import type { Environment } from '../../environment.ts';
import { remoteUrl, tokenFor } from '../../server/access.ts';

/** The output of `status --json`. A pid without `running` means that the daemon is starting or stopping. */
interface Status {
  running: boolean;
  healthy?: boolean;
  pid?: number;
  url?: string;
  version?: string;
  home: string;
  database?: 'pglite' | 'postgres';
  workspaceId?: string;
  /** Why the configuration is invalid. A running daemon keeps the one that it started with. */
  configError?: string;
}

const noServer = 4;

export async function status(environment: Environment, { json = false }: { json?: boolean }): Promise<void> {
  const remote = remoteUrl(environment);
  const found =
    remote === undefined ? await localStatus(environment) : await remoteStatus(environment, remote);
  if (!found.running) environment.exitCode = noServer;
  if (json) return environment.printJson(found);
  environment.print(describe(found));
}

function describe(found: Status): string {
  const { running, pid, configError } = found;
  if (running) return describeRunning(found);
  if (pid !== undefined) return `Executor is starting or stopping (process ${pid}).`;
  if (configError === undefined) return `Executor is not running. Start it with \`executor up\`.`;
  return `Executor is not running, and its configuration is invalid.\n${printable(configError)}`;
}

function describeRunning(found: Status): string {
  const { healthy, pid, url, version, home, database, workspaceId, configError } = found;
  return [
    `Executor ${version} is running at ${url}${pid === undefined ? '' : ` (process ${pid})`}`,
    ...(healthy ? [] : [`It has a problem. \`executor doctor\` and \`executor logs\` say why.`]),
    `  home       ${home}`,
    `  database   ${database}`,
    `  workspace  ${workspaceId}`,
    ...(configError === undefined
      ? []
      : [`Its configuration is now invalid, so it cannot be restarted.\n${printable(configError)}`]),
  ].join('\n');
}

async function localStatus(environment: Environment): Promise<Status> {
  const folders = environment.folders;
  const { home } = folders;
  const found = await findDaemon(folders);
  if (found === undefined)
    return { running: false, home, ...pidOf(daemonProcessOf(folders)), ...configErrorOf(environment) };
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
    ...configErrorOf(environment),
  };
}

function configErrorOf({ folders, variables }: Environment): { configError?: string } {
  try {
    loadConfig({ folders, env: variables });
    return {};
  } catch (error) {
    if (error instanceof ExecutorError) return { configError: error.message };
    throw error;
  }
}

function pidOf(process: { pid: number } | undefined): { pid?: number } {
  return process ? { pid: process.pid } : {};
}

async function remoteStatus(environment: Environment, url: string): Promise<Status> {
  const folders = environment.folders;
  const { createClient } = await import('../../server/client.ts');
  const client = createClient({ url, token: tokenFor(environment, url), timeoutMs: 5_000 });
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
