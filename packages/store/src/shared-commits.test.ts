import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestPglite, type TestStore } from '../test/test-database.ts';

let opened: TestStore;
beforeAll(async () => {
  opened = await openTestPglite();
  await opened.database.withClient((client) =>
    client.query('create table written (number integer primary key, by bigint default txid_current())'),
  );
});
beforeEach(() => opened.database.withClient((client) => client.query('delete from written')));
afterAll(() => opened.close());

const insertion = { name: 'test-insert', text: 'insert into written (number) values ($1) returning number' };
const insert = (number: unknown) => opened.database.query<{ number: number }>(insertion, [number]);

/** The written values and the number of transactions. */
async function written() {
  const { rows } = await opened.database.withClient((client) =>
    client.query('select number, by from written order by number'),
  );
  return {
    numbers: rows.map(({ number }) => number),
    transactions: new Set(rows.map(({ by }) => by)).size,
  };
}

test('concurrent statements are committed together, and each gets its own answer', async () => {
  const numbers = Array.from({ length: 120 }, (_, number) => number);
  const answers = await Promise.all(numbers.map(insert));
  expect(answers).toEqual(numbers.map((number) => [{ number }]));
  const { numbers: kept, transactions } = await written();
  expect(kept).toEqual(numbers);
  expect(transactions).toBeLessThanOrEqual(4);
});

test('a refused statement fails alone, and the others are written', async () => {
  const numbers = [1, 2, 3, 2, 'x', 4];
  const answers = await Promise.allSettled(numbers.map(insert));
  expect(answers.map(({ status }) => status)).toEqual([
    ...['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected', 'fulfilled'],
  ]);
  expect(answers[3]).toMatchObject({ reason: { code: '23505' } });
  expect(answers[4]).toMatchObject({ reason: { code: '22P02' } });
  expect(await written()).toMatchObject({ numbers: [1, 2, 3, 4] });
});

test('a value that cannot be sent leaves no transaction open', async () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const answers = await Promise.allSettled([1, 2, circular, 3].map(insert));
  expect(answers.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
  await insert(10);
  await opened.database.withClient((client) => client.query('rollback'));
  expect(await written()).toMatchObject({ numbers: [10] });
});

test('reads and transactions get their turn in between', async () => {
  const first = [5, 6, 7].map(insert);
  const transaction = opened.database.sequence(async (query) => {
    await query(insertion, [8]);
    return query(insertion, [9]);
  });
  const later = [10, 11].map(insert);
  await Promise.all([...first, transaction, ...later]);
  expect((await written()).numbers).toEqual([5, 6, 7, 8, 9, 10, 11]);
});

test('closing the database answers all waiting statements', async () => {
  const closing = await openTestPglite();
  const { database } = closing;
  const select = { name: 'test-select', text: 'select $1::integer as number' };
  const transaction = database.sequence((query) => query(select, [0]));
  const statements = Array.from({ length: 120 }, (_, number) => database.query(select, [number]));
  const later = database.withClient((client) => client.query('select 1'));
  const all = Promise.allSettled([transaction, ...statements, later]);
  await closing.close();
  expect((await all).map(({ status }) => status)).toContain('fulfilled');
});
