import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { builtAt } from '../version.ts';
import { type Check, failed, type Installation, ok, warning } from './check.ts';

const oldestNode = [20, 19] as const;

export function checkNode(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const enough = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
  const message = `${process.version} at ${process.execPath}`;
  return enough
    ? ok('node', message)
    : failed('node', `${message} is too old`, `Install Node ${oldestNode.join('.')} or newer.`);
}

const megabyte = 1024 * 1024;

export async function checkDisk({ folders }: Installation): Promise<Check> {
  const folder = nearestExisting(folders.data);
  const { bavail, bsize } = await statfs(folder);
  const free = Math.floor((bavail * bsize) / megabyte);
  const message = `${free.toLocaleString('en')} MB free for ${folders.data}`;
  if (free < 100)
    return failed('disk space', message, 'Free some space. The database stops when the disk is full.');
  if (free < 1000) return warning('disk space', message, 'Free some space soon.');
  return ok('disk space', message);
}

/** A clock before the build time of this program is certainly wrong. With it, new sessions look expired or never expire. */
export function checkClock(databaseSkewMs: number | undefined): Check {
  const now = new Date();
  const dayMs = 24 * 3_600_000;
  if (now.getTime() < builtAt.getTime() - dayMs) {
    return failed(
      'clock',
      `the clock says ${now.toISOString()}, which is before this program was built`,
      'Set the clock of this machine.',
    );
  }
  if (databaseSkewMs !== undefined && databaseSkewMs > 5_000) {
    const seconds = Math.round(databaseSkewMs / 1000);
    return warning(
      'clock',
      `it differs from the clock of the database server by ${seconds} s`,
      'Synchronize both machines with a time server.',
    );
  }
  return ok('clock', now.toISOString());
}

function nearestExisting(path: string): string {
  try {
    statSync(path);
    return path;
  } catch {
    return dirname(path) === path ? path : nearestExisting(dirname(path));
  }
}
