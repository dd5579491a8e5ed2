import { ExecutorError } from '@executor/protocol';
import { type AgentClient, entryName, type Machine } from '../agent-client.ts';
import { readClientFile } from '../client-file.ts';
import { configEditorFor } from '../config/config-editor-for.ts';
import { type ImportedServer, readEntry } from './read-entry.ts';

/** A server in the file of an agent program. */
export interface FoundServer extends ImportedServer {
  /** The programs that have it. */
  from: string[];
  file: string;
}

export interface FoundServers {
  servers: FoundServer[];
  /** Files that cannot be read. */
  problems: string[];
}

/**
 * The MCP servers in the users' files of agent programs. Files of projects are left out: they may come from others, and their servers would
 * get variables of this user. Nothing is written.
 */
export function findServers(clients: readonly AgentClient[], machine: Machine, cwd: string): FoundServers {
  const problems: string[] = [];
  const found = new Map<string, FoundServer>();
  for (const client of clients) {
    for (const file of client.files(machine).filter(machine.exists)) {
      try {
        for (const server of serversIn(client, file, { machine, cwd })) {
          const same = found.get(server.identity);
          if (same) same.from = [...new Set([...same.from, client.name])];
          else found.set(server.identity, { ...server, from: [client.name], file });
        }
      } catch (error) {
        if (!(error instanceof ExecutorError)) throw error;
        problems.push(error.message);
      }
    }
  }
  return { servers: [...found.values()], problems };
}

function serversIn(
  client: AgentClient,
  file: string,
  { machine, cwd }: { machine: Machine; cwd: string },
): ImportedServer[] {
  const root = configEditorFor(client, file).values(readClientFile(file).text);
  const { projects } = root;
  // Claude Code keeps a user's servers for one project in the same file.
  const ofProject = isRecord(projects) && isRecord(projects[cwd]) ? projects[cwd] : {};
  return [root, ofProject].flatMap((holder) => {
    const servers = (holder as Record<string, unknown>)[client.container];
    if (!isRecord(servers)) return [];
    return Object.entries(servers)
      .filter(([name, entry]) => name !== entryName && isRecord(entry))
      .map(([name, entry]) => readEntry(name, entry as Record<string, unknown>, machine));
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
