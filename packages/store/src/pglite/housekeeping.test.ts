import { expect, test } from 'vitest';
import { openEmbedded } from '../../test/open-embedded.ts';
import { query } from '../../test/query.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { reclaimSpace } from './housekeeping.ts';

test('the embedded database reuses the space of changed and removed rows', async () => {
  const database = await openEmbedded({ folder: temporaryFolder() });
  await query(database, `create table "Odd name" (id integer primary key, text text)`);
  await query(database, `insert into "Odd name" select n, repeat('x', 100) from generate_series(1, 2000) n`);
  const size = async () =>
    Number((await query(database, `select pg_relation_size('"Odd name"') as size`)).rows[0].size);
  const rewrite = async () => {
    await query(database, `update "Odd name" set text = text`);
    // Postgres updates its counters once a second unless it is forced to.
    await query(database, 'select pg_stat_force_next_flush()');
  };
  await rewrite();
  await reclaimSpace(database);
  const before = await size();
  for (let round = 0; round < 5; round++) {
    await rewrite();
    await reclaimSpace(database);
  }
  expect(await size()).toBeLessThan(before * 1.5);
});
