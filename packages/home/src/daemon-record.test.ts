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

test('A record is read while its daemon is alive, until it is removed', () => {
  const folders = withRunFolder();
  writeDaemonRecord(folders, record);
  expect(readDaemonRecord(folders)).toEqual(record);
  expect(readdirSync(folders.run)).toEqual(['daemon.json']);
  removeDaemonRecord(folders);
  removeDaemonRecord(folders);
  expect(readDaemonRecord(folders)).toBeUndefined();
});

test('A record whose pid was reused is ignored', () => {
  const folders = withRunFolder();
  writeDaemonRecord(folders, { ...record, startedAt: 'earlier' });
  expect(readDaemonRecord(folders)).toBeUndefined();
});

test.each(['', '{', '{"pid": "one"}'])('The invalid record %j is ignored', (text) => {
  const folders = withRunFolder();
  writeFileSync(join(folders.run, 'daemon.json'), text);
  expect(readDaemonRecord(folders)).toBeUndefined();
});

test('The daemon is listed first, then living servers, and records of dead servers are removed', () => {
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
