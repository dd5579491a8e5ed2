import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolders } from '../test/temporary-folders.ts';
import {
  type DaemonRecord,
  readDaemonRecord,
  readDaemonRecords,
  removeDaemonRecord,
  writeDaemonRecord,
} from './daemon-record.ts';
import { thisProcess } from './process-identity.ts';

const record: DaemonRecord = {
  ...thisProcess(),
  url: 'http://127.0.0.1:8788',
  version: '0.1.0',
  database: 'pglite',
  workspaceId: 'ws_1',
};

test('a record is read back while its daemon is alive, and gone once removed', () => {
  const folders = withRunFolder();
  writeDaemonRecord(folders, record);
  expect(readDaemonRecord(folders)).toEqual(record);
  expect(readdirSync(folders.run)).toEqual(['daemon.json']);
  removeDaemonRecord(folders);
  removeDaemonRecord(folders);
  expect(readDaemonRecord(folders)).toBeUndefined();
});

test('the record of a daemon whose number another process has now is as good as none', () => {
  const folders = withRunFolder();
  writeDaemonRecord(folders, { ...record, startedAt: 'earlier' });
  expect(readDaemonRecord(folders)).toBeUndefined();
});

test.each(['', '{', '{"pid": "one"}'])('a record that reads %j is as good as none', (text) => {
  const folders = withRunFolder();
  writeFileSync(join(folders.run, 'daemon.json'), text);
  expect(readDaemonRecord(folders)).toBeUndefined();
});

test('the daemon is found first, then each server that lives; a dead server’s record is removed', () => {
  const folders = withRunFolder();
  const server: DaemonRecord = { ...record, url: 'http://127.0.0.1:9000', role: 'server' };
  writeFileSync(join(folders.run, 'server-1.json'), JSON.stringify({ ...server, startedAt: 'earlier' }));
  writeDaemonRecord(folders, server);
  expect(readdirSync(folders.run)).toEqual([`server-${process.pid}.json`]);
  expect(readDaemonRecord(folders)).toEqual(server);
  writeDaemonRecord(folders, record);
  expect(readDaemonRecords(folders)).toEqual([record, server]);
  removeDaemonRecord(folders);
  removeDaemonRecord(folders, { role: 'server' });
  expect(readDaemonRecords(folders)).toEqual([]);
});

function withRunFolder() {
  const folders = temporaryFolders();
  mkdirSync(folders.run);
  return folders;
}
