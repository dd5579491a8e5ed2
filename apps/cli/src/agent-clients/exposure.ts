import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { shellQuote } from '@executor/home';
import { ExecutorError } from '@executor/protocol';
import type { ClientFile } from './client-file.ts';

/** Another user can read or replace the file. `file`: the user can fix that by making the file private. */
interface Exposure {
  type: 'file' | 'owner' | 'folder';
  problem: string;
  remedy: string;
}

type Owned = Pick<Stats, 'uid' | 'gid' | 'mode'>;

const root = 0;
const accessByOthers = 0o066;
const writableByGroup = 0o020;
const writableByAll = 0o002;
const stickyBit = 0o1000;

/** How another user of this machine could read or replace a client's file. A file that does not exist yet will be private. */
export function exposureOf({
  path,
  target,
  stats,
}: Pick<ClientFile, 'path' | 'target' | 'stats'>): Exposure | undefined {
  const user = process.getuid?.();
  if (user === undefined) return undefined;
  return (stats && exposureOfFile(target, stats, user)) ?? exposureOfFolders([path, target], user);
}

/** The refusal to write a key that can approve calls. */
export function exposed(path: string, { problem, remedy }: Exposure): ExecutorError {
  return new ExecutorError(
    'invalidConfig',
    `${path} was not changed, and no key was created: ${problem}, and the key would let its reader approve calls. ${remedy}, or omit --allow-dialog.`,
    { details: { path } },
  );
}

export function exposureOfFile(path: string, { uid, mode }: Owned, user: number): Exposure | undefined {
  if (uid !== user) {
    const problem = `it belongs to the user with id ${uid}, not to you (${user})`;
    return {
      type: 'owner',
      problem,
      remedy: `Run the command as its owner, or take over the file (\`chown\`)`,
    };
  }
  if ((mode & accessByOthers) === 0) return undefined;
  const problem = `other users of this machine can ${(mode & 0o022) === 0 ? 'read' : 'change'} it`;
  return { type: 'file', problem, remedy: `Run \`chmod 600 ${shellQuote(path)}\`` };
}

/** Whoever may write to a folder can put another file in the place of those in it, unless it is sticky. */
export function exposureOfFolder(
  path: string,
  { uid, gid, mode }: Owned,
  user: number,
): Exposure | undefined {
  if (uid !== user && uid !== root) {
    const problem = `the user with id ${uid} owns ${path} and can replace it`;
    return {
      type: 'owner',
      problem,
      remedy: `Run the command as that user, or take over the folder (\`chown\`)`,
    };
  }
  // Many systems give each user a group of its own with the same number.
  const isOwnGroup = gid === uid;
  const writers = isOwnGroup ? writableByAll : writableByAll | writableByGroup;
  if ((mode & writers) === 0 || (mode & stickyBit) !== 0) return undefined;
  const problem = `other users of this machine can write to ${path} and replace it`;
  return { type: 'folder', problem, remedy: `Run \`chmod go-w ${shellQuote(path)}\`` };
}

/** Checks the folders above the file and above the links that lead to it. */
function exposureOfFolders(paths: string[], user: number): Exposure | undefined {
  for (const folder of new Set(paths.flatMap(foldersAbove))) {
    const exposure = exposureOfFolder(folder, statSync(folder), user);
    if (exposure) return exposure;
  }
  return undefined;
}

/** From the nearest folder that exists up to the root, by their real paths. */
function foldersAbove(path: string): string[] {
  let folder = dirname(path);
  while (lstatSync(folder, { throwIfNoEntry: false }) === undefined) folder = dirname(folder);
  const above: string[] = [];
  for (let real = realpathSync(folder); ; real = dirname(real)) {
    above.push(real);
    if (real === dirname(real)) return above;
  }
}
