import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Store } from '@executor/engine';
import { Client } from 'pg';
import { afterAll, inject } from 'vitest';
import { storeAssets } from '../build.ts';
import type { Database } from '../src/database.ts';
import { createStore, openDatabase, type StoreOptions } from '../src/open-store.ts';

/** The assets that the test set-up built. */
export const assets = storeAssets(fileURLToPath(new URL('../dist', import.meta.url)));

export interface TestStore {
  store: Store;
  /** The store's database, for statements that the port does not offer. */
  database: Database;
  /** The URL, if the store is on Postgres. */
  url?: string | undefined;
  close(): Promise<void>;
}

/** Opens a store on an embedded database in its own folder. */
export async function openTestPglite(): Promise<TestStore> {
  const folder = mkdtempSync(join(tmpdir(), 'executor-store-test-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    return await openTestStore({ folder }, remove);
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * Lends an empty store on an embedded database. Closing it empties it for the next test of the file, because opening one takes longer than
 * most tests.
 */
export async function borrowTestPglite(): Promise<TestStore> {
  const opened = spare.pop() ?? (await openTestPglite());
  return {
    ...opened,
    async close() {
      await emptyTables(opened.database);
      spare.push(opened);
    },
  };
}

const spare: TestStore[] = [];
afterAll(() => Promise.all(spare.splice(0).map((opened) => opened.close())));

/** Opens a store on a new database of the tests' Postgres server. */
export async function openTestPostgres(): Promise<TestStore> {
  const { url, drop } = await createDatabase();
  return openTestStore({ databaseUrl: url, folder: '/dev/null' }, drop);
}

/** Creates an empty database on a Postgres server, by default the one that all tests share. */
export async function createDatabase(
  server = inject('postgresUrl'),
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await execute(server, `create database ${name}`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` });
  return { url: url.href, drop: () => execute(server, `drop database ${name} with (force)`) };
}

async function openTestStore(
  options: Pick<StoreOptions, 'folder' | 'databaseUrl'>,
  remove: () => void | Promise<void>,
): Promise<TestStore> {
  const database = await openDatabase({ ...options, assets, onProblem: () => {} });
  const store = createStore(database);
  return {
    database,
    store,
    url: options.databaseUrl,
    async close() {
      await store.close();
      await remove();
    },
  };
}

/** Disables triggers, because the audit is append-only. */
function emptyTables(database: Database): Promise<void> {
  return database.transaction(async (sql) => {
    const { rows } = await sql.execute<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public' or tablename = 'job'`,
    );
    await sql.execute('set local session_replication_role = replica');
    for (const { name } of rows) await sql.execute(`delete from ${name}`);
  });
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
