import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { openEmbedded } from '../../test/open-embedded.ts';
import { query } from '../../test/query.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

const [rounds, attempts] = process.env.EXECUTOR_TEST_LONG === '1' ? [5, 6] : [1, 2];
const patience = { timeout: 30_000, interval: 50 };

describe('a disk that is full', () => {
  test.each([
    ['for tables', '/base/'],
    ['for the log of changes', '/pg_wal/'],
    ['for everything', '.'],
  ])('%s is reported as such, and loses nothing acknowledged', async (_, full) => {
    const folder = temporaryFolder();
    const database = await openEmbedded({ folder, worker: 'refusing-disk.worker' });
    await query(database, 'create table numbers (number integer primary key, filler text)');
    await query(database, 'alter table numbers alter column filler set storage external');
    const acknowledged: number[] = [];
    let next = 0;
    const write = async (filler = 100) => {
      const number = next++;
      await query(database, `insert into numbers values (${number}, repeat('x', ${filler}))`);
      acknowledged.push(number);
    };

    for (let round = 0; round < rounds; round++) {
      for (let count = 0; count < 5; count++) await write();
      writeFileSync(join(folder, 'pgdata.refusal'), `ENOSPC ${full}`);
      const refusals = await refusalsOf(async () => {
        await write(300_000);
        await query(database, 'checkpoint');
      }, attempts);
      expect(new Set(refusals)).toEqual(new Set(['storageFull']));
      rmSync(join(folder, 'pgdata.refusal'));
      // The database must come back without a request.
      await vi.waitUntil(() => database.isAvailable(), patience);
      await vi.waitFor(() => write(), patience);
    }

    const { rows } = await query(database, 'select number from numbers order by number');
    expect(rows.map(({ number }) => number)).toEqual(expect.arrayContaining(acknowledged));
    await database.close();
    const again = await openEmbedded({ folder });
    const { rows: reopened } = await query(again, 'select number from numbers order by number');
    expect(reopened).toEqual(rows);
  });

  test('does not prevent closing the database', async () => {
    const folder = temporaryFolder();
    const database = await openEmbedded({ folder, worker: 'refusing-disk.worker' });
    await query(database, 'create table kept ()');
    writeFileSync(join(folder, 'pgdata.refusal'), 'ENOSPC .');
    await database.close();
    rmSync(join(folder, 'pgdata.refusal'));
    expect((await query(await openEmbedded({ folder }), 'select * from kept')).rows).toEqual([]);
  });

  test('at the start is not reported as a corrupt database', async () => {
    const folder = temporaryFolder();
    await (await openEmbedded({ folder })).close();
    writeFileSync(join(folder, 'pgdata.refusal'), 'ENOSPC .');
    const path = join(folder, 'pgdata');
    await expect(openEmbedded({ folder, worker: 'refusing-disk.worker' })).rejects.toMatchObject({
      code: 'storageFull',
      message: `Cannot use ${path}: the disk is full. Free some space, or set EXECUTOR_HOME to another folder.`,
      details: { path, systemCode: 'ENOSPC' },
    });
    rmSync(join(folder, 'pgdata.refusal'));
    await openEmbedded({ folder });
  });
});

describe.each([
  ['can only be read', 'EROFS', 'it is on a read-only file system'],
  ['fails', 'EIO', 'the disk reports errors'],
])('a disk that %s', (_, systemCode, explanation) => {
  test('is reported as such, and works again when it is writable', async () => {
    const folder = temporaryFolder();
    const [path, sign] = [join(folder, 'pgdata'), join(folder, 'pgdata.refusal')];
    const database = await openEmbedded({ folder, worker: 'refusing-disk.worker' });
    await query(database, 'create table kept ()');
    writeFileSync(sign, `${systemCode} .`);
    const refusals = await refusalsOf(async () => {
      await query(database, 'insert into kept default values');
    }, attempts);
    expect(refusals).toEqual(refusals.map(() => 'databaseUnavailable'));
    await database.close();
    await expect(openEmbedded({ folder, worker: 'refusing-disk.worker' })).rejects.toMatchObject({
      code: 'folderUnusable',
      message: expect.stringContaining(`Cannot use ${path}: ${explanation}.`),
      details: { path, systemCode },
    });
    rmSync(sign);
    expect((await query(await openEmbedded({ folder }), 'select from kept')).rowCount).toBe(0);
  });
});

/** The error codes of several attempts, or `none` for one that succeeds. */
async function refusalsOf(attempt: () => Promise<void>, times: number): Promise<string[]> {
  const codes: string[] = [];
  for (let count = 0; count < times; count++) {
    const refusal = await attempt().then(
      () => 'none',
      (error) => error.code,
    );
    codes.push(refusal);
  }
  return codes;
}
