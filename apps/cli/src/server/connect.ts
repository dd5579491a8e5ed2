import type { Client } from '@executor/client';
import { readDaemonRecord } from '@executor/home';
import { ensureDaemon } from '../daemon/ensure-daemon.ts';
import type { Environment } from '../environment.ts';
import { remoteUrl, tokenFor } from './access.ts';
import { createClient } from './client.ts';

/** A client of the server that commands use: the one of EXECUTOR_URL, or else the daemon, which is started if it does not run. */
export async function connect(environment: Environment): Promise<Client> {
  const remote = remoteUrl(environment);
  const url = remote ?? (await ensureDaemon(environment, {})).record.url;
  return createClient({ url, token: tokenFor(environment, url), timeoutMs: 60_000 });
}

/** A client of the server if it answers now. Never starts a daemon: it serves commands that outlive a restart of the daemon. */
export async function reconnect(environment: Environment): Promise<Client | undefined> {
  const url = remoteUrl(environment) ?? readDaemonRecord(environment.folders)?.url;
  if (url === undefined) return undefined;
  try {
    const client = createClient({ url, token: tokenFor(environment, url), timeoutMs: 60_000 });
    await client.health.get({}, { timeoutMs: 3_000 });
    return client;
  } catch {
    return undefined;
  }
}
