import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { temporaryFolder, temporaryFolders } from '../test/temporary-folders.ts';
import { resolveFolders } from './folders.ts';
import { ensureLocalToken, localTokenPath, readLocalToken } from './local-token.ts';

const program = fileURLToPath(new URL('../dist/test/token-maker.program.js', import.meta.url));

describe('the local token', () => {
  test('is made once, for its owner alone, with nothing left beside it', () => {
    const folders = temporaryFolders();
    const token = ensureLocalToken(folders);
    expect(token).toMatch(/^exl_[\w-]{43}$/);
    expect([ensureLocalToken(folders), readLocalToken(folders)]).toEqual([token, token]);
    expect(statSync(localTokenPath(folders)).mode & 0o777).toBe(0o600);
    expect(statSync(folders.data).mode & 0o777).toBe(0o700);
    expect(readdirSync(folders.data)).toEqual(['local-token']);
  });

  test('is not there before it is made', () => {
    expect(readLocalToken(temporaryFolders())).toBeUndefined();
  });

  test('is the same for processes that make it at once', async () => {
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

  test('that others could read is closed to them again', () => {
    const folders = temporaryFolders();
    const token = ensureLocalToken(folders);
    chmodSync(localTokenPath(folders), 0o644);
    chmodSync(folders.data, 0o755);
    expect(ensureLocalToken(folders)).toBe(token);
    expect(statSync(localTokenPath(folders)).mode & 0o777).toBe(0o600);
    expect(statSync(folders.data).mode & 0o777).toBe(0o700);
  });

  test.each(['', 'exl_short'])('that was cut off to "%s" is replaced', (content) => {
    const folders = temporaryFolders();
    ensureLocalToken(folders);
    writeFileSync(localTokenPath(folders), content);
    const token = ensureLocalToken(folders);
    expect(token).toMatch(/^exl_[\w-]{43}$/);
    expect(readLocalToken(folders)).toBe(token);
  });

  test('that cannot be made says what is wrong with the folder', () => {
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

  test('that is a folder is named', () => {
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
