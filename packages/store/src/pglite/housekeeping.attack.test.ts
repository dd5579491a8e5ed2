import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openEmbedded } from '../../test/open-embedded.ts';
import { query } from '../../test/query.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

const mebibyte = 1024 * 1024;

test('Writing and deleting over and over does not fill the disk', { timeout: 60_000 }, async () => {
  const folder = temporaryFolder();
  const database = await openEmbedded({ folder });
  await query(database, 'create table contents (id integer, content bytea)');
  const insert = { name: 'insert', text: 'insert into contents values ($1, $2)' };
  const remove = { name: 'remove', text: 'delete from contents where id < $1' };
  const chunk = randomBytes(256 * 1024);
  // Keeps 8 MB of the 128 MB that it writes.
  for (let id = 0; id < 512; id++) {
    await database.query(insert, [id, chunk]);
    if (id % 32 === 31) await database.query(remove, [id - 31]);
  }
  expect(sizeOf(join(folder, 'pgdata')) / mebibyte).toBeLessThan(160);
});

function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) =>
    entry.isFile(),
  );
  return entries.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
