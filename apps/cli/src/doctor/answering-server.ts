import { readLocalToken } from '@executor/home';
import type { Environment } from '../environment.ts';
import { remoteUrl, tokenFor } from '../server/access.ts';
import type { Installation } from './check.ts';

/** The server that checks can ask. Undefined if none runs. */
export function serverOf(
  environment: Environment,
  { folders, daemon }: Installation,
): { url: string; token: string | undefined } | undefined {
  const remote = remoteUrl(environment);
  if (remote !== undefined) return { url: remote, token: tokenFor(environment, remote) };
  if (daemon?.health?.status !== 'ok') return undefined;
  return { url: daemon.record.url, token: readLocalToken(folders) };
}
