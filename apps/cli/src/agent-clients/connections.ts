import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLock, ensurePrivateFolder, type Folders, type Lock, unusable } from '@executor/home';
import { ExecutorError } from '@executor/protocol';
import * as z from 'zod';

/** What was written to a client's file, so that it can be recognised and undone. It holds no key, only a key's id. */
export const Connection = z.object({
  client: z.string(),
  path: z.string(),
  at: z.iso.datetime(),
  transport: z.enum(['stdio', 'http']),
  /** Whether the client's dialog may approve. */
  dialog: z.boolean(),
  keyId: z.string().optional(),
  /** The server that made the key, where it is not the daemon of this machine. */
  server: z.string().optional(),
  /** Keys of entries that this one replaced, which could not be revoked yet. */
  formerKeys: z.array(z.object({ keyId: z.string(), server: z.string().optional() })).optional(),
  /** The entry, as `digest` has it. */
  entry: z.string(),
  /** The whole file after it was written. */
  file: z.string(),
  /** Where the file as it was before is kept; without, there was none. */
  backup: z.string().optional(),
  /** Whether the file had no servers at all before. */
  madeContainer: z.boolean(),
  /** The program that the entry starts. */
  starts: z.string().optional(),
});
export type Connection = z.infer<typeof Connection>;

export function readConnections(folders: Folders): Connection[] {
  const path = connectionsPath(folders);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw unusable(path, error);
  }
  try {
    return z.array(Connection).parse(JSON.parse(text));
  } catch (cause) {
    throw new ExecutorError(
      'invalidConfig',
      `${path}, which lists the clients that were connected, cannot be read. Move it away; entries that were written can then be replaced, but not undone.`,
      { cause },
    );
  }
}

export function findConnection(folders: Folders, client: string, path: string): Connection | undefined {
  return readConnections(folders).find((one) => one.client === client && one.path === path);
}

/** Only under the lock. */
export function keepConnection(folders: Folders, connection: Connection): void {
  write(folders, [...without(folders, connection), connection]);
}

/** Only under the lock. */
export function dropConnection(folders: Folders, connection: Connection): void {
  write(folders, without(folders, connection));
}

/** What is equal has one digest, whatever the order of its keys. */
export function digest(value: unknown): string {
  return createHash('sha256')
    .update(typeof value === 'string' ? value : ordered(value))
    .digest('hex');
}

const patienceMs = 15_000;

/** One command at a time changes clients' files and the list of them. */
export async function withLock<T>(folders: Folders, act: () => T): Promise<T> {
  const lock = await lockOf(folders);
  try {
    return act();
  } finally {
    lock.release();
  }
}

async function lockOf(folders: Folders): Promise<Lock> {
  ensurePrivateFolder(folders.data);
  const path = join(folders.data, 'connections.lock');
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const attempt = acquireLock(path);
    if (attempt.type === 'acquired') return attempt.lock;
    if (Date.now() > deadline)
      throw new ExecutorError(
        'conflict',
        `Another \`executor connect\` (process ${attempt.holder.pid}) is not done yet.`,
      );
    await sleep(50);
  }
}

function without(folders: Folders, { client, path }: Connection): Connection[] {
  return readConnections(folders).filter((one) => one.client !== client || one.path !== path);
}

function write(folders: Folders, connections: Connection[]): void {
  const path = connectionsPath(folders);
  try {
    ensurePrivateFolder(folders.data);
    const candidate = `${path}.${process.pid}.new`;
    writeFileSync(candidate, `${JSON.stringify(connections, null, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(candidate, path);
  } catch (error) {
    throw unusable(path, error);
  }
}

function connectionsPath(folders: Folders): string {
  return join(folders.data, 'connections.json');
}

function ordered(value: unknown): string {
  return (
    JSON.stringify(value, (_, part) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
        : part,
    ) ?? ''
  );
}
