import { printable } from '@executor/protocol';
import type { Environment } from '../environment.ts';
import { style } from '../style.ts';
import type { AgentClient } from './agent-client.ts';
import { agentClients } from './clients.ts';
import { configEditorFor } from './config/config-editor-for.ts';
import { entryFor, type Installation, keyPlaceholder } from './connect-client.ts';
import { readConnections } from './connections.ts';
import { fileOf, isInstalled, thisMachine } from './detect.ts';

/** Lists all supported clients, whether they are installed, and whether they are connected. */
export function listClients(
  environment: Environment,
  { project = false, json = false }: { project?: boolean; json?: boolean },
): void {
  const machine = thisMachine(environment);
  const connections = readConnections(environment.folders);
  const rows = agentClients.map((client) => {
    const path = fileOf(client, machine, project ? environment.cwd : undefined);
    const connected = connections.some((one) => one.client === client.id && one.path === path);
    return { client: client.id, name: client.name, found: isInstalled(client, machine), connected, path };
  });
  if (json) {
    environment.printJson({ items: rows });
    return;
  }
  environment.printTable(
    ['CLIENT', 'FOUND', 'CONNECTED', 'FILE'],
    rows.map(({ client, found, connected, path }) => [
      client,
      found ? 'yes' : 'no',
      connected ? 'yes' : 'no',
      printable(path ?? 'no file for a project'),
    ]),
  );
  const example = rows.find(({ found }) => found)?.client ?? 'cursor';
  const none = rows.some(({ found }) => found) ? '' : 'No client was found on this machine. ';
  environment.printError(
    style.dim(
      `${none}\`executor connect ${example}\` writes its file. \`executor connect --print\` prints an entry for other programs.`,
    ),
  );
}

/** Prints the entry to paste, for the named clients, or in the common format. */
export function printEntry(
  environment: Environment,
  named: AgentClient[],
  installation: Installation,
  {
    http = false,
    allowDialog = false,
    project = false,
  }: { http?: boolean; allowDialog?: boolean; project?: boolean },
): void {
  const needsKey = http || allowDialog || installation.remote !== undefined;
  const machine = thisMachine(environment);
  for (const client of named.length > 0 ? named : [anyClient]) {
    const path = fileOf(client, machine, project ? environment.cwd : undefined) ?? '';
    const transport = http ? ('http' as const) : ('stdio' as const);
    const desired = { client, path, project: undefined, transport, dialog: allowDialog };
    const entry = entryFor(desired, installation, needsKey ? keyPlaceholder : undefined);
    if (named.length > 0) environment.printError(style.dim(`${client.name}: ${printable(path)}`));
    environment.print(configEditorFor(client, path).snippet(entry));
  }
  const command = `executor keys create NAME${allowDialog ? ' --allow-dialog' : ''}`;
  if (needsKey)
    environment.printError(style.dim(`Replace ${keyPlaceholder} with a key. \`${command}\` creates one.`));
}

/** The format that most programs read. */
const anyClient: AgentClient = {
  id: 'any',
  name: 'any client',
  programs: [],
  traces: () => [],
  files: () => [],
  format: 'json',
  container: 'mcpServers',
  stdio: ({ command, args, env }) => ({ command, args, ...(Object.keys(env).length > 0 && { env }) }),
  http: ({ url, headers }) => ({ type: 'http', url, headers }),
};
