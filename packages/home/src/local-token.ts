import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Folders } from './folders.ts';
import { closeToOthers, readPrivateFile, writeCandidate } from './private-file.ts';
import { ensurePrivateFolder, unusable } from './private-folder.ts';

/**
 * The token that authenticates this user's programs as a person. Any process that can read the file counts as that user. Only the daemon
 * creates and repairs it, when it starts.
 */
export function ensureLocalToken(folders: Folders): string {
  ensurePrivateFolder(folders.data);
  const path = localTokenPath(folders);
  try {
    if (!existsSync(path)) create(path);
    const token = readLocalToken(folders);
    if (token === undefined) {
      rmSync(path, { force: true });
      return ensureLocalToken(folders);
    }
    closeToOthers(path);
    return token;
  } catch (error) {
    throw unusable(path, error);
  }
}

/** The token, or undefined if there is none or it is too short. */
export function readLocalToken(folders: Folders): string | undefined {
  const path = localTokenPath(folders);
  try {
    const token = readPrivateFile(path).trim();
    return token.length >= 32 ? token : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(path, error);
  }
}

export function localTokenPath(folders: Folders): string {
  return join(folders.data, 'local-token');
}

/** Written to another file and linked: two concurrent starts agree on one token, and no reader sees half of it. */
function create(path: string): void {
  const candidate = `${path}.${process.pid}.new`;
  writeCandidate(candidate, `exl_${randomBytes(32).toString('base64url')}\n`);
  try {
    linkSync(candidate, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(candidate, { force: true });
  }
}
