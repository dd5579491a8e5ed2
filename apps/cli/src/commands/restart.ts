import { resolveFolders } from '@executor/home';
import { ensureDaemon } from '../daemon/ensure-daemon.ts';
import { printJson } from '../output.ts';
import { stopDaemon } from './down.ts';

export async function restart({ port, json = false }: { port?: string; json?: boolean }): Promise<void> {
  const folders = resolveFolders(process.env);
  await stopDaemon(folders, false);
  const { record } = await ensureDaemon(folders, { port });
  const { pid, url, version } = record;
  if (json) return printJson({ running: true, pid, url, version });
  console.log(`Executor is running at ${url}`);
}
