import { type Client, createClient } from '@executor/client';
import { readDaemonRecord, readDaemonRecords, readLocalToken } from '@executor/home';
import { ExecutorError } from '@executor/protocol';
import { ensureDaemon } from './daemon/ensure-daemon.ts';
import type { Environment } from './environment.ts';

/** A client for the server that this command line works with: EXECUTOR_URL, or the daemon, which is started if need be. */
export async function connect(environment: Environment): Promise<Client> {
  const remote = remoteUrl(environment);
  const url = remote ?? (await ensureDaemon(environment, {})).record.url;
  return createClient({ url, token: tokenFor(environment, url), timeoutMs: 60_000 });
}

/** A client for the server if it answers now; nothing is started. For a command that outlives a restart of the daemon. */
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

/** EXECUTOR_URL, if it is set and is one. */
export function remoteUrl(environment: Environment): string | undefined {
  const url = environment.variables.EXECUTOR_URL;
  if (!url) return undefined;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new ExecutorError('usage', `EXECUTOR_URL must be a URL such as http://127.0.0.1:8788, got "${url}".`);
}

/** The local token stands for this user on this machine: it is sent to this user's daemon, and to nobody else. */
export function tokenFor(environment: Environment, url: string): string {
  const { folders } = environment;
  const given = environment.variables.EXECUTOR_TOKEN;
  if (given) {
    if (/^[!-~]+$/.test(given)) return given;
    throw new ExecutorError('usage', 'EXECUTOR_TOKEN holds characters that no token has.');
  }
  if (!readDaemonRecords(folders).some((record) => record.url === new URL(url).origin)) {
    throw new ExecutorError(
      'unauthenticated',
      `Set EXECUTOR_TOKEN to a key of the server at ${url}; the token of this machine is not sent elsewhere.`,
    );
  }
  const token = readLocalToken(folders);
  if (token !== undefined) return token;
  throw new ExecutorError(
    'unauthenticated',
    'The local token of the daemon is gone. `executor restart` makes a new one.',
  );
}
