import { realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Folders, resolveFolders } from '@executor/home';
import { programPath } from '../assets.ts';
import type { Launch } from './agent-client.ts';

/**
 * How a client starts `executor mcp` from whatever folder and with whatever PATH: by the full paths of Node and of this program. Clients
 * pass on only a part of their environment, so what decides which installation is meant is said in the entry.
 */
export function launchOf(env: NodeJS.ProcessEnv): Launch {
  return { command: lastingNode(env), args: [programPath, 'mcp'], env: installationOf(env) };
}

/** What a person should know about this way of starting it. */
export function launchNotes(env: NodeJS.ProcessEnv, program: string = programPath): string[] {
  const notes: string[] = [];
  if (/[\\/]_npx[\\/]/.test(program))
    notes.push(
      'This Executor runs from npx’s cache, which npm may empty. Install it for good, then connect again.',
    );
  if (env.EXECUTOR_DATABASE_URL)
    notes.push(
      'EXECUTOR_DATABASE_URL is not written to clients: it holds a password. A daemon that a client starts finds it in config.json (`executor config set databaseUrl`).',
    );
  return notes;
}

function installationOf(env: NodeJS.ProcessEnv): Record<string, string> {
  const folders: Folders = resolveFolders(env);
  const places = env.EXECUTOR_HOME
    ? { EXECUTOR_HOME: folders.home }
    : pick(env, ['XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME']);
  return { ...places, ...pick(env, ['EXECUTOR_HOST', 'EXECUTOR_PORT']) };
}

function pick(env: NodeJS.ProcessEnv, names: string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}

/** Folders that are made for one shell or one run. */
const passing = /[\\/](_npx|node_modules|fnm_multishells)[\\/]/;

/** This Node, by a name that outlives its next update where PATH has one: package managers keep versions in folders of their own. */
export function lastingNode(env: NodeJS.ProcessEnv, execPath: string = process.execPath): string {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const candidates = (env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));
  const same = candidates.filter((path) => path.startsWith('/') && real(path) === real(execPath));
  return same.find((path) => !passing.test(path)) ?? execPath;
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
