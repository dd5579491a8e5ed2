import { readDaemonRecords, readLocalToken } from '@executor/home';
import { ExecutorError } from '@executor/protocol';
import type { Environment } from '../environment.ts';

/** The value of EXECUTOR_URL, if it is set. An invalid URL is an error. */
export function remoteUrl(environment: Environment): string | undefined {
  const url = environment.variables.EXECUTOR_URL;
  if (!url) return undefined;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new ExecutorError('usage', `EXECUTOR_URL must be a URL such as http://127.0.0.1:8788, got "${url}".`);
}

/** The token for a server. The local token identifies this user on this machine, so it is sent only to servers of this user's home. */
export function tokenFor(environment: Environment, url: string): string {
  const { folders } = environment;
  const configured = environment.variables.EXECUTOR_TOKEN;
  if (configured) {
    if (/^[!-~]+$/.test(configured)) return configured;
    throw new ExecutorError('usage', 'EXECUTOR_TOKEN contains characters that are not valid in a token.');
  }
  if (!readDaemonRecords(folders).some((record) => record.url === new URL(url).origin)) {
    throw new ExecutorError(
      'unauthenticated',
      `Set EXECUTOR_TOKEN to an API key of the server at ${url}. The local token of this machine is not sent to other servers.`,
    );
  }
  const token = readLocalToken(folders);
  if (token !== undefined) return token;
  throw new ExecutorError(
    'unauthenticated',
    'The local token of the daemon is missing. `executor restart` creates a new one.',
  );
}
