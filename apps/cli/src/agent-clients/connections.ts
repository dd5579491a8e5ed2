import { createHash } from 'node:crypto';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  acquireLock,
  ensurePrivateFolder,
  type Folders,
  type Lock,
  readPrivateFile,
  unusable,
  writeCandidate,
} from '@executor/home';
import { ExecutorError } from '@executor/protocol';
import * as z from 'zod';

/** A record of the entry in a client's file, to recognise and undo it. It contains the id of a key, never the key. */
export const Connection = z.object({
  client: z.string(),
  path: z.string(),
  at: z.iso.datetime(),
  transport: z.enum(['stdio', 'http']),
  /** Whether the client's own dialog may approve calls. */
  dialog: z.boolean(),
  keyId: z.string().optional(),
  /** The server that created the key, unless it is the daemon of this machine. */
  server: z.string().optional(),
  /** Keys of earlier entries that Executor could not revoke yet. */
  formerKeys: z.array(z.object({ keyId: z.string(), server: z.string().optional() })).optional(),
  /** The digest of the entry. */
  entry: z.string(),
  /** The digest of the whole file after Executor wrote it. */
  file: z.string(),
  /** The path of the backup of the original file. Undefined if there was no file. */
  backup: z.string().optional(),
  /** Whether Executor added the container, because the file had no servers. */
  madeContainer: z.boolean(),
  /** The program that the entry starts. */
  starts: z.string().optional(),
});
export type Connection = z.infer<typeof Connection>;

export function readConnections(folders: Folders): Connection[] {
  const path = connectionsPath(folders);
  let text: string;
  try {
    text = readPrivateFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw unusable(path, error);
  }
  try {
    return z.array(Connection).parse(JSON.parse(text));
  } catch (cause) {
    throw new ExecutorError(
      'invalidConfig',
      `${path}, the list of connected clients, cannot be read. Move it away. \`executor connect\` can then replace existing entries, but not undo them.`,
      { cause },
    );
  }
}

export function findConnection(folders: Folders, client: string, path: string): Connection | undefined {
  return readConnections(folders).find((one) => one.client === client && one.path === path);
}

/** The caller must hold the lock. */
export function saveConnection(folders: Folders, connection: Connection): void {
  write(folders, [...connectionsExcept(folders, connection), connection]);
}

/** The caller must hold the lock. */
export function removeConnection(folders: Folders, connection: Connection): void {
  write(folders, connectionsExcept(folders, connection));
}

/** Equal values have the same digest, in any order of their keys. */
export function digest(value: unknown): string {
  return createHash('sha256')
    .update(typeof value === 'string' ? value : canonicalJson(value))
    .digest('hex');
}

const lockTimeoutMs = 15_000;

/** Only one command at a time changes the files of clients and the list of connections. */
export async function withLock<T>(folders: Folders, act: () => T): Promise<T> {
  const lock = await waitForLock(folders);
  try {
    return act();
  } finally {
    lock.release();
  }
}

async function waitForLock(folders: Folders): Promise<Lock> {
  ensurePrivateFolder(folders.data);
  const path = join(folders.data, 'connections.lock');
  const deadline = Date.now() + lockTimeoutMs;
  for (;;) {
    const attempt = acquireLock(path);
    if (attempt.type === 'acquired') return attempt.lock;
    if (Date.now() > deadline)
      throw new ExecutorError(
        'conflict',
        `Another \`executor connect\` (process ${attempt.holder.pid}) is still running. Try again when it has ended.`,
      );
    await sleep(50);
  }
}

function connectionsExcept(folders: Folders, { client, path }: Connection): Connection[] {
  return readConnections(folders).filter((one) => one.client !== client || one.path !== path);
}

function write(folders: Folders, connections: Connection[]): void {
  const path = connectionsPath(folders);
  try {
    ensurePrivateFolder(folders.data);
    const candidate = `${path}.${process.pid}.new`;
    writeCandidate(candidate, `${JSON.stringify(connections, null, 2)}\n`);
    renameSync(candidate, path);
  } catch (error) {
    throw unusable(path, error);
  }
}

function connectionsPath(folders: Folders): string {
  return join(folders.data, 'connections.json');
}

function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_, part) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
        : part,
    ) ?? ''
  );
}
