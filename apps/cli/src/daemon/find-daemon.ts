import { type DaemonRecord, type Folders, readDaemonRecord } from '@executor/home';
import type { Health } from '@executor/protocol';

type DaemonHealth = Pick<Health, 'status' | 'database'>;

export interface FoundDaemon {
  record: DaemonRecord;
  /** Undefined if the daemon does not answer. */
  health: DaemonHealth | undefined;
}

const timeoutMs = 3_000;

/** The daemon of these folders, if its process is alive. */
export async function findDaemon(folders: Folders): Promise<FoundDaemon | undefined> {
  const record = readDaemonRecord(folders);
  if (record === undefined) return undefined;
  return { record, health: await readHealth(record.url).catch(() => undefined) };
}

/** Most commands need nothing else before their own request. So this neither loads the client nor its schemas, which cost 40 ms. */
async function readHealth(url: string): Promise<DaemonHealth | undefined> {
  const { httpFetch } = await import('../server/http-fetch.ts');
  const response = await httpFetch(new URL('/v1/health', url), {
    method: 'GET',
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const { name, status, database } = await response.json();
  if (name !== 'executor' || (status !== 'ok' && status !== 'degraded')) return undefined;
  return { status, database: database === 'ok' ? 'ok' : 'unavailable' };
}
