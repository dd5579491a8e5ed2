import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePrivateFolder, type Folders, unusable } from '@executor/home';

const kept = 10;

/** Keeps a file as it was before it is changed. It may hold keys of others: only this user can read it. */
export function backUp(folders: Folders, client: string, text: string): string {
  const folder = join(folders.data, 'client-backups');
  ensurePrivateFolder(folder);
  const time = new Date().toISOString().replace(/[:.]/g, '-');
  const path = join(folder, `${client}_${time}_${randomUUID().slice(0, 8)}`);
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600, flush: true });
    const older = readdirSync(folder)
      .filter((name) => name.startsWith(`${client}_`))
      .sort()
      .slice(0, -kept);
    for (const name of older) rmSync(join(folder, name), { force: true });
  } catch (error) {
    throw unusable(path, error);
  }
  return path;
}

/** The text that was kept, if it still is. */
export function readBackup(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
