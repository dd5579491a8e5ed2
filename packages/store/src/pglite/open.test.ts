import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openEmbedded, testProgram } from '../../test/open-embedded.ts';
import { query } from '../../test/query.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { assets } from '../../test/test-database.ts';
import { ensureDataFolder } from './data-folder.ts';

describe('the lock of an embedded database', () => {
  test('refuses a second process and names the first while that one lives', async () => {
    const folder = temporaryFolder();
    const first = spawn(process.execPath, [
      fileURLToPath(testProgram('writer.program')),
      folder,
      assetFolder(),
    ]);
    onTestFinished(() => void first.kill('SIGKILL'));
    await once(first.stdout, 'data');
    await expect(openEmbedded({ folder })).rejects.toMatchObject({
      code: 'databaseLocked',
      message: expect.stringContaining(`in use by process ${first.pid}`),
      details: { folder: join(folder, 'pgdata'), pid: first.pid },
    });
    first.kill('SIGKILL');
    await once(first, 'close');
    await (await openEmbedded({ folder })).close();
  });

  test('is released when the database is closed, without leftovers', async () => {
    const folder = temporaryFolder();
    const database = await openEmbedded({ folder });
    await expect(openEmbedded({ folder })).rejects.toMatchObject({
      code: 'databaseLocked',
      details: { pid: process.pid },
    });
    await database.close();
    expect(readdirSync(folder)).toEqual(['pgdata']);
    await openEmbedded({ folder });
  });
});

describe('a folder that cannot be opened', () => {
  const breakages: [string, (folder: string) => void][] = [
    ['is empty', (folder) => emptyFolder(folder)],
    ['has garbage for its version', (folder) => writeFileSync(join(folder, 'PG_VERSION'), '\0\x01garbage')],
    ['has an empty control file', (folder) => truncateSync(join(folder, 'global/pg_control'), 0)],
    ['has half a control file', (folder) => truncateSync(join(folder, 'global/pg_control'), 100)],
    [
      'has garbage for a control file',
      (folder) => writeFileSync(join(folder, 'global/pg_control'), Buffer.alloc(8192, 7)),
    ],
    ['has no control file', (folder) => rmSync(join(folder, 'global/pg_control'))],
    ['has no log of changes', (folder) => rmSync(join(folder, 'pg_wal'), { recursive: true })],
    ['has lost the log of changes', (folder) => emptyFolder(join(folder, 'pg_wal'))],
    ['has lost its tables', (folder) => rmSync(join(folder, 'base'), { recursive: true })],
    [
      'has a broken catalogue',
      (folder) => writeFileSync(join(folder, 'base/5/1259'), Buffer.alloc(122_880, 7)),
    ],
    ['has invalid settings', (folder) => writeFileSync(join(folder, 'postgresql.conf'), 'garbage here\n')],
  ];

  test.each(breakages)(
    'because it %s is reported as corrupt with a remedy, and not locked',
    async (_, spoil) => {
      const folder = temporaryFolder();
      const path = join(folder, 'pgdata');
      await ensureDataFolder(path, assets.pgliteSnapshot);
      spoil(path);
      const error = await openEmbedded({ folder }).then(
        () => undefined,
        (reason) => reason,
      );
      expect(error).toMatchObject({ code: 'databaseCorrupt', details: { folder: path } });
      expect(error.message).toContain(`The database in ${path} cannot be opened: `);
      expect(error.message).toContain('Put a backup of that folder in its place, or move it away');
      expect(error.message.length).toBeLessThan(600);
      expect(existsSync(`${path}.lock`)).toBe(false);
    },
  );

  test('because of another Postgres version is reported as such', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'pgdata'));
    writeFileSync(join(folder, 'pgdata/PG_VERSION'), '17\n');
    await expect(openEmbedded({ folder })).rejects.toMatchObject({
      code: 'databaseTooNew',
      details: { folder: join(folder, 'pgdata'), found: '17', expected: '18' },
    });
  });

  test.each([
    ['a file is in its way', 'ENOTDIR', () => join(newFile(), 'below')],
    ['it is a file', 'EEXIST', newFile],
  ])('because %s is reported', async (_, systemCode, newFolder) => {
    const folder = newFolder();
    await expect(openEmbedded({ folder })).rejects.toMatchObject({
      code: 'folderUnusable',
      details: { path: folder, systemCode },
    });
  });

  test.runIf(existsSync('/proc/self'))('because nobody may write there is reported', async () => {
    await expect(openEmbedded({ folder: '/proc/self' })).rejects.toMatchObject({ code: 'folderUnusable' });
  });
});

describe('an embedded database', () => {
  test('starts after an interrupted first start', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'pgdata.lock'), '');
    mkdirSync(join(folder, 'pgdata.new/base'), { recursive: true });
    writeFileSync(join(folder, 'pgdata.new/PG_VERSION'), '1');
    await (await openEmbedded({ folder })).close();
    expect(readdirSync(folder)).toEqual(['pgdata']);
  });

  test('keeps its data when it is opened again', async () => {
    const folder = temporaryFolder();
    const first = await openEmbedded({ folder });
    await query(first, `create table kept as select 'yes' as answer`);
    await first.close();
    expect((await query(await openEmbedded({ folder }), 'select * from kept')).rows).toEqual([
      { answer: 'yes' },
    ]);
  });
});

function assetFolder(): string {
  return dirname(fileURLToPath(assets.pgliteWorker));
}

function emptyFolder(path: string): void {
  rmSync(path, { recursive: true });
  mkdirSync(path);
}

function newFile(): string {
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, '');
  return path;
}
