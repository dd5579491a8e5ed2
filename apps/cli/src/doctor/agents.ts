import { existsSync } from 'node:fs';
import { ExecutorError } from '@executor/protocol';
import { agentClients } from '../agent-clients/clients.ts';
import { type Connection, readConnections } from '../agent-clients/connections.ts';
import { type Check, failed, type Installation, ok, warning } from './check.ts';

/** Checks the agent programs that `executor connect` configured. Empty if there are none. */
export function checkAgents({ folders }: Pick<Installation, 'folders'>): Check[] {
  let connections: Connection[];
  try {
    connections = readConnections(folders);
  } catch (error) {
    if (!(error instanceof ExecutorError)) throw error;
    return [failed('agents', error.message, 'Move that file away.')];
  }
  if (connections.length === 0) return [];
  const nameOf = ({ client }: Connection) => agentClients.find(({ id }) => id === client)?.name ?? client;
  const lost = connections.filter(({ starts }) => starts !== undefined && !existsSync(starts));
  if (lost.length === 0) return [ok('agents', `connected: ${connections.map(nameOf).join(', ')}`)];
  return lost.map((connection) =>
    warning(
      'agents',
      `${nameOf(connection)} starts ${connection.starts}, which does not exist`,
      `Connect it again: \`executor connect ${connection.client}\`.`,
    ),
  );
}
