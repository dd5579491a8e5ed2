import { existsSync } from 'node:fs';
import { agentClients } from '../agent-clients/clients.ts';
import { type Connection, readConnections } from '../agent-clients/connections.ts';
import { self } from '../output.ts';
import { type Check, ok, type Patient, warning } from './check.ts';

/** The agent programs that `executor connect` wrote to; nothing where there are none. */
export function checkAgents({ folders }: Pick<Patient, 'folders'>): Check[] {
  const connections = readConnections(folders);
  if (connections.length === 0) return [];
  const nameOf = ({ client }: Connection) => agentClients.find(({ id }) => id === client)?.name ?? client;
  const lost = connections.filter(({ starts }) => starts !== undefined && !existsSync(starts));
  if (lost.length === 0) return [ok('agents', `connected: ${connections.map(nameOf).join(', ')}`)];
  return lost.map((connection) =>
    warning(
      'agents',
      `${nameOf(connection)} starts ${connection.starts}, which is gone`,
      `Write it anew: \`${self} connect ${connection.client}\`.`,
    ),
  );
}
