import { once } from 'node:events';
import { Client, type ClientConfig } from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { assets, openTestPglite, type TestStore } from '../../test/test-database.ts';
import type { PgliteConnection } from './connection.ts';
import { ensureDataFolder } from './data-folder.ts';
import { PgliteThread } from './thread.ts';

describe('the embedded database behind the pg driver', () => {
  let opened: TestStore;
  beforeAll(async () => {
    opened = await openTestPglite();
  });
  afterAll(() => opened.close());
  const withClient: TestStore['database']['withClient'] = (work) => opened.database.withClient(work);

  test('reports errors with their code, and continues', async () => {
    await withClient(async (client) => {
      await expect(client.query('select nothing')).rejects.toMatchObject({ code: '42703' });
      await expect(client.query('select $1::integer', ['x'])).rejects.toMatchObject({ code: '22P02' });
      expect((await client.query('select $1::integer as number', ['7'])).rows).toEqual([{ number: 7 }]);
    });
  });

  test('refuses statements in a failed transaction until it is rolled back', async () => {
    await withClient(async (client) => {
      await client.query('begin');
      await expect(client.query('oops')).rejects.toMatchObject({ code: '42601' });
      await expect(client.query('select 1')).rejects.toMatchObject({ code: '25P02' });
      await client.query('rollback');
      expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    });
  });

  test('transfers 10 MB in both directions', async () => {
    const text = 'é'.repeat(5_000_000);
    await withClient(async (client) => {
      const { rows } = await client.query('select $1::text as text, length($1) as length', [text]);
      expect(rows[0].length).toBe(5_000_000);
      expect(rows[0].text === text).toBe(true);
    });
  });

  test('transfers a hundred thousand rows', async () => {
    const { rows } = await withClient((client) =>
      client.query('select generate_series(1, 100000) as number'),
    );
    expect([rows.length, rows.at(-1)]).toEqual([100_000, { number: 100_000 }]);
  });

  test('delivers notifications', async () => {
    await withClient(async (client) => {
      const heard = new Promise((resolve) =>
        client.once('notification', ({ channel, payload }) => resolve({ channel, payload })),
      );
      await client.query('listen news');
      await client.query(`notify news, 'hello'`);
      expect(await heard).toEqual({ channel: 'news', payload: 'hello' });
      await client.query('unlisten *');
    });
  });

  test('does not block the event loop during a heavy query', async () => {
    const turnsMeanwhile = async () => {
      let turns = 0;
      const timer = setInterval(() => {
        turns += 1;
      }, 1);
      await withClient((client) =>
        client.query('select sum(number) from generate_series(1, 1000000) as number'),
      );
      clearInterval(timer);
      return turns;
    };
    // On this thread, the query would block the loop each time.
    await expect.poll(turnsMeanwhile).toBeGreaterThan(20);
  });
});

test('a pipeline with an error continues after its Sync, not before', async () => {
  const thread = await newThread();
  const connection = thread.connect();
  // It ends with its thread.
  connection.on('error', () => {});
  const begin = message('', '\0\x03\0\0user\0postgres\0database\0postgres\0\0');
  connection.write(begin);
  await answersOf(connection);
  const execute = (sql: string) => [
    message('P', `\0${sql}\0\0\0`),
    message('B', '\0\0\0\0\0\0\0\0'),
    message('E', '\0\0\0\0\0'),
  ];
  const failing = [...execute('select 1 / 0'), ...execute('select 2'), message('S', '')];
  const working = [...execute('select 3'), message('S', '')];
  connection.write(Buffer.concat([...failing, ...working]));
  // ParseComplete, Error, ReadyForQuery; then ParseComplete, BindComplete, DataRow, CommandComplete, ReadyForQuery.
  expect(await answersOf(connection)).toBe('1EZ');
  expect(await answersOf(connection)).toBe('12DCZ');
});

describe('a connection that replaces another', () => {
  test('gets a clean session without transaction, settings, prepared statements or channels', async () => {
    const connect = clientsOf(await newThread());
    const first = await connect();
    await first.query('create table kept (number integer)');
    await first.query('begin');
    await first.query('insert into kept values (1)');
    await first.query({ name: 'mine', text: 'select 1' });
    await first.query(`set application_name = 'first'; listen news; create temporary table scratch ()`);

    const second = await connect();
    const state = await second.query(`
      select (select count(*)::integer from kept) as kept, now() = statement_timestamp() as fresh, current_setting('application_name') as name,
        (select count(*)::integer from pg_prepared_statements) as prepared, (select count(*)::integer from pg_listening_channels()) as channels,
        to_regclass('scratch') as scratch`);
    expect(state.rows).toEqual([{ kept: 0, fresh: true, name: '', prepared: 0, channels: 0, scratch: null }]);
  });

  test('is not affected by late requests of the previous one', async () => {
    const connect = clientsOf(await newThread());
    const first = await connect();
    const second = await connect();
    await second.query('begin; create table mine (number integer)');
    first.query('rollback').catch(() => {});
    await second.query('commit');
    expect((await second.query(`select to_regclass('mine')::text as mine`)).rows).toEqual([{ mine: 'mine' }]);
  });
});

/** Starts a database thread for the running test. */
async function newThread(): Promise<PgliteThread> {
  const folder = `${temporaryFolder()}/pgdata`;
  await ensureDataFolder(folder, assets.pgliteSnapshot);
  const thread = new PgliteThread({
    program: assets.pgliteWorker,
    folder,
    onDeath: () => {},
    onRequest: () => {},
  });
  onTestFinished(() => thread.close());
  return thread;
}

function clientsOf(thread: PgliteThread): () => Promise<Client> {
  return async () => {
    const stream = (() => thread.connect()) as unknown as ClientConfig['stream'];
    const client = new Client({ user: 'postgres', database: 'postgres', stream });
    // It ends with its thread.
    client.on('error', () => {});
    await client.connect();
    return client;
  };
}

/** A message of the wire protocol. */
function message(type: string, content: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(content, 'latin1')]);
}

/** The types of the messages up to the next ReadyForQuery, without those about settings. */
async function answersOf(connection: PgliteConnection): Promise<string> {
  let types = '';
  while (!types.endsWith('Z')) {
    const [type, size] = [await read(connection, 1), await read(connection, 4)];
    await read(connection, size.readInt32BE() - 4);
    types += type.toString('latin1').replace('S', '');
  }
  return types;
}

async function read(connection: PgliteConnection, length: number): Promise<Buffer> {
  if (length === 0) return Buffer.alloc(0);
  for (;;) {
    const bytes = connection.read(length);
    if (bytes !== null) return bytes;
    await once(connection, 'readable');
  }
}
