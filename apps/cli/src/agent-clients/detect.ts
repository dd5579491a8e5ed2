import { existsSync } from 'node:fs';
import type { Environment } from '../environment.ts';
import { type AgentClient, join, type Machine } from './agent-client.ts';

export function thisMachine(environment: Environment): Machine {
  return {
    platform: process.platform,
    home: environment.home,
    env: environment.variables,
    exists: existsSync,
  };
}

/** Whether the client seems to be installed. Executor does not start it to find out. */
export function isInstalled(client: AgentClient, machine: Machine): boolean {
  return client.traces(machine).some(machine.exists) || client.programs.some((name) => onPath(name, machine));
}

/** The file that a client reads, for the user or for a project. */
export function fileOf(client: AgentClient, machine: Machine, project?: string): string | undefined {
  const candidates =
    project === undefined
      ? client.files(machine)
      : (client.projectFiles ?? []).map((path) => join(machine, project, ...path.split('/')));
  return candidates.find(machine.exists) ?? candidates[0];
}

function onPath(program: string, machine: Machine): boolean {
  const { platform, env } = machine;
  const isWindows = platform === 'win32';
  const endings = isWindows ? ['.exe', '.cmd', '.bat'] : [''];
  const folders = (env.PATH ?? env.Path ?? '').split(isWindows ? ';' : ':').filter((folder) => folder !== '');
  return folders.some((folder) =>
    endings.some((ending) => machine.exists(join(machine, folder, `${program}${ending}`))),
  );
}
