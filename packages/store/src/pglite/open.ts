import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireLock, ensurePrivateFolder, type Lock } from '@executor/home';
import { ExecutorError } from '@executor/protocol';
import { Pool } from 'pg';
import { Database } from '../database.ts';
import { corrupt, ensureDataFolder } from './data-folder.ts';
import { Housekeeping } from './housekeeping.ts';
import { PgliteThread } from './thread.ts';

export interface PgliteOptions {
  /** The parent folder of the database folder and its lock. */
  folder: string;
  /** The built worker program, and the snapshot of an empty database. */
  worker: URL;
  snapshot: URL;
  onProblem(message: string, details: Record<string, unknown>): void;
}

/** The embedded database: PGlite on a worker thread behind the ordinary `pg` driver. */
export async function openPglite({ folder, worker, snapshot, onProblem }: PgliteOptions): Promise<Database> {
  ensurePrivateFolder(folder);
  const dataFolder = join(folder, 'pgdata');
  const lock = lockFolder(dataFolder);
  let house: Housekeeping | undefined;
  try {
    await ensureDataFolder(dataFolder, snapshot);
    const thread = new PgliteThread({
      program: worker,
      folder: dataFolder,
      onDeath: (error) =>
        onProblem('the embedded database stopped and is started again', { reason: error.message }),
      onRequest: (bytes) => house?.count(bytes),
    });
    await thread.start().catch((error: Error) => {
      throw error instanceof ExecutorError ? error : corrupt(dataFolder, error.message, error);
    });
    const pool = new Pool({
      max: 1,
      stream: () => thread.connect(),
      user: 'postgres',
      database: 'postgres',
      idleTimeoutMillis: 0,
    });
    const database = new Database({
      kind: 'pglite',
      pool,
      onProblem,
      unavailable: (reason) =>
        `The embedded database in ${dataFolder} does not answer (${reason}). Look at \`executor logs\` and at the free space of that disk; it is tried again every few seconds.`,
      async disk() {
        const { bavail, blocks, bsize } = await statfs(dataFolder);
        return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
      },
      async release() {
        house?.stop();
        await thread.close();
        lock.release();
      },
    });
    house = new Housekeeping(database);
    return database;
  } catch (error) {
    lock.release();
    throw error;
  }
}

function lockFolder(dataFolder: string): Lock {
  const attempt = acquireLock(`${dataFolder}.lock`);
  if (attempt.type === 'acquired') return attempt.lock;
  const { pid } = attempt.holder;
  throw new ExecutorError(
    'databaseLocked',
    `The database in ${dataFolder} is in use by process ${pid}. Stop that process first (\`executor down\`, if it is the daemon), or set EXECUTOR_HOME to another folder.`,
    { details: { folder: dataFolder, pid } },
  );
}
