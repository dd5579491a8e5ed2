import { posix, win32 } from 'node:path';

/** An MCP server in the file of an agent program. It has only values that both JSON and TOML can express. */
export type Entry = { [key: string]: EntryValue };
type EntryValue = string | boolean | string[] | Record<string, string>;

/** A program that the client starts and talks to over standard input and output. */
export interface Launch {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** A server that the client calls. */
export interface Endpoint {
  url: string;
  headers: Record<string, string>;
}

/** The machine on which Executor looks for clients. */
export interface Machine {
  platform: NodeJS.Platform;
  home: string;
  env: NodeJS.ProcessEnv;
  exists(path: string): boolean;
}

/** An agent program and the format of its MCP configuration. A new one is one row in `clients.ts`. */
export interface AgentClient {
  /** The name that users type. */
  readonly id: string;
  readonly name: string;
  /** Its commands. If one of them is on PATH, the client is installed. */
  readonly programs: readonly string[];
  /** Files and folders that exist once it has run. */
  traces(machine: Machine): string[];
  /** Candidates for the user's file, with the servers for all projects. The first that exists is used, otherwise the first. */
  files(machine: Machine): string[];
  /** The same for a project, as paths in its folder. Undefined if the client has no such file. */
  readonly projectFiles?: readonly string[];
  readonly format: 'json' | 'toml';
  /** The key of the object or table that contains the servers by name. */
  readonly container: string;
  stdio(launch: Launch): Entry;
  /** Undefined if the client supports stdio only. */
  readonly http?: (endpoint: Endpoint) => Entry;
}

/** The name of Executor's entry in every file. */
export const entryName = 'executor';

/** Joins a path by the rules of the machine's platform. */
export function join({ platform }: Pick<Machine, 'platform'>, ...parts: string[]): string {
  return (platform === 'win32' ? win32 : posix).join(...parts);
}

/** The folder for the configuration of desktop applications. */
export function applicationData(machine: Machine): string {
  switch (machine.platform) {
    case 'darwin':
      return join(machine, machine.home, 'Library', 'Application Support');
    case 'win32':
      return machine.env.APPDATA || join(machine, machine.home, 'AppData', 'Roaming');
    default:
      return xdgConfig(machine);
  }
}

/** The folder for programs that follow XDG on every platform. */
export function xdgConfig(machine: Machine): string {
  const configured = machine.env.XDG_CONFIG_HOME;
  const isAbsolute = (machine.platform === 'win32' ? win32 : posix).isAbsolute;
  return configured && isAbsolute(configured) ? configured : join(machine, machine.home, '.config');
}
