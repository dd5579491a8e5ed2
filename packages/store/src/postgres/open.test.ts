import { newId } from '@executor/engine';
import { withoutPassword } from '@executor/home';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startPostgres } from '../../../../scripts/test-postgres.ts';
import { entry } from '../../test/fixture.ts';
import { assets, createDatabase } from '../../test/test-database.ts';
import { openStore } from '../open-store.ts';
import { openPostgres } from './open.ts';

const patience = { timeout: 30_000, interval: 50 };

describe('a Postgres server that restarts', () => {
  test('is reported as away, and found again automatically', async () => {
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    const problems: string[] = [];
    const store = await openStore({
      databaseUrl: server.url,
      folder: '',
      assets,
      onProblem: (message) => problems.push(message),
    });
    onTestFinished(() => store.close());
    expect(await store.installations.find()).toBeUndefined();

    for (let round = 0; round < 2; round++) {
      await server.stop();
      const calls = [
        store.installations.find(),
        store.sessions.createLink(link(), entry('ws')),
        store.apiKeys.findLive('x'),
      ];
      const refused = await Promise.allSettled(calls);
      expect(refused.map((call) => call.status === 'rejected' && call.reason.code)).toEqual(
        calls.map(() => 'databaseUnavailable'),
      );
      expect(store.isAvailable()).toBe(false);
      await server.start();
      await vi.waitUntil(() => store.isAvailable(), patience);
      expect(await store.installations.find()).toBeUndefined();
    }
    expect(problems).toEqual([
      'the database does not answer',
      'the database answers again',
      'the database does not answer',
      'the database answers again',
    ]);
  });

  test('fails only open transactions', async () => {
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    const database = openPostgres({ url: server.url, onProblem: () => {} });
    onTestFinished(() => database.close());
    let begun = () => {};
    const inside = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const transaction = database.transaction(async (sql) => {
      await sql.execute('create table lost (id integer)');
      begun();
      await sql.execute('select pg_sleep(600)');
    });
    const failure = expect(transaction).rejects.toMatchObject({ code: 'databaseUnavailable' });
    await inside;
    await server.stop();
    await failure;
    await server.start();
    await vi.waitUntil(() => database.isAvailable(), patience);
    const { rows } = await database.run((sql) => sql.execute(`select to_regclass('lost') as lost`));
    expect(rows).toEqual([{ lost: null }]);
  });
});

describe('a Postgres database that cannot be used at the start', () => {
  test.each([
    ['because nothing listens there', (url: URL) => Object.assign(url, { port: '1' })],
    ['because its name is not known', (url: URL) => Object.assign(url, { hostname: 'no-such-host.invalid' })],
    ['because the password is wrong', (url: URL) => Object.assign(url, { password: 'geheim' })],
    ['because the user is unknown', (url: URL) => Object.assign(url, { username: 'nobody_knows' })],
    ['because there is no such database', (url: URL) => Object.assign(url, { pathname: '/nowhere' })],
  ])('%s is named in a sentence without the password', async (_, change) => {
    const { url, drop } = await createDatabase();
    onTestFinished(drop);
    const wrong = change(new URL(url));
    const opening = openStore({ databaseUrl: wrong.href, folder: '', assets, onProblem: () => {} });
    const error = await opening.then(
      () => undefined,
      (reason) => reason,
    );
    expect(error).toMatchObject({ code: 'databaseUnavailable' });
    expect(error.message).toContain(`${wrong.host}${wrong.pathname}`);
    expect(error.message).toContain('EXECUTOR_DATABASE_URL');
    expect(error.message).not.toContain(wrong.password);
  });
});

test.each([
  ['postgres://me:geheim@db.example:5432/app?sslmode=require', 'postgres://me@db.example:5432/app'],
  ['postgresql://db.example/app', 'postgresql://db.example/app'],
  ['postgres://me:ge heim', 'the given URL'],
])('%s is shown as %s', (url, shown) => {
  expect(withoutPassword(url)).toBe(shown);
});

function link() {
  const at = new Date();
  return {
    id: newId('ses', at),
    workspaceId: 'ws_1',
    actorId: 'act_1',
    codeHash: 'c',
    createdAt: at,
    expiresAt: at,
  };
}
