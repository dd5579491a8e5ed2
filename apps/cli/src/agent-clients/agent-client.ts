import { posix, win32 } from 'node:path';

/** What an agent program's MCP server looks like in its file: values that JSON and TOML both know. */
export type Entry = { [key: string]: EntryValue };
type EntryValue = string | boolean | string[] | Record<string, string>;

/** A program that the client starts and talks to over its standard input and output. */
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

/** The machine that clients are looked for on. */
export interface Machine {
  platform: NodeJS.Platform;
  home: string;
  env: NodeJS.ProcessEnv;
  exists(path: string): boolean;
}

/** An agent program, and how it is told of an MCP server. A new one is one row in `clients.ts`. */
export interface AgentClient {
  /** What people type. */
  readonly id: string;
  readonly name: string;
  /** Its commands; one of them on PATH shows that it is installed. */
  readonly programs: readonly string[];
  /** Files and folders that are there once it has run. */
  traces(machine: Machine): string[];
  /** The user's file, where servers for all projects are kept: the first of these that exists, or else the first. */
  files(machine: Machine): string[];
  /** The same for a project, as paths in its folder; without, it has none. */
  readonly projectFiles?: readonly string[];
  readonly format: 'json' | 'toml';
  /** The key under which the file keeps servers by their names. */
  readonly container: string;
  stdio(launch: Launch): Entry;
  /** Without, it only starts servers itself. */
  readonly http?: (endpoint: Endpoint) => Entry;
}

/** What our entry is called in every file. */
export const entryName = 'executor';

/** Joins a path by the rules of that machine. */
export function join({ platform }: Pick<Machine, 'platform'>, ...parts: string[]): string {
  return (platform === 'win32' ? win32 : posix).join(...parts);
}

/** Where programs with windows keep their files. */
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

/** Where programs keep their files that follow XDG on every system. */
export function xdgConfig(machine: Machine): string {
  const configured = machine.env.XDG_CONFIG_HOME;
  const isAbsolute = (machine.platform === 'win32' ? win32 : posix).isAbsolute;
  return configured && isAbsolute(configured) ? configured : join(machine, machine.home, '.config');
}
