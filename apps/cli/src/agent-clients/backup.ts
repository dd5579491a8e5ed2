import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePrivateFolder, type Folders, unusable } from '@executor/home';
import { readConnections } from './connections.ts';

const kept = 10;

/**
 * Keeps a file as it was before it is changed. It may hold keys of others: only this user can read it. Older ones go, but for those that an
 * undo would bring back. Only under the lock.
 */
export function backUp(folders: Folders, client: string, text: string): string {
  const folder = join(folders.data, 'client-backups');
  ensurePrivateFolder(folder);
  const time = new Date().toISOString().replace(/[:.]/g, '-');
  const path = join(folder, `${client}_${time}_${randomUUID().slice(0, 8)}`);
  const named = new Set(readConnections(folders).map(({ backup }) => backup));
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600, flush: true });
    const older = readdirSync(folder)
      .filter((name) => name.startsWith(`${client}_`))
      .sort()
      .slice(0, -kept);
    for (const name of older) if (!named.has(join(folder, name))) rmSync(join(folder, name), { force: true });
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
