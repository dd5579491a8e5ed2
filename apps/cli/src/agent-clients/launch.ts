import { realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Folders, resolveFolders } from '@executor/home';
import { programPath } from '../assets.ts';
import type { Launch } from './agent-client.ts';

/**
 * The command with which a client starts `executor mcp`. It has the full paths of Node and of this program, so that it works in any folder
 * and with any PATH. Clients pass only a part of their environment to it, so the entry contains the variables that select the installation.
 */
export function launchOf(env: NodeJS.ProcessEnv): Launch {
  return { command: stableNodePath(env), args: [programPath, 'mcp'], env: installationVariables(env) };
}

/** Warnings for the user about the command. */
export function launchNotes(env: NodeJS.ProcessEnv, program: string = programPath): string[] {
  const notes: string[] = [];
  if (/[\\/]_npx[\\/]/.test(program))
    notes.push(
      'This Executor runs from the cache of npx, which npm may delete. Install Executor permanently, then connect again.',
    );
  if (env.EXECUTOR_DATABASE_URL)
    notes.push(
      'EXECUTOR_DATABASE_URL is not written to the files of clients, because it contains a password. Save it with `executor config set databaseUrl`, so that a daemon that a client starts can use it.',
    );
  return notes;
}

function installationVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  const folders: Folders = resolveFolders(env);
  const folderVariables = env.EXECUTOR_HOME
    ? { EXECUTOR_HOME: folders.home }
    : pick(env, ['XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME']);
  return { ...folderVariables, ...pick(env, ['EXECUTOR_HOST', 'EXECUTOR_PORT']) };
}

function pick(env: NodeJS.ProcessEnv, names: string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}

/** Folders that exist only for one shell or one command. */
const temporaryFolder = /[\\/](_npx|node_modules|fnm_multishells)[\\/]/;

/**
 * The path of this Node, as a link on PATH that remains valid after an update if there is one. Package managers install each version in
 * its own folder.
 */
export function stableNodePath(env: NodeJS.ProcessEnv, execPath: string = process.execPath): string {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const candidates = (env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));
  const links = candidates.filter(
    (path) => path.startsWith('/') && realPathOf(path) === realPathOf(execPath),
  );
  return links.find((path) => !temporaryFolder.test(path)) ?? execPath;
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
