import { cpSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openEmbedded } from '../../test/open-embedded.ts';
import type { PowerCutPlan } from '../../test/power-cut-fs.ts';
import { query } from '../../test/query.ts';
import { seededRandom } from '../../test/seeded-random.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Database } from '../database.ts';

const isLong = process.env.EXECUTOR_TEST_LONG === '1';
const cuts = isLong ? 100 : 2;
const seed = Number(process.env.EXECUTOR_TEST_SEED ?? (isLong ? Date.now() % 1_000_000 : 1));

describe(`a power cut (EXECUTOR_TEST_SEED=${seed})`, () => {
  test.each([
    ['no unsynced change', 0],
    ['any part of the unsynced changes', 0.5],
  ])(
    `${cuts} times loses nothing acknowledged if the disk has %s`,
    async (_, survival) => {
      const random = seededRandom(seed);
      const folder = await newDatabase();
      const acknowledged: number[] = [];
      for (let cut = 0; cut < cuts; cut++) {
        // Every second cut happens when the database is surely open and writing, whatever the seed.
        const after = Math.floor(random() * 300) + (cut % 2 === 1 ? 300 : 0);
        await writeUntilCut(folder, { after, synced: true, survival, seed: seed + cut }, acknowledged);
        expect(await numbersIn(folder)).toEqual(expect.arrayContaining(acknowledged));
      }
      expect(acknowledged.length).toBeGreaterThan(cuts);
    },
    600_000,
  );

  test('would lose acknowledged writes if syncs did not reach the disk', async () => {
    const folder = await newDatabase();
    const acknowledged: number[] = [];
    await writeUntilCut(folder, { after: 300, synced: false, survival: 0, seed }, acknowledged);
    const kept = await numbersIn(folder).catch((): number[] => []);
    expect(acknowledged.filter((number) => !kept.includes(number))).not.toEqual([]);
  });
});

/** A copy of a database with an empty table, which the first test creates. */
async function newDatabase(): Promise<string> {
  original ??= createDatabase();
  const folder = temporaryFolder();
  cpSync(await original, folder, { recursive: true });
  return folder;
}

let original: Promise<string> | undefined;
const originalFolder = mkdtempSync(join(tmpdir(), 'executor-power-cut-'));
afterAll(() => rmSync(originalFolder, { recursive: true }));

async function createDatabase(): Promise<string> {
  const database = await openEmbedded({ folder: originalFolder });
  await query(database, 'create table numbers (number integer primary key, filler text)');
  await database.close();
  return originalFolder;
}

/** Writes until the power cut, records acknowledged numbers, and replaces the folder by the state after the cut. */
async function writeUntilCut(folder: string, plan: PowerCutPlan, acknowledged: number[]): Promise<void> {
  const path = join(folder, 'pgdata');
  writeFileSync(`${path}.plan`, JSON.stringify(plan));
  const database = await openEmbedded({ folder, worker: 'power-cut.worker' }).catch(() => undefined);
  while (database && !existsSync(`${path}.cut`)) {
    const number = acknowledged.length === 0 ? 0 : Math.max(...acknowledged) + 1;
    await write(database, number).then(
      () => acknowledged.push(number),
      () => {},
    );
  }
  await database?.close();
  rmSync(path, { recursive: true });
  renameSync(`${path}.cut`, path);
}

/** Each write is one transaction. Some are followed by other operations on files. */
async function write(database: Database, number: number): Promise<void> {
  const sql = `insert into numbers values (${number}, repeat('x', ${number % 5_000})) on conflict (number) do update set filler = 'again'`;
  await query(database, sql);
  if (number % 20 === 7) await query(database, 'checkpoint');
  if (number % 50 === 13) await query(database, 'vacuum numbers');
}

/** Reads all numbers from the table and from its index, to detect the loss of either. */
async function numbersIn(folder: string): Promise<number[]> {
  const database = await openEmbedded({ folder });
  const [fromTable = [], fromIndex = []] = await database.withClient(async (client) => {
    const read = async (): Promise<number[]> => {
      const { rows } = await client.query('select number from numbers where number >= 0 order by number');
      return rows.map(({ number }) => number);
    };
    await client.query('set enable_indexscan = off; set enable_indexonlyscan = off');
    const table = await read();
    await client.query('reset all; set enable_seqscan = off; set enable_bitmapscan = off');
    return [table, await read()];
  });
  await database.close();
  expect(fromTable).toEqual(fromIndex);
  return fromTable;
}
