import { type Client, createClient } from '@executor/client';
import { ensureLocalToken, readLocalToken, resolveFolders } from '@executor/home';
import { ensureDaemon } from './daemon/ensure-daemon.ts';

/** A client for the server that this command line works with: EXECUTOR_URL, or the daemon, which is started if need be. */
export async function connect(): Promise<Client> {
  const { EXECUTOR_URL, EXECUTOR_TOKEN } = process.env;
  const folders = resolveFolders(process.env);
  if (EXECUTOR_URL)
    return createClient({ url: EXECUTOR_URL, token: EXECUTOR_TOKEN ?? readLocalToken(folders) });
  const { record } = await ensureDaemon(folders, {});
  return createClient({ url: record.url, token: EXECUTOR_TOKEN ?? ensureLocalToken(folders) });
}
