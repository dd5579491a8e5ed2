import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolders } from '../test/temporary-folders.ts';
import { keepAgentKey, readAgentKey } from './agent-key.ts';
import { setConfig } from './config.ts';
import { readConfigFile } from './config-file.ts';
import { daemonLockPath, readDaemonRecord, writeDaemonRecord } from './daemon-record.ts';
import type { Folders } from './folders.ts';
import { ensureLocalToken, localTokenPath, readLocalToken } from './local-token.ts';
import { acquireLock } from './lock-file.ts';
import { openToAppend } from './private-file.ts';
import { thisProcess } from './process-identity.ts';

/** Files of the installation that are links to a file of the user, as an attacker would plant them. */
const secret = `exl_${'s'.repeat(40)}`;
function planted(path: (folders: Folders) => string): { folders: Folders; target: string } {
  const folders = temporaryFolders();
  for (const folder of [folders.data, folders.run, folders.logs]) mkdirSync(folder, { recursive: true });
  const target = join(folders.home, 'precious');
  writeFileSync(target, secret);
  symlinkSync(target, path(folders));
  return { folders, target };
}
const refusal = /it is a link, and Executor does not follow links to its files/;

test('The local token is not read through a link', () => {
  const { folders, target } = planted(localTokenPath);
  expect(() => readLocalToken(folders)).toThrow(refusal);
  expect(() => ensureLocalToken(folders)).toThrow(refusal);
  expect(readFileSync(target, 'utf8')).toBe(secret);
});

test('The key of executor mcp is not read through a link', () => {
  const { folders } = planted(({ data }) => join(data, 'mcp-key'));
  expect(() => readAgentKey(folders)).toThrow(refusal);
  expect(() => keepAgentKey(folders, 'exk_another_key_of_24')).toThrow(refusal);
});

test('config.json is not read through a link', () => {
  const { folders } = planted(({ config }) => join(config, 'config.json'));
  expect(() => readConfigFile(folders)).toThrow(refusal);
});

test('Files that are being written do not follow a link', () => {
  const config = planted((folders) => join(folders.config, `config.json.${process.pid}.new`));
  setConfig(config.folders, 'port', '4242');
  expect(readFileSync(config.target, 'utf8')).toBe(secret);
  expect(readConfigFile(config.folders)).toEqual({ port: 4242 });
  const token = planted((folders) => `${localTokenPath(folders)}.${process.pid}.new`);
  ensureLocalToken(token.folders);
  expect(readFileSync(token.target, 'utf8')).toBe(secret);
});

test('A record of the daemon replaces a link, and is not read through one', () => {
  const { folders, target } = planted(({ run }) => join(run, 'daemon.json'));
  const record = { ...thisProcess(), url: 'http://evil.example', version: '1', workspaceId: 'w' };
  writeFileSync(target, JSON.stringify({ ...record, database: 'pglite' }));
  expect(readDaemonRecord(folders)).toBeUndefined();
  writeDaemonRecord(folders, { ...record, url: 'http://127.0.0.1:1', database: 'pglite' });
  expect(readDaemonRecord(folders)?.url).toBe('http://127.0.0.1:1');
  expect(readFileSync(target, 'utf8')).toContain('evil');
});

test('A lock is not taken through a link', () => {
  const { folders } = planted(daemonLockPath);
  expect(() => acquireLock(daemonLockPath(folders))).toThrow(refusal);
});

test('A log is not written through a link, and opening a pipe does not wait', () => {
  const { folders, target } = planted(({ logs }) => join(logs, 'executor.log'));
  expect(() => openToAppend(join(folders.logs, 'executor.log'))).toThrow(/ELOOP/);
  expect(readFileSync(target, 'utf8')).toBe(secret);
  const pipe = join(folders.logs, 'pipe');
  spawnSync('mkfifo', [pipe]);
  expect(() => openToAppend(pipe)).toThrow();
  closeSync(openToAppend(join(folders.logs, 'other.log')));
});
