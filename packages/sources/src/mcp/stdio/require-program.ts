import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

/** Says that a program does not exist. The shell that starts it would say so in words of its own. Windows resolves names differently. */
export function requireProgram(command: string, cwd: string, path = process.env.PATH ?? ''): void {
  if (process.platform === 'win32') return;
  if (command.includes('/')) {
    if (existsSync(resolve(cwd, command))) return;
    throw new Error(`There is no program ${resolve(cwd, command)}.${hint(command)}`);
  }
  if (path === '' || path.split(delimiter).some((folder) => existsSync(resolve(cwd, join(folder, command)))))
    return;
  throw new Error(
    `There is no program ${command} in the folders of PATH.${hint(command) || ' Pass its name as in a shell, or its full path.'}`,
  );
}

function hint(command: string): string {
  return /\s/.test(command) ? ' Pass its arguments separately, not in the same quotes.' : '';
}
