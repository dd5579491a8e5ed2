import type { Config, Folders } from '@executor/home';
import type { FoundDaemon } from '../daemon/find-daemon.ts';

/** The result of one check. `fix` says what to do if the state is not `ok`. */
export interface Check {
  name: string;
  state: 'ok' | 'warning' | 'failed';
  message: string;
  fix?: string;
}

/** The installation that the checks examine. */
export interface Installation {
  folders: Folders;
  config: Config;
  daemon: FoundDaemon | undefined;
}

export function ok(name: string, message: string): Check {
  return { name, state: 'ok', message };
}

export function warning(name: string, message: string, fix: string): Check {
  return { name, state: 'warning', message, fix };
}

export function failed(name: string, message: string, fix: string): Check {
  return { name, state: 'failed', message, fix };
}
