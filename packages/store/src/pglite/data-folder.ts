import { existsSync, readFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { shellQuote, unusable } from '@executor/home';
import { ExecutorError } from '@executor/protocol';
import { syncFolder, unpackSnapshot } from './snapshot.ts';

/** The major version of PGlite's Postgres. It cannot open a data folder of another version. */
const postgresVersion = '18';

/**
 * Creates the data folder on the first start from a snapshot that the build made. `initdb` would take seconds and hundreds of megabytes of
 * memory. The folder gets its name once all of it is on disk. The caller holds the folder's lock, so leftovers of an interrupted first
 * start can be removed.
 */
export async function ensureDataFolder(folder: string, snapshot: URL): Promise<void> {
  if (existsSync(folder)) return requireVersion(folder);
  const candidate = `${folder}.new`;
  try {
    await rm(candidate, { recursive: true, force: true });
    await unpackSnapshot(snapshot, candidate);
    await rename(candidate, folder);
    await syncFolder(dirname(folder));
  } catch (error) {
    await rm(candidate, { recursive: true, force: true });
    throw unusable(folder, error);
  }
}

function requireVersion(folder: string): void {
  const found = versionOf(folder);
  if (found === postgresVersion) return;
  if (found === undefined) throw corrupt(folder, 'it does not hold a database (PG_VERSION is missing)');
  if (!/^\d+$/.test(found)) throw corrupt(folder, 'its file PG_VERSION does not hold a version');
  throw new ExecutorError(
    'databaseTooNew',
    `The database in ${folder} was made by Postgres ${found}, and this version of Executor has Postgres ${postgresVersion}. Use the version of Executor that made it.`,
    { details: { folder, found, expected: postgresVersion } },
  );
}

function versionOf(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(folder, error);
  }
}

export function corrupt(folder: string, problem: string, cause?: unknown): ExecutorError {
  return new ExecutorError(
    'databaseCorrupt',
    `The database in ${folder} cannot be opened: ${problem}. Put a backup of that folder in its place, or move it away (\`mv ${shellQuote(folder)} ${shellQuote(`${folder}.broken`)}\` keeps it) and start with an empty database.`,
    { details: { folder }, cause },
  );
}
