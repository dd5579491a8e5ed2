import { createClient } from '@executor/client';
import { type DaemonRecord, type Folders, readDaemonRecord } from '@executor/home';
import type { Health } from '@executor/protocol';

export type FoundDaemon = { record: DaemonRecord; health: Health | undefined };

/** The daemon of these folders if its process lives, with what it says of its health. */
export async function findDaemon(folders: Folders): Promise<FoundDaemon | undefined> {
  const record = readDaemonRecord(folders);
  if (record === undefined) return undefined;
  const client = createClient({ url: record.url, timeoutMs: 3_000 });
  return { record, health: await client.health.get().catch(() => undefined) };
}
