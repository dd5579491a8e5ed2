import { type Account, chargeTo, HeldResource } from '@executor/engine';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openTestPglite, openTestPostgres, type TestStore } from '../test/test-database.ts';

const agent = (key: string): Account => ({ kind: 'agent', key, workspaceId: 'w' });
const person: Account = { kind: 'person', key: 'ada', workspaceId: 'w' };
const select = { name: 'test-turn', text: 'select $1::text as who' };
const large = { ...select, name: 'test-large-turn', isLarge: true };

describe.each([
  [
    'PGlite',
    openTestPglite,
    { perKey: 1, agents: 1, total: 1 },
    { statement: 55, large: 30, transaction: 60 },
  ],
  // Here agents continue beside the person, some dozens on a busy machine. Without turns, nearly all 180 are first.
  [
    'Postgres',
    openTestPostgres,
    { perKey: 2, agents: 3, total: 5 },
    { statement: 90, large: 90, transaction: 90 },
  ],
])('on %s', (_, open, limits, most) => {
  let opened: TestStore;
  const turns = new HeldResource('statements', limits);
  beforeAll(async () => {
    opened = await open();
    opened.store.shareTurns(turns);
    await openAllConnections();
  });
  afterAll(() => opened?.close());

  /** A new connection takes long on a busy machine, and meanwhile others continue. */
  async function openAllConnections(): Promise<void> {
    let open = 0;
    const hold = () =>
      opened.database.withClient(async (client) => {
        await client.query('select 1');
        open += 1;
        await vi.waitFor(() => expect(open).toBe(limits.total), 30_000);
      });
    const accounts = Array.from({ length: limits.total }, (_, number) =>
      number < limits.agents ? agent(`warm ${number}`) : person,
    );
    await Promise.all(accounts.map((account) => chargeTo(account, hold)));
  }

  /** Starts many accesses of agents, then one of a person. Returns how many of the agents' were finished before it. */
  async function finishedBefore(access: (who: string) => Promise<unknown>): Promise<number> {
    let finished = 0;
    const crowd = ['a', 'b', 'c'].flatMap((key) =>
      Array.from({ length: 60 }, () =>
        chargeTo(agent(key), () => access(key)).then(() => {
          finished += 1;
        }),
      ),
    );
    await crowd[0];
    const before = finished;
    await chargeTo(person, () => access('ada'));
    const between = finished - before;
    await Promise.all(crowd);
    expect(finished).toBe(180);
    return between;
  }

  test('A person waits for a few statements of agents, not for all that wait', async () => {
    expect(await finishedBefore((who) => opened.database.query(select, [who]))).toBeLessThanOrEqual(
      most.statement,
    );
    expect(await finishedBefore((who) => opened.database.query(large, [who]))).toBeLessThanOrEqual(
      most.large,
    );
  });

  test('A person waits for a few transactions of agents, not for all that wait', async () => {
    const transaction = (who: string) =>
      opened.database.sequence(async (query) => {
        await query(select, [who]);
        return query(select, [who]);
      });
    expect(await finishedBefore(transaction)).toBeLessThanOrEqual(most.transaction);
  });

  test('Agents take turns, and leave connections to people', async () => {
    const order: string[] = [];
    const access = (key: string) =>
      chargeTo(agent(key), () =>
        opened.database.withClient(async (client) => {
          order.push(key);
          await client.query('select 1');
        }),
      );
    await Promise.all([...Array.from({ length: 40 }, () => access('a')), access('b')]);
    expect(order.indexOf('b')).toBeLessThanOrEqual(6);
    expect(turns.usage()).toMatchObject({ used: 0, waiting: 0 });
  });

  test('A large write shares no commit with many others', async () => {
    let finished = 0;
    const text = 'x'.repeat(2 * 1024 * 1024);
    const writes = Array.from({ length: 8 }, () =>
      chargeTo(agent('a'), () => opened.database.query(select, [text])).then(() => {
        finished += 1;
      }),
    );
    await writes[0];
    const before = finished;
    await chargeTo(person, () => opened.database.query(select, ['ada']));
    expect(finished - before).toBeLessThanOrEqual(5);
    await Promise.all(writes);
  });
});
