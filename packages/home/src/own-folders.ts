import { chmodSync, lstatSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, join, parse, resolve, sep } from 'node:path';
import { ExecutorError } from '@executor/protocol';
import type { Folders } from './folders.ts';
import { unusable } from './private-folder.ts';
import { shellQuote } from './shell-quote.ts';

/**
 * Refuses an installation that another user could read or change. Who owns a folder of the path, or may write to it, can put another folder
 * or a link in its place. So:
 *
 * - the folders of the installation belong to this user, or to root, and their owner alone may write to them;
 * - the folders above them, and all links on the way, belong to this user or to root. If everybody may write to one, it is sticky.
 *
 * Root gets no exception. It would leave files that the folder's owner cannot use, and would act for whoever owns the folder. Windows has
 * no such owners, so nothing is checked there.
 */
export function requireOwnFolders({ data, config, logs, run }: Folders): void {
  const user = process.getuid?.();
  if (user === undefined) return;
  for (const path of new Set([config, data, logs, run])) requireOwn(resolve(path), user);
}

type Owned = Pick<Stats, 'uid' | 'mode'>;
type Role = 'folder' | 'parent' | 'link';
type Fault = { type: 'owner'; uid: number } | { type: 'writable' };

/** Why a part of an installation's path cannot be trusted by this user. */
export function faultOf({ uid, mode }: Owned, role: Role, user: number): Fault | undefined {
  const isUnmapped = role === 'parent' && uid === unmappedUser;
  if (uid !== user && uid !== root && !isUnmapped) return { type: 'owner', uid };
  const isSticky = role === 'parent' && (mode & stickyBit) !== 0;
  if (role !== 'link' && (mode & writableByAll) !== 0 && !isSticky) return { type: 'writable' };
  return undefined;
}

const root = 0;
/** In a container that maps its users, the owner of folders outside it. Nobody inside can act as that user. */
const unmappedUser = 65_534;
const stickyBit = 0o1000;
const writableByAll = 0o002;
const writableByOthers = 0o022;
const maxLinks = 40;

/** Follows the path part by part, as far as it exists. */
function requireOwn(path: string, user: number): void {
  let done = parse(path).root;
  let rest = partsOf(path);
  for (let links = 0; rest.length > 0; ) {
    const part = join(done, rest[0] as string);
    const stats = inspect(part);
    if (stats === undefined) return;
    rest = rest.slice(1);
    if (stats.isSymbolicLink()) {
      refuse(faultOf(stats, 'link', user), { path, part, user });
      if (++links > maxLinks) throw unusable(path, { code: 'ELOOP' });
      const target = readlinkSync(part);
      rest = [...partsOf(isAbsolute(target) ? target : join(dirname(part), target)), ...rest];
      done = parse(path).root;
    } else {
      const role = rest.length === 0 ? 'folder' : 'parent';
      refuse(faultOf(role === 'folder' ? closed(part, stats, user) : stats, role, user), {
        path,
        part,
        user,
      });
      done = part;
    }
  }
}

function partsOf(path: string): string[] {
  return path.split(sep).filter(Boolean);
}

function inspect(part: string): Stats | undefined {
  try {
    return lstatSync(part, { throwIfNoEntry: false });
  } catch (error) {
    // The error of the part that is not a folder is reported by the one who uses the path.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw unusable(part, error);
  }
}

/** Takes the right to write to the user's own folder from all others. */
function closed(path: string, { uid, mode }: Stats, user: number): Owned {
  if (uid !== user || (mode & writableByOthers) === 0) return { uid, mode };
  try {
    chmodSync(path, mode & 0o7777 & ~writableByOthers);
    return lstatSync(path);
  } catch (error) {
    throw unusable(path, error);
  }
}

function refuse(
  fault: Fault | undefined,
  { path, part, user }: { path: string; part: string; user: number },
): void {
  if (fault === undefined) return;
  const details = { path, part, user, ...(fault.type === 'owner' && { owner: fault.uid }) };
  const where = part === path ? `Cannot use ${path}:` : `Cannot use ${path}, because of ${part}:`;
  if (fault.type === 'writable') {
    throw new ExecutorError(
      'folderUnusable',
      `${where} every user of this machine may write to it. Run \`chmod o-w ${shellQuote(part)}\`, or set EXECUTOR_HOME to a folder of your own.`,
      { details },
    );
  }
  const self = user === root ? 'this command runs as root' : `this command runs as the user with id ${user}`;
  throw new ExecutorError(
    'folderUnusable',
    `${where} it belongs to the user with id ${fault.uid}, and ${self}. Run the command as the owner, set EXECUTOR_HOME to a folder of your own, or take over the folder (\`chown\`).`,
    { details },
  );
}
