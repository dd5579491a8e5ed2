import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { temporaryFolder, temporaryFolders } from '../test/temporary-folders.ts';
import { resolveFolders } from './folders.ts';
import { ensureLocalToken, localTokenPath, readLocalToken } from './local-token.ts';

const program = fileURLToPath(new URL('../dist/test/token-maker.program.js', import.meta.url));

describe('The local token', () => {
  test('is created once, readable by its owner only, without temporary files', () => {
    const folders = temporaryFolders();
    const token = ensureLocalToken(folders);
    expect(token).toMatch(/^exl_[\w-]{43}$/);
    expect([ensureLocalToken(folders), readLocalToken(folders)]).toEqual([token, token]);
    expect(statSync(localTokenPath(folders)).mode & 0o777).toBe(0o600);
    expect(statSync(folders.data).mode & 0o777).toBe(0o700);
    expect(readdirSync(folders.data)).toEqual(['local-token']);
  });

  test('is undefined before it is created', () => {
    expect(readLocalToken(temporaryFolders())).toBeUndefined();
  });

  test('is the same for processes that create it concurrently', async () => {
    const folders = temporaryFolders();
    const run = promisify(execFile);
    const made = await Promise.all(
      Array.from({ length: 8 }, () =>
        run(process.execPath, [program], { env: { EXECUTOR_HOME: folders.home } }),
      ),
    );
    expect(new Set(made.map(({ stdout }) => stdout))).toEqual(new Set([ensureLocalToken(folders)]));
    expect(readdirSync(folders.data)).toEqual(['local-token']);
  });

  test('becomes private again if other users could read it', () => {
    const folders = temporaryFolders();
    const token = ensureLocalToken(folders);
    chmodSync(localTokenPath(folders), 0o644);
    chmodSync(folders.data, 0o755);
    expect(ensureLocalToken(folders)).toBe(token);
    expect(statSync(localTokenPath(folders)).mode & 0o777).toBe(0o600);
    expect(statSync(folders.data).mode & 0o777).toBe(0o700);
  });

  test.each(['', 'exl_short'])('is replaced if it was truncated to "%s"', (content) => {
    const folders = temporaryFolders();
    ensureLocalToken(folders);
    writeFileSync(localTokenPath(folders), content);
    const token = ensureLocalToken(folders);
    expect(token).toMatch(/^exl_[\w-]{43}$/);
    expect(readLocalToken(folders)).toBe(token);
  });

  test('names the folder and the reason if it cannot be created', () => {
    const file = `${temporaryFolder()}/file`;
    writeFileSync(file, '');
    const folders = resolveFolders({ EXECUTOR_HOME: file });
    expect(() => ensureLocalToken(folders)).toThrow(
      expect.objectContaining({
        code: 'folderUnusable',
        details: { path: folders.data, systemCode: 'ENOTDIR' },
      }),
    );
  });

  test('names its path if that is a folder', () => {
    const folders = temporaryFolders();
    mkdirSync(localTokenPath(folders), { recursive: true });
    expect(() => ensureLocalToken(folders)).toThrow(
      expect.objectContaining({
        code: 'folderUnusable',
        details: { path: localTokenPath(folders), systemCode: 'EISDIR' },
      }),
    );
  });
});
