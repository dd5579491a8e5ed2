import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePrivateFolder, type Folders, unusable } from '@executor/home';
import { readConnections } from './connections.ts';

const maxBackups = 10;

/**
 * Saves the text of a client's file. It may contain keys of other programs, so only this user can read the backup. Deletes older backups,
 * except those that an undo needs. The caller must hold the lock.
 */
export function backUp(folders: Folders, client: string, text: string): string {
  const folder = join(folders.data, 'client-backups');
  ensurePrivateFolder(folder);
  const time = new Date().toISOString().replace(/[:.]/g, '-');
  const path = join(folder, `${client}_${time}_${randomUUID().slice(0, 8)}`);
  const needed = new Set(readConnections(folders).map(({ backup }) => backup));
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600, flush: true });
    const older = readdirSync(folder)
      .filter((name) => name.startsWith(`${client}_`))
      .sort()
      .slice(0, -maxBackups);
    for (const name of older)
      if (!needed.has(join(folder, name))) rmSync(join(folder, name), { force: true });
  } catch (error) {
    throw unusable(path, error);
  }
  return path;
}

/** The text of a backup. Undefined if it was deleted. */
export function readBackup(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
