import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { ExecutorError } from '@executor/protocol';
import { unusableFile } from './config/config-editor.ts';

/** A client's file and its text when it was read. */
export interface ClientFile {
  path: string;
  /** The real path. Links are followed and not replaced. */
  target: string;
  text: string;
  /** Undefined if the file does not exist yet. */
  stats?: Stats;
}

/** Far more than the configuration of any client. */
const maxBytes = 16 * 1024 * 1024;

/** Reads a client's file. Its real path must be inside `within`, because a project may contain untrusted links. */
export function readClientFile(path: string, within?: string): ClientFile {
  const target = attemptRead(path, () => targetOf(path));
  if (within !== undefined) requireWithin(path, target, within);
  const stats = attemptRead(path, () => statSync(target, { throwIfNoEntry: false }));
  if (stats === undefined) return { path, target, text: '' };
  if (!stats.isFile()) throw unusableFile(path, 'it is not a file');
  if (stats.size > maxBytes) throw unusableFile(path, `it is larger than ${maxBytes / 1024 / 1024} MiB`);
  return {
    path,
    target,
    text: decode(
      path,
      attemptRead(path, () => readFileSync(target)),
    ),
    stats,
  };
}

/** Replaces the file atomically, and keeps its owner and permissions. */
export function writeClientFile({ path, target, text: before, stats }: ClientFile, text: string): void {
  // A rename could replace a read-only file, but its owner wants it unchanged.
  if (stats && (stats.mode & 0o200) === 0) throw unusableFile(path, 'it is read-only');
  const candidate = join(dirname(target), `.${basename(target)}.${randomUUID()}.new`);
  try {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(candidate, text, { flag: 'wx', mode: 0o600, flush: true });
    if (stats) keepOwner(candidate, stats);
    if (stats) chmodSync(candidate, stats.mode & 0o7777);
    requireUnchanged(path, target, before);
    renameSync(candidate, target);
  } catch (error) {
    if (error instanceof ExecutorError) throw error;
    throw unusableFile(path, `it cannot be written (${(error as NodeJS.ErrnoException).code})`, error);
  } finally {
    rmSync(candidate, { force: true });
  }
}

/** Deletes a file that contains only Executor's entry. */
export function removeClientFile({ path, target, text }: ClientFile): void {
  requireUnchanged(path, target, text);
  try {
    rmSync(target);
  } catch (error) {
    throw unusableFile(path, `it cannot be deleted (${(error as NodeJS.ErrnoException).code})`, error);
  }
}

function requireUnchanged(path: string, target: string, text: string): void {
  const stats = attemptRead(path, () => statSync(target, { throwIfNoEntry: false }));
  const now =
    stats === undefined
      ? ''
      : decode(
          path,
          attemptRead(path, () => readFileSync(target)),
        );
  if (now !== text) throw changedMeanwhile(path);
}

export function changedMeanwhile(path: string): ExecutorError {
  return new ExecutorError(
    'conflict',
    `${path} was changed by another program meanwhile. Run the command again.`,
  );
}

function keepOwner(path: string, { uid, gid }: Stats): void {
  if (process.getuid === undefined) return;
  const own = statSync(path);
  if (own.uid !== uid || own.gid !== gid) chownSync(path, uid, gid);
}

/** Reports errors of the file system as problems of this file, not as internal errors. */
function attemptRead<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof ExecutorError) throw error;
    throw unusableFile(path, `it cannot be read (${(error as NodeJS.ErrnoException).code})`, error);
  }
}

/** Follows links, also to a file that does not exist yet. */
function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ELOOP') throw unusableFile(path, 'it is a link to itself');
    if (code !== 'ENOENT') throw error;
  }
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (isLink) return targetOf(resolve(dirname(path), readlinkSync(path)));
  return join(realFolder(dirname(path)), basename(path));
}

function realFolder(folder: string): string {
  return statSync(folder, { throwIfNoEntry: false }) === undefined ? folder : realpathSync(folder);
}

function requireWithin(path: string, target: string, folder: string): void {
  const relativePath = relative(realpathSync(folder), target);
  if (relativePath.startsWith('..') || isAbsolute(relativePath))
    throw unusableFile(path, `it is a link to ${target}, outside the project`);
}

/** Keeps a byte order mark. Rejects text that is not UTF-8, because it could not be written back unchanged. */
function decode(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw unusableFile(path, 'it is not UTF-8 text', error);
  }
}
