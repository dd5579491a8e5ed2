import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Pool } from 'pg';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { query } from '../test/query.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { assets, createDatabase } from '../test/test-database.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { openPglite } from './pglite/open.ts';
import { openPostgres } from './postgres/open.ts';

const books = "create table books (title text); insert into books values ('One')";
const authors = 'create table authors (name text)';

describe.each([
  ['PGlite', openEmptyPglite],
  ['Postgres', openEmptyPostgres],
])('migrations on %s', (_, open) => {
  test('run once each, in numerical order', async () => {
    const database = await open();
    await migrate(database, folderOf({ '0000_books': books }));
    const both = folderOf({ '0001_more': `insert into books values ('Two')`, '0000_books': books });
    await migrate(database, both);
    await migrate(database, both);
    expect(await rows(database, 'select title from books order by title')).toEqual([
      { title: 'One' },
      { title: 'Two' },
    ]);
    expect(await applied(database)).toEqual(['0000_books', '0001_more']);
  });

  test('that fail leave no trace, and earlier ones are kept', async () => {
    const database = await open();
    const failing = folderOf({
      '0000_books': books,
      '0001_authors': `${authors}; insert into nowhere values (1)`,
    });
    await expect(migrate(database, failing)).rejects.toMatchObject({ code: '42P01' });
    expect(await tables(database)).toEqual(['books', 'executor_migrations']);
    expect(await applied(database)).toEqual(['0000_books']);
    await migrate(database, folderOf({ '0000_books': books, '0001_authors': authors }));
    expect(await tables(database)).toEqual(['authors', 'books', 'executor_migrations']);
  });

  test('leave the database empty if the first one fails', async () => {
    const database = await open();
    await expect(migrate(database, folderOf({ '0000_books': `${books}; oops` }))).rejects.toMatchObject({
      code: '42601',
    });
    expect(await tables(database)).toEqual([]);
  });

  test('refuse and do not change a database that a newer program used', async () => {
    const database = await open();
    await migrate(database, folderOf({ '0000_books': books, '0001_authors': authors }));
    const before = await everything(database);
    await expect(migrate(database, folderOf({ '0000_books': books }))).rejects.toMatchObject({
      code: 'databaseTooNew',
      details: { unknown: '0001_authors', newest: '0000_books' },
    });
    expect(await everything(database)).toEqual(before);
  });

  test('refuse and do not change a database with a migration of another name', async () => {
    const database = await open();
    await migrate(database, folderOf({ '0000_books': books, '0001_theirs': authors }));
    const before = await everything(database);
    const ours = folderOf({
      '0000_books': books,
      '0001_ours': 'create table ours ()',
      '0002_more': 'create table more ()',
    });
    await expect(migrate(database, ours)).rejects.toMatchObject({ code: 'databaseTooNew' });
    expect(await everything(database)).toEqual(before);
  });
});

describe.each([
  ['PGlite', openEmptyPglite],
  ['Postgres', openEmptyPostgres],
])('an upgrade on %s', (_, open) => {
  test('moves the source id of existing source events to its own column', async () => {
    const database = await open();
    await migrate(database, folderOf(migrationsBefore('0007')));
    await query(
      database,
      `insert into events (execution_id, seq, workspace_id, at, type, data) values
        ('exe_1', 1, 'ws_1', now(), 'execution.created', '{}'), ('src_1', 1, 'ws_1', now(), 'source.added', '{}')`,
    );
    await migrate(database, assets.migrations);
    expect(await rows(database, 'select execution_id, source_id, seq from events order by type')).toEqual([
      { execution_id: 'exe_1', source_id: null, seq: 1 },
      { execution_id: null, source_id: 'src_1', seq: 1 },
    ]);
    // As a process of the older version would, if it was not stopped.
    const outdated = `insert into events (execution_id, seq, workspace_id, at, type, data) values
      ('src_1', 2, 'ws_1', now(), 'source.updated', '{}')`;
    await expect(query(database, outdated)).rejects.toThrow();
  });
});

test('concurrent servers on one Postgres run each migration once', async () => {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  const servers = Array.from({ length: 6 }, () => openPostgres({ url, onProblem: () => {} }));
  const slow = folderOf({ '0000_books': `select pg_sleep(0.2); ${books}`, '0001_authors': authors });
  await Promise.all(servers.map((database) => migrate(database, slow)));
  const [first] = servers;
  expect(first && (await rows(first, 'select title from books'))).toEqual([{ title: 'One' }]);
  await Promise.all(servers.map((database) => database.close()));
});

test('migrations continue after their server was killed', async () => {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  const endless = folderOf({ '0000_books': books, '0001_authors': `${authors}; select pg_sleep(600)` });
  const interrupted = openPostgres({ url, onProblem: () => {} });
  const failure = expect(migrate(interrupted, endless)).rejects.toMatchObject({
    code: 'databaseUnavailable',
  });
  await terminateOthers(url);
  await failure;
  await interrupted.close();
  const next = openPostgres({ url, onProblem: () => {} });
  expect(await tables(next)).toEqual(['books', 'executor_migrations']);
  await migrate(next, folderOf({ '0000_books': books, '0001_authors': authors }));
  expect(await applied(next)).toEqual(['0000_books', '0001_authors']);
  await next.close();
});

/** One database for all tests, because opening one takes longer than they do. It is emptied for each of them. */
async function openEmptyPglite(): Promise<Database> {
  shared ??= openPglite({
    folder: sharedFolder,
    worker: assets.pgliteWorker,
    snapshot: assets.pgliteSnapshot,
    onProblem: () => {},
  });
  const database = await shared;
  await query(database, 'drop schema public cascade; create schema public');
  return database;
}

const sharedFolder = mkdtempSync(join(tmpdir(), 'executor-migrate-'));
let shared: Promise<Database> | undefined;
afterAll(async () => {
  await (await shared)?.close();
  rmSync(sharedFolder, { recursive: true });
});

async function openEmptyPostgres(): Promise<Database> {
  const { url, drop } = await createDatabase();
  const database = openPostgres({ url, onProblem: () => {} });
  onTestFinished(async () => {
    await database.close();
    await drop();
  });
  return database;
}

function folderOf(migrations: Record<string, string>): URL {
  const folder = join(temporaryFolder(), 'migrations');
  mkdirSync(folder);
  for (const [name, sql] of Object.entries(migrations)) writeFileSync(join(folder, `${name}.sql`), sql);
  return pathToFileURL(`${folder}/`);
}

function migrationsBefore(number: string): Record<string, string> {
  const names = readdirSync(assets.migrations).filter((name) => name.endsWith('.sql') && name < number);
  return Object.fromEntries(
    names.map((name) => [name.slice(0, -4), readFileSync(new URL(name, assets.migrations), 'utf8')]),
  );
}

async function rows(database: Database, sql: string): Promise<unknown[]> {
  return (await query(database, sql)).rows;
}

async function tables(database: Database): Promise<unknown[]> {
  const found = await rows(
    database,
    `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  );
  return found.map((row) => (row as { relname: string }).relname);
}

async function applied(database: Database): Promise<unknown[]> {
  const found = await rows(database, 'select name from executor_migrations order by number');
  return found.map((row) => (row as { name: string }).name);
}

/** The whole schema, and every row with the transaction that wrote it. */
async function everything(database: Database): Promise<unknown> {
  return {
    relations: await rows(
      database,
      `select oid, relname, relkind, xmin::text from pg_class where oid >= 16384 order by oid`,
    ),
    columns: await rows(
      database,
      `select attrelid, attname, atttypid, xmin::text from pg_attribute where attrelid >= 16384 order by 1, 2`,
    ),
    functions: await rows(
      database,
      `select oid, proname, xmin::text from pg_proc where oid >= 16384 order by 1`,
    ),
    books: await rows(database, 'select xmin::text, * from books'),
    migrations: await rows(database, 'select xmin::text, * from executor_migrations order by number'),
  };
}

/** Ends the connection that sleeps in a migration, as the death of a server would. */
async function terminateOthers(url: string): Promise<void> {
  const pool = new Pool({ connectionString: url, max: 1 });
  const sql = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
  while ((await pool.query(sql)).rowCount === 0);
  await pool.end();
}
