import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Folders } from './folders.ts';
import { ensurePrivateFolder, unusable } from './private-folder.ts';

/** The token that makes this user's own programs a person to the daemon. Whoever can read the file is that user. */
export function ensureLocalToken(folders: Folders): string {
  ensurePrivateFolder(folders.data);
  const path = localTokenPath(folders);
  try {
    const existing = readLocalToken(folders);
    if (existing !== undefined) return existing;
    create(path);
  } catch (error) {
    throw unusable(path, error);
  }
  return ensureLocalToken(folders);
}

export function readLocalToken(folders: Folders): string | undefined {
  const path = localTokenPath(folders);
  try {
    const token = readFileSync(path, 'utf8').trim();
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
    if (token.length >= 32) return token;
    rmSync(path);
    return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(path, error);
  }
}

export function localTokenPath(folders: Folders): string {
  return join(folders.data, 'local-token');
}

/** Written beside and linked into place: two first starts at once agree on one token, and nobody reads half of it. */
function create(path: string): void {
  const candidate = `${path}.${process.pid}.new`;
  writeFileSync(candidate, `exl_${randomBytes(32).toString('base64url')}\n`, {
    mode: 0o600,
    flush: true,
  });
  try {
    linkSync(candidate, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(candidate, { force: true });
  }
}
