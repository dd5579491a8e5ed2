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
