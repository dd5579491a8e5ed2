import type { Client } from '@executor/client';
import { ExecutorError, printable, type Source } from '@executor/protocol';
import { agentClients } from '../../agent-clients/clients.ts';
import { thisMachine } from '../../agent-clients/detect.ts';
import { type FoundServer, findServers } from '../../agent-clients/import/find-servers.ts';
import { PresenceProof } from '../../answer/presence-proof.ts';
import type { Environment } from '../../environment.ts';
import { oneLine } from '../../output.ts';
import { connect } from '../../server/connect.ts';
import { loadingMs } from '../../source/watch-loading.ts';
import { allSources } from './sources.ts';

interface ImportOptions {
  from?: string;
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
}

interface Row extends Omit<FoundServer, 'request' | 'identity'> {
  status: 'new' | 'connected' | 'unusable' | 'added' | 'failed';
  namespace?: string;
}

/** Adds the MCP servers that agent programs have. Their files are only read. */
export async function importSources(environment: Environment, options: ImportOptions): Promise<void> {
  const { from, dryRun = false, yes = false, json = false } = options;
  const clients = agentClients.filter(({ id }) => from === undefined || id === from);
  const machine = thisMachine(environment);
  const { servers, problems } = findServers(clients, machine, environment.cwd);
  const client = await connect(environment);
  const { items } = await allSources(client);
  const rows = servers.map((server): [FoundServer, Row] => [server, rowOf(server, items)]);
  for (const problem of problems) environment.note(problem);
  const isPreview = dryRun || (!yes && !environment.isInteractive);
  if (!json)
    show(
      environment,
      rows.map(([, row]) => row),
    );
  const fresh = rows.filter(([, row]) => row.status === 'new');
  const chosen = isPreview ? [] : yes ? fresh : await choose(environment, fresh);
  await addAll(environment, client, chosen);
  if (json) environment.printJson({ items: rows.map(([, row]) => row) });
  else if (isPreview && !dryRun && fresh.length > 0)
    throw new ExecutorError('usage', 'Nothing was added. Pass --yes to add the new ones.');
  if (rows.some(([, { status }]) => status === 'failed')) environment.exitCode = 1;
}

function rowOf({ request, identity: _, ...server }: FoundServer, sources: Source[]): Row {
  if (request === undefined) return { ...server, status: 'unusable' };
  const { url, command, args } = request as { url?: string; command?: string; args?: string[] };
  const same = sources.find(
    ({ kind, settings }) =>
      kind === 'mcp' &&
      (url === undefined
        ? settings.command === command && JSON.stringify(settings.args) === JSON.stringify(args)
        : settings.url === url),
  );
  return { ...server, status: same ? 'connected' : 'new', ...(same && { namespace: same.namespace }) };
}

function show(environment: Environment, rows: Row[]): void {
  if (rows.length === 0) {
    environment.print('No agent program on this machine has MCP servers.');
    return;
  }
  environment.printTable(
    ['NAME', 'SERVER', 'CREDENTIALS', 'FROM', 'STATE'],
    rows.map(({ name, shown, credentials, from, status, namespace, problem }) => [
      oneLine(name, 40),
      oneLine(shown, 60),
      oneLine(credentials.join(', '), 40),
      from.join(', '),
      problem === undefined
        ? `${status}${namespace ? ` as ${namespace}` : ''}`
        : `cannot be added: ${printable(problem)}`,
    ]),
  );
}

async function choose(environment: Environment, fresh: [FoundServer, Row][]): Promise<[FoundServer, Row][]> {
  if (fresh.length === 0) return [];
  const { chooseSeveral } = await import('../../answer/prompts.ts');
  const message = 'Which servers do you want to add? Executor starts the programs among them.';
  const chosen = await chooseSeveral(
    environment,
    { message },
    fresh.map(([{ name, shown }], index) => ({
      value: String(index),
      label: printable(name),
      hint: printable(shown),
    })),
  );
  return fresh.filter((_, index) => chosen?.includes(String(index)));
}

/** One after the other, so that their namespaces do not depend on which answers first. */
async function addAll(environment: Environment, client: Client, chosen: [FoundServer, Row][]): Promise<void> {
  const proof = new PresenceProof(environment);
  for (const [{ request }, row] of chosen) {
    if (request === undefined) continue;
    try {
      const source = await proof.for((presence) =>
        client.sources.create(request, { presence, timeoutMs: loadingMs }),
      );
      Object.assign(row, { status: 'added', namespace: source.namespace });
      environment.note(`Added ${source.namespace}: ${source.toolCount} tools`);
    } catch (error) {
      if (!(error instanceof ExecutorError) || error.code === 'presenceRequired') throw error;
      Object.assign(row, { status: 'failed', problem: error.message });
      environment.note(`${row.name} was not added. ${error.message}`);
    }
  }
}
