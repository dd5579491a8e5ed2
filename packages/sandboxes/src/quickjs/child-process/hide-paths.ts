import { existsSync, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import type { Confinement } from './confinement.ts';

interface Program {
  command: string;
  args: string[];
}

/**
 * Runs a program that a user trusts with the machine, but not with these folders and files. In bubblewrap it sees empty ones instead, and
 * no process but its own. Elsewhere it runs as it is.
 */
export function hidePaths({ kind }: Confinement, paths: readonly string[], program: Program): Program {
  if (kind !== 'bubblewrap') return program;
  // bubblewrap would create a missing path.
  const existing = [...new Set(paths.filter((path) => existsSync(path)).map((path) => realpathSync(path)))];
  const outer = existing.filter((path) => !existing.some((other) => path.startsWith(`${other}${sep}`)));
  return {
    command: 'bwrap',
    args: [
      ...['--dev-bind', '/', '/', '--unshare-user', '--unshare-pid', '--cap-drop', 'ALL'],
      ...['--die-with-parent', '--proc', '/proc'],
      ...outer.flatMap((path) =>
        statSync(path).isDirectory() ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path],
      ),
      '--',
      program.command,
      ...program.args,
    ],
  };
}
