import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import { ExecutorError } from '@executor/protocol';

/** Creates a folder if there is none. The permissions of an existing folder are not changed. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw unusable(path, cause);
  }
}

/** Creates a folder and its parents, readable by the owner only. The error says what to do. */
export function ensurePrivateFolder(path: string): void {
  makeFolder(path);
  try {
    const { mode, uid } = statSync(path);
    const mine = process.getuid === undefined || uid === process.getuid();
    if (mine && process.platform !== 'win32' && (mode & 0o077) !== 0) chmodSync(path, 0o700);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw unusable(path, cause);
  }
}

/** The sentence for a file or folder that the system would not let us use. */
export function unusable(path: string, cause: unknown): ExecutorError {
  if (cause instanceof ExecutorError) return cause;
  const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
  return new ExecutorError(
    code === 'ENOSPC' ? 'storageFull' : 'folderUnusable',
    `Cannot use ${path}: ${explanations[code] ?? code}. ${remedies[code] ?? 'Make it writable for this user'}, or set EXECUTOR_HOME to another folder.`,
    { details: { path, systemCode: code }, cause },
  );
}

/** The sentence for a file that only has to be read. Another user's file is not this user's to change. */
export function unreadable(path: string, cause: unknown): ExecutorError {
  const { code = '' } = cause as NodeJS.ErrnoException;
  if (code !== 'EACCES' && code !== 'EPERM') return unusable(path, cause);
  return new ExecutorError(
    'folderUnusable',
    `Cannot read ${path}: this user has no permission. Run the command as the user that owns the folder, or set EXECUTOR_HOME to a folder of your own.`,
    { details: { path, systemCode: code }, cause },
  );
}

const explanations: Record<string, string> = {
  EACCES: 'this user may not read and write there',
  EPERM: 'this user may not read and write there',
  EROFS: 'it is on a read-only file system',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of that path is a file, not a folder',
  EEXIST: 'it is a file, not a folder',
  EISDIR: 'it is a folder, not a file',
  ENXIO: 'it is a pipe or a device, not a file',
  ELOOP: 'it is a link, and Executor does not follow links to its files',
  EIO: 'the disk reports errors',
};

const remedies: Record<string, string> = {
  EROFS: 'Remount it writable',
  ENOSPC: 'Free some space',
  EDQUOT: 'Free some space',
  ENOTDIR: 'Move that file away',
  EEXIST: 'Move that file away',
  EISDIR: 'Move that folder away',
  ENXIO: 'Move it away',
  ELOOP: 'Put the file itself in its place',
  EIO: 'Check the disk',
};
