import type { Config, Folders } from '@executor/home';
import type { FoundDaemon } from '../daemon/find-daemon.ts';

/** One thing that was looked at. `fix` says what to do, wherever the state is not `ok`. */
export interface Check {
  name: string;
  state: 'ok' | 'warning' | 'failed';
  message: string;
  fix?: string;
}

/** What the checks look at. */
export interface Patient {
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
