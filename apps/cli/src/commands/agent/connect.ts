import { chmodSync, statSync } from 'node:fs';
import { shellQuote } from '@executor/home';
import { ExecutorError } from '@executor/protocol';
import type { AgentClient } from '../../agent-clients/agent-client.ts';
import { ask, askDialog, askPrivate, askWhich } from '../../agent-clients/ask.ts';
import { ClientKeys } from '../../agent-clients/client-keys.ts';
import { agentClients } from '../../agent-clients/clients.ts';
import {
  connectClient,
  type Installation,
  type Plan,
  planConnection,
  type Wish,
} from '../../agent-clients/connect-client.ts';
import { type Connection, findConnection, readConnections } from '../../agent-clients/connections.ts';
import { fileOf, isInstalled, thisMachine } from '../../agent-clients/detect.ts';
import { disconnectClient, planUndo, type Undo } from '../../agent-clients/disconnect-client.ts';
import { revokeFormer } from '../../agent-clients/former-keys.ts';
import { launchNotes, launchOf } from '../../agent-clients/launch.ts';
import { listClients, printEntry } from '../../agent-clients/list.ts';
import { type Report, Reports } from '../../agent-clients/reports.ts';
import { ensureDaemon } from '../../daemon/ensure-daemon.ts';
import type { Environment } from '../../environment.ts';
import { remoteUrl } from '../../server/access.ts';

export interface ConnectOptions {
  all?: boolean;
  project?: boolean;
  http?: boolean;
  allowDialog?: boolean;
  print?: boolean;
  dryRun?: boolean;
  undo?: boolean;
  yes?: boolean;
  json?: boolean;
}

export async function connectClients(
  environment: Environment,
  names: string[],
  options: ConnectOptions,
): Promise<void> {
  const named = clientsCalled(names);
  requireSense(environment, named, options);
  if (options.print)
    return printEntry(environment, named, await installationFor(environment, options), options);
  if (options.undo) return undo(environment, named, options);
  const chosen = await choose(environment, named, options);
  if (chosen === undefined) return listClients(environment, options);
  const installation = await installationFor(environment, options);
  const reports = new Reports(environment, options);
  const plans: Plan[] = [];
  const notes = launchNotes(environment.variables);
  if (options.project) notes.push('The entry names paths of this machine: keep it out of what you share.');
  for (const client of chosen) {
    await reports.attempt(client, async () => {
      const plan = await planConnection(
        await wishFor(environment, client, options, installation),
        installation,
      );
      if (plan.state === 'same') {
        if (plan.connection && !options.dryRun)
          notes.push(...(await leftOver(plan.connection, installation)));
        return reports.add({ ...reportOf(plan), state: 'unchanged' });
      }
      reports.preview(plan, plan.path, plan.changes);
      if (options.dryRun) return reports.add({ ...reportOf(plan), state: 'planned', changes: plan.changes });
      plans.push(plan);
    });
  }
  if (plans.length > 0 && (await agreed(environment, options, 'Write this?'))) {
    for (const plan of plans) {
      await reports.attempt(plan.client, async () => {
        const connection = await connectClient(plan, installation);
        const { keyId, backup } = connection;
        reports.add({ ...reportOf(plan), state: 'connected', keyId, backup });
        if (
          keyId !== undefined &&
          isReadByOthers(plan.path) &&
          !(await closed(environment, plan.path, options))
        )
          notes.push(openFile(plan.path));
        notes.push(...(await leftOver(connection, installation)));
      });
    }
  }
  reports.end(notes);
}

async function undo(environment: Environment, named: AgentClient[], options: ConnectOptions): Promise<void> {
  const folders = environment.folders;
  const keys = new ClientKeys(environment);
  const reports = new Reports(environment, options);
  const wanted = named.length > 0 ? named : [...agentClients];
  const machine = thisMachine(environment);
  const undos: Undo[] = [];
  for (const client of wanted) {
    const only = options.project ? fileOf(client, machine, environment.cwd) : undefined;
    const connections = readConnections(folders).filter(
      (one) => one.client === client.id && (!options.project || one.path === only),
    );
    if (connections.length === 0 && named.length > 0) reports.add({ client, state: 'absent' });
    for (const connection of connections) {
      await reports.attempt(client, async () => {
        const planned = planUndo(client, connection);
        if (planned.state === 'there') reports.preview({ client }, connection.path, planned.changes);
        const { path } = connection;
        if (options.dryRun) return reports.add({ client, path, state: 'planned', changes: planned.changes });
        undos.push(planned);
      });
    }
  }
  if (undos.length > 0 && (await agreed(environment, options, 'Take this out?'))) {
    for (const planned of undos) {
      await reports.attempt(planned.client, async () => {
        await disconnectClient(planned, { folders, keys });
        const { path, backup } = planned.connection;
        reports.add({ client: planned.client, path, state: 'disconnected', backup });
      });
    }
  }
  if (reports.isEmpty && undos.length === 0 && !options.json)
    environment.print(`Nothing is connected. \`executor connect\` does that.`);
  reports.end([]);
}

/** What is to be said of keys that should be revoked by now. */
async function leftOver(connection: Connection, installation: Installation): Promise<string[]> {
  return (await revokeFormer(connection, installation)).map(({ message }) => message);
}

/** A file that others may read was so before, and stays so unless its owner says otherwise. */
async function closed(
  environment: Environment,
  path: string,
  { yes, json }: ConnectOptions,
): Promise<boolean> {
  if (yes || json || !environment.isInteractive || !(await askPrivate(environment, path))) return false;
  chmodSync(path, statSync(path).mode & 0o700);
  return true;
}

function isReadByOthers(path: string): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & 0o044) !== 0;
}

function openFile(path: string): string {
  return `${path} holds a key now, and others on this machine can read it: \`chmod 600 ${shellQuote(path)}\` ends that.`;
}

function reportOf({ client, path, transport, dialog }: Wish): Omit<Report, 'state'> {
  return { client, path, transport, dialog };
}

function clientsCalled(names: string[]): AgentClient[] {
  return [...new Set(names)].map((name) => {
    const wanted = name.toLowerCase();
    const found = agentClients.find(({ id, name: full }) => id === wanted || full.toLowerCase() === wanted);
    if (found) return found;
    const near = agentClients.filter(({ id }) => id.startsWith(wanted.slice(0, 3)) || id.includes(wanted));
    const hint = near.length > 0 ? ` Do you mean ${near.map(({ id }) => id).join(' or ')}?` : '';
    throw new ExecutorError(
      'usage',
      `There is no client "${name}".${hint} Known are ${agentClients.map(({ id }) => id).join(', ')}; \`executor connect --print\` shows an entry for any other.`,
    );
  });
}

/** What cannot be meant together is told before anything is looked at. */
function requireSense(environment: Environment, named: AgentClient[], options: ConnectOptions): void {
  const { all, print, undo: isUndo, dryRun, http, allowDialog, project } = options;
  const clash = (condition: unknown, message: string) => {
    if (condition) throw new ExecutorError('usage', message);
  };
  clash(all && named.length > 0, 'Name clients, or give --all, not both.');
  clash(print && (isUndo || dryRun), '--print writes nothing: it goes with neither --undo nor --dry-run.');
  clash(isUndo && (http || allowDialog !== undefined), '--undo takes neither --http nor --allow-dialog.');
  clash(
    project && (http || allowDialog || (remoteUrl(environment) !== undefined && !isUndo)),
    'A project’s files are shared, and this would put a key there: leave --project out.',
  );
  for (const client of named) {
    clash(
      http && client.http === undefined,
      `${client.name} takes no server by its address from a file: leave --http out.`,
    );
    clash(
      project && client.projectFiles === undefined,
      `${client.name} has no file for a project: leave --project out.`,
    );
  }
}

/** The clients to write to; undefined where nobody said which, and nobody can be asked. */
async function choose(
  environment: Environment,
  named: AgentClient[],
  options: ConnectOptions,
): Promise<AgentClient[] | undefined> {
  if (named.length > 0) return named;
  const machine = thisMachine(environment);
  const found = agentClients.filter(
    (client) =>
      isInstalled(client, machine) &&
      (!options.project || client.projectFiles) &&
      (!options.http || client.http),
  );
  if (found.length === 0 && options.all)
    throw new ExecutorError(
      'notFound',
      `None of the clients was found on this machine: ${agentClients.map(({ name }) => name).join(', ')}. Name one to write its file all the same (\`executor connect cursor\`), or \`executor connect --print\` for another program.`,
    );
  if (options.all) return found;
  if (!environment.isInteractive || options.json || found.length === 0) return undefined;
  return askWhich(environment, found, machine);
}

async function installationFor(
  environment: Environment,
  { http = false }: ConnectOptions,
): Promise<Installation> {
  const folders = environment.folders;
  const remote = remoteUrl(environment);
  const url = http ? (remote ?? (await ensureDaemon(environment, {})).record.url) : undefined;
  return {
    folders,
    launch: launchOf(environment.variables),
    remote,
    url: url?.replace(/\/$/, ''),
    keys: new ClientKeys(environment),
  };
}

async function wishFor(
  environment: Environment,
  client: AgentClient,
  options: ConnectOptions,
  { folders, keys }: Installation,
): Promise<Wish> {
  const project = options.project ? environment.cwd : undefined;
  const path = fileOf(client, thisMachine(environment), project) as string;
  const former = findConnection(folders, client.id, path);
  // The key tells, not what was written down: a person may have taken the permission back since.
  const had = former && (await keys.live(former))?.allowDialog === true;
  const canAsk = environment.isInteractive && !options.json && !options.yes && !options.dryRun && !project;
  const dialog = options.allowDialog ?? had ?? (canAsk ? await askDialog(environment, client) : false);
  return { client, path, project, transport: options.http ? 'http' : 'stdio', dialog };
}

async function agreed(
  environment: Environment,
  { yes, json }: ConnectOptions,
  question: string,
): Promise<boolean> {
  if (yes) return true;
  if (!environment.isInteractive || json)
    throw new ExecutorError(
      'usage',
      'Nothing was written: add --yes to write, or --dry-run to see what would be.',
    );
  return ask(environment, question);
}
