import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readClientFile } from './client-file.ts';
import { exposureOf, exposureOfFile, exposureOfFolder } from './exposure.ts';

const owned = (mode: number, uid = 1000, gid = 1000) => ({ uid, gid, mode });

test.each([
  ['private', owned(0o600), undefined],
  ['readable by its group', owned(0o640), 'file'],
  ['readable by all', owned(0o644), 'file'],
  ['writable by all', owned(0o602), 'file'],
  ['of another user', owned(0o600, 1001), 'owner'],
  ['of root', owned(0o600, 0), 'owner'],
] as const)('A file that is %s', (_name, stats, type) => {
  expect(exposureOfFile('/f', stats, 1000)?.type).toBe(type);
});

test.each([
  ['mine', owned(0o755), undefined],
  ['mine and writable by my own group', owned(0o775), undefined],
  ['mine and writable by a group', owned(0o775, 1000, 50), 'folder'],
  ['mine and writable by all', owned(0o777), 'folder'],
  ['of root', owned(0o755, 0, 0), undefined],
  ['of root, writable by all and sticky', owned(0o1777, 0, 0), undefined],
  ['of another user', owned(0o755, 1001), 'owner'],
] as const)('A folder that is %s', (_name, stats, type) => {
  expect(exposureOfFolder('/f', stats, 1000)?.type).toBe(type);
});

test('The real file, the folders above it and those above a link to it are checked', () => {
  const folder = mkdtempSync(join(tmpdir(), 'executor-exposure-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [real, links] = [join(folder, 'real'), join(folder, 'links')];
  mkdirSync(real);
  mkdirSync(links);
  const file = join(real, 'mcp.json');
  const link = join(links, 'mcp.json');
  writeFileSync(file, '{}', { mode: 0o600 });
  symlinkSync(file, link);
  const exposure = (path: string) => exposureOf(readClientFile(path));
  expect(exposure(link)).toBeUndefined();
  expect(exposure(join(folder, 'new', 'mcp.json'))).toBeUndefined();
  chmodSync(links, 0o777);
  expect(exposure(link)).toMatchObject({ type: 'folder', remedy: `Run \`chmod go-w ${links}\`` });
  expect(exposure(file)).toBeUndefined();
  chmodSync(links, 0o755);
  chmodSync(file, 0o644);
  expect(exposure(link)).toMatchObject({ type: 'file', remedy: `Run \`chmod 600 ${file}\`` });
  if (process.getuid?.() !== 0) return;
  chmodSync(file, 0o600);
  chownSync(file, 1001, 1001);
  expect(exposure(link)).toMatchObject({ type: 'owner' });
});
