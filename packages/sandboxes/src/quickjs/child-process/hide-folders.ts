import { existsSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';
import type { Confinement } from './confinement.ts';

interface Program {
  command: string;
  args: string[];
}

/**
 * Runs a program that a user trusts with the machine, but not with these folders. In bubblewrap it sees empty folders instead, and no
 * process but its own. Elsewhere it runs as it is.
 */
export function hideFolders({ kind }: Confinement, folders: readonly string[], program: Program): Program {
  if (kind !== 'bubblewrap') return program;
  // bubblewrap would create a missing folder.
  const existing = folders.filter((folder) => existsSync(folder)).map((folder) => realpathSync(folder));
  const outer = existing.filter((folder) => !existing.some((other) => folder.startsWith(`${other}${sep}`)));
  return {
    command: 'bwrap',
    args: [
      ...['--dev-bind', '/', '/', '--unshare-user', '--unshare-pid', '--cap-drop', 'ALL'],
      ...['--die-with-parent', '--proc', '/proc'],
      ...[...new Set(outer)].flatMap((folder) => ['--tmpfs', folder]),
      '--',
      program.command,
      ...program.args,
    ],
  };
}
