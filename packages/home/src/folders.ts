import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/** The folders of one installation. */
export interface Folders {
  /** The database and the local token. Back this up. */
  readonly data: string;
  /** config.json. */
  readonly config: string;
  /** Log files. */
  readonly logs: string;
  /** The daemon's lock and record, which are useless once it has ended. */
  readonly run: string;
  /** The installation's name in messages: EXECUTOR_HOME, or the data folder. */
  readonly home: string;
}

interface Machine {
  platform: NodeJS.Platform;
  homedir: string;
}

/** All folders are below `EXECUTOR_HOME` if it is set; otherwise they follow the conventions of the operating system. */
export function resolveFolders(env: NodeJS.ProcessEnv, machine: Machine = thisMachine()): Folders {
  if (env.EXECUTOR_HOME) return underOneFolder(resolve(env.EXECUTOR_HOME));
  switch (machine.platform) {
    case 'darwin':
      return underOneFolder(join(machine.homedir, 'Library', 'Application Support', 'Executor'));
    case 'win32':
      return underOneFolder(join(env.LOCALAPPDATA || join(machine.homedir, 'AppData', 'Local'), 'Executor'));
    default:
      return followingXdg(env, machine.homedir);
  }
}

function thisMachine(): Machine {
  return { platform: process.platform, homedir: homedir() };
}

function underOneFolder(home: string): Folders {
  return { home, data: join(home, 'data'), config: home, logs: join(home, 'logs'), run: join(home, 'run') };
}

function followingXdg(env: NodeJS.ProcessEnv, home: string): Folders {
  // The XDG specification says to ignore relative paths.
  const base = (value: string | undefined, ...fallback: string[]) =>
    join(value && isAbsolute(value) ? value : join(home, ...fallback), 'executor');
  const data = base(env.XDG_DATA_HOME, '.local', 'share');
  const state = base(env.XDG_STATE_HOME, '.local', 'state');
  const config = base(env.XDG_CONFIG_HOME, '.config');
  return { home: data, data, config, logs: join(state, 'logs'), run: join(state, 'run') };
}
