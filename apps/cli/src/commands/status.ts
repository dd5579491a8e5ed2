import { createClient } from '@executor/client';
import { readLocalToken, resolveFolders } from '@executor/home';
import { findDaemon } from '../daemon/find-daemon.ts';
import { printJson, self } from '../output.ts';

/** What `status --json` prints; the fields after `running` are there when it is true. */
interface Status {
  running: boolean;
  healthy?: boolean;
  pid?: number;
  url?: string;
  version?: string;
  home: string;
  database?: 'pglite' | 'postgres';
  workspaceId?: string;
}

const noServer = 4;

export async function status({ json = false }: { json?: boolean }): Promise<void> {
  const found = process.env.EXECUTOR_URL ? await remoteStatus(process.env.EXECUTOR_URL) : await localStatus();
  if (!found.running) process.exitCode = noServer;
  if (json) return printJson(found);
  if (!found.running) return console.log(`Executor is not running. Start it with \`${self} up\`.`);
  console.log(
    `Executor ${found.version} is running at ${found.url}${found.pid === undefined ? '' : ` (process ${found.pid})`}`,
  );
  if (!found.healthy) console.log(`It is not well: \`${self} doctor\` and \`${self} logs\` say why.`);
  console.log(
    `  home       ${found.home}\n  database   ${found.database}\n  workspace  ${found.workspaceId}`,
  );
}

async function localStatus(): Promise<Status> {
  const { home, ...folders } = resolveFolders(process.env);
  const found = await findDaemon({ home, ...folders });
  if (found === undefined) return { running: false, home };
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
  };
}

async function remoteStatus(url: string): Promise<Status> {
  const folders = resolveFolders(process.env);
  const token = process.env.EXECUTOR_TOKEN ?? readLocalToken(folders);
  const client = createClient({ url, token, signal: AbortSignal.timeout(5_000) });
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
