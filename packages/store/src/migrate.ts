import { readdir, readFile } from 'node:fs/promises';
import { ExecutorError } from '@executor/protocol';
import type { PoolClient } from 'pg';
import type { Database } from './database.ts';

interface Migration {
  number: number;
  name: string;
  sql: string;
}

/** Migrations may take longer than other statements. */
const patience = { query_timeout: 10 * 60_000 };

/** Only one process migrates at a time. The number is arbitrary. */
const advisoryLock = 7_203_988;

/**
 * Updates the database to this program's schema. Each migration and its record are one transaction, so an interrupted start continues where
 * it stopped. A database that a newer program migrated is refused before anything changes.
 */
export async function migrate(database: Database, folder: URL): Promise<void> {
  const migrations = await readMigrations(folder);
  await database.withClient(async (client) => {
    // Another server may be running a long migration.
    await client.query({ text: 'select pg_advisory_lock($1)', values: [advisoryLock], ...patience });
    try {
      const applied = await appliedMigrations(client);
      requireKnown(applied, migrations);
      for (const migration of migrations.slice(applied.length)) await apply(client, migration);
    } finally {
      await client.query('select pg_advisory_unlock($1)', [advisoryLock]);
    }
  });
}

async function readMigrations(folder: URL): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file, number) => ({
      number,
      name: file.replace(/\.sql$/, ''),
      sql: await readFile(new URL(file, folder), 'utf8'),
    })),
  );
}

async function appliedMigrations(client: PoolClient): Promise<string[]> {
  const { rows: found } = await client.query(`select to_regclass('executor_migrations') as name`);
  if (found[0]?.name === null) return [];
  const { rows } = await client.query('select name from executor_migrations order by number');
  return rows.map((row) => row.name);
}

function requireKnown(applied: string[], migrations: Migration[]): void {
  const unknown = applied.find((name, number) => migrations[number]?.name !== name);
  if (unknown === undefined) return;
  throw new ExecutorError(
    'databaseTooNew',
    `The database has the schema change "${unknown}", which this version of Executor does not know: a newer version has used it. Nothing was changed. Use that version again, or another database.`,
    { details: { unknown, newest: migrations.at(-1)?.name } },
  );
}

async function apply(client: PoolClient, { number, name, sql }: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(
      'create table if not exists executor_migrations (number integer primary key, name text not null unique, applied_at timestamptz not null default now())',
    );
    await client.query({ text: sql, ...patience });
    await client.query('insert into executor_migrations (number, name) values ($1, $2)', [number, name]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
