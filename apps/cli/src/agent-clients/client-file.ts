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
import { unusableText } from './config-text.ts';

/** A client's file as it was found. */
export interface ClientFile {
  path: string;
  /** Where it really is: links are followed, and stay. */
  target: string;
  text: string;
  /** Of the file that was found; without one there is none yet. */
  stats?: Stats;
}

/** No client's file comes near this; one that does is not what it seems. */
const maxBytes = 16 * 1024 * 1024;

/** Reads a client's file. `within` is the folder that it must not lead out of: a project may be anybody's. */
export function readClientFile(path: string, within?: string): ClientFile {
  const target = reading(path, () => targetOf(path));
  if (within !== undefined) requireWithin(path, target, within);
  const stats = reading(path, () => statSync(target, { throwIfNoEntry: false }));
  if (stats === undefined) return { path, target, text: '' };
  if (!stats.isFile()) throw unusableText(path, 'it is not a file');
  if (stats.size > maxBytes) throw unusableText(path, `it is larger than ${maxBytes / 1024 / 1024} MiB`);
  return {
    path,
    target,
    text: decode(
      path,
      reading(path, () => readFileSync(target)),
    ),
    stats,
  };
}

/** Puts a text in the place of the one that was read: whole or not at all, with the same owner and permissions. */
export function writeClientFile({ path, target, text: before, stats }: ClientFile, text: string): void {
  // A file that its owner made read-only is meant to stay as it is, though its folder would let it be replaced.
  if (stats && (stats.mode & 0o200) === 0) throw unusableText(path, 'it is read-only');
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
    throw unusableText(path, `it cannot be written (${(error as NodeJS.ErrnoException).code})`, error);
  } finally {
    rmSync(candidate, { force: true });
  }
}

/** Removes a file that has nothing in it but what we wrote. */
export function removeClientFile({ path, target, text }: ClientFile): void {
  requireUnchanged(path, target, text);
  try {
    rmSync(target);
  } catch (error) {
    throw unusableText(path, `it cannot be removed (${(error as NodeJS.ErrnoException).code})`, error);
  }
}

function requireUnchanged(path: string, target: string, text: string): void {
  const stats = reading(path, () => statSync(target, { throwIfNoEntry: false }));
  const now =
    stats === undefined
      ? ''
      : decode(
          path,
          reading(path, () => readFileSync(target)),
        );
  if (now !== text) throw changedMeanwhile(path);
}

export function changedMeanwhile(path: string): ExecutorError {
  return new ExecutorError('conflict', `${path} was changed by another program just now. Run this again.`);
}

function keepOwner(path: string, { uid, gid }: Stats): void {
  if (process.getuid === undefined) return;
  const own = statSync(path);
  if (own.uid !== uid || own.gid !== gid) chownSync(path, uid, gid);
}

/** What the system refuses is a refusal of this file, and not a fault of ours. */
function reading<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof ExecutorError) throw error;
    throw unusableText(path, `it cannot be read (${(error as NodeJS.ErrnoException).code})`, error);
  }
}

/** Follows links, also to a file that is not there yet. */
function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ELOOP') throw unusableText(path, 'it is a link that leads back to itself');
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
  const way = relative(realpathSync(folder), target);
  if (way.startsWith('..') || isAbsolute(way))
    throw unusableText(path, `it is a link to ${target}, outside of the project`);
}

/** A byte order mark is kept; what is not UTF-8 could not be written back as it was. */
function decode(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw unusableText(path, 'it is not UTF-8 text', error);
  }
}
