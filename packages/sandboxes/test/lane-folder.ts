import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { builtFolder } from './built-folder.ts';

/** A folder for the tests of one file: a copy of the built folder without the lane program. */
export function folderWithoutLane(): { path: string } {
  const folder = { path: '' };
  beforeAll(async () => {
    folder.path = await mkdtemp(join(tmpdir(), 'executor-lane-folder-'));
    for (const file of ['quickjs.wasm', 'image.bin', 'compiler.cjs'])
      await copyFile(join(builtFolder, file), join(folder.path, file));
  });
  afterAll(() => rm(folder.path, { recursive: true }));
  return folder;
}

/**
 * A copy of the built folder for the tests of one file. Command lines name their folder, so a file recognises its own processes by it:
 * other tests in the same vitest worker may keep sandboxes open.
 */
export function copyBuiltFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'executor-sandbox-'));
  cpSync(builtFolder, folder, { recursive: true });
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}
