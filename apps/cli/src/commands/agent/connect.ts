import { chmodSync, statSync } from 'node:fs';
import { shellQuote } from '@executor/home';
import { ExecutorError } from '@executor/protocol';
import type { AgentClient } from '../../agent-clients/agent-client.ts';
import { askClients, askDialog, askPrivate, confirm } from '../../agent-clients/ask.ts';
import { readClientFile } from '../../agent-clients/client-file.ts';
import { ClientKeys } from '../../agent-clients/client-keys.ts';
import { agentClients } from '../../agent-clients/clients.ts';
import {
  connectClient,
  type DesiredConnection,
  type Installation,
  type Plan,
  planConnection,
} from '../../agent-clients/connect-client.ts';
import { type Connection, findConnection, readConnections } from '../../agent-clients/connections.ts';
import { fileOf, isInstalled, thisMachine } from '../../agent-clients/detect.ts';
import { disconnectClient, planUndo, type Undo } from '../../agent-clients/disconnect-client.ts';
import { exposed, exposureOf } from '../../agent-clients/exposure.ts';
import { revokeFormerKeys } from '../../agent-clients/former-keys.ts';
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
  const named = clientsNamed(names);
  requireCompatible(environment, named, options);
  if (options.print)
    return printEntry(environment, named, await installationFor(environment, options), options);
  if (options.undo) return undo(environment, named, options);
  const chosen = await choose(environment, named, options);
  if (chosen === undefined) return listClients(environment, options);
  const installation = await installationFor(environment, options);
  const reports = new Reports(environment, options);
  const plans: Plan[] = [];
  const notes = launchNotes(environment.variables);
  if (options.project) notes.push('The entry contains paths of this machine. Do not commit it.');
  for (const client of chosen) {
    await reports.attempt(client, async () => {
      const plan = await planConnection(
        await desiredConnection(environment, client, options, installation),
        installation,
      );
      if (plan.state === 'same') {
        if (plan.connection && !options.dryRun)
          notes.push(...(await revocationNotes(plan.connection, installation)));
        return reports.add({ ...reportOf(plan), state: 'unchanged' });
      }
      reports.preview(plan, plan.path, plan.changes);
      if (plan.dialog && !canAsk(environment, options)) requirePrivate(plan);
      if (options.dryRun) return reports.add({ ...reportOf(plan), state: 'planned', changes: plan.changes });
      plans.push(plan);
    });
  }
  if (plans.length > 0 && (await isConfirmed(environment, options, 'Write this?'))) {
    for (const plan of plans) {
      await reports.attempt(plan.client, async () => {
        if (plan.dialog) await requirePrivateOrAsk(environment, plan, options);
        const connection = await connectClient(plan, installation);
        const { keyId, backup } = connection;
        reports.add({ ...reportOf(plan), state: 'connected', keyId, backup });
        if (
          keyId !== undefined &&
          isReadableByOthers(plan.path) &&
          !(await makePrivate(environment, plan.path, options))
        )
          notes.push(readableFileNote(plan.path));
        notes.push(...(await revocationNotes(connection, installation)));
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
        if (planned.state === 'present') reports.preview({ client }, connection.path, planned.changes);
        const { path } = connection;
        if (options.dryRun) return reports.add({ client, path, state: 'planned', changes: planned.changes });
        undos.push(planned);
      });
    }
  }
  if (undos.length > 0 && (await isConfirmed(environment, options, 'Remove this?'))) {
    for (const planned of undos) {
      await reports.attempt(planned.client, async () => {
        await disconnectClient(planned, { folders, keys });
        const { path, backup } = planned.connection;
        reports.add({ client: planned.client, path, state: 'disconnected', backup });
      });
    }
  }
  if (reports.isEmpty && undos.length === 0 && !options.json)
    environment.print(`Nothing is connected. \`executor connect\` connects a client.`);
  reports.end([]);
}

/** Revokes former keys, and returns a note for each key that could not be revoked. */
async function revocationNotes(connection: Connection, installation: Installation): Promise<string[]> {
  return (await revokeFormerKeys(connection, installation)).map(({ message }) => message);
}

/** Offers to make the file private. Its permissions are the user's choice, so nothing changes without an answer. */
async function makePrivate(
  environment: Environment,
  path: string,
  options: ConnectOptions,
): Promise<boolean> {
  if (!canAsk(environment, options) || !(await askPrivate(environment, path))) return false;
  chmodSync(path, statSync(path).mode & 0o700);
  return true;
}

/** A key that can approve calls is created only for a file that nobody else can read or replace. */
function requirePrivate({ path, project }: Plan): void {
  const exposure = exposureOf(readClientFile(path, project));
  if (exposure) throw exposed(path, exposure);
}

async function requirePrivateOrAsk(
  environment: Environment,
  plan: Plan,
  options: ConnectOptions,
): Promise<void> {
  const exposure = exposureOf(readClientFile(plan.path, plan.project));
  if (exposure?.type === 'file') await makePrivate(environment, plan.path, options);
  requirePrivate(plan);
}

function canAsk(environment: Environment, { yes, json, dryRun }: ConnectOptions): boolean {
  return environment.isInteractive && !yes && !json && !dryRun;
}

function isReadableByOthers(path: string): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & 0o044) !== 0;
}

function readableFileNote(path: string): string {
  return `${path} now contains a key, and other users of this machine can read it. Run \`chmod 600 ${shellQuote(path)}\`.`;
}

function reportOf({ client, path, transport, dialog }: DesiredConnection): Omit<Report, 'state'> {
  return { client, path, transport, dialog };
}

function clientsNamed(names: string[]): AgentClient[] {
  return [...new Set(names)].map((name) => {
    const wanted = name.toLowerCase();
    const found = agentClients.find(({ id, name: full }) => id === wanted || full.toLowerCase() === wanted);
    if (found) return found;
    const near = agentClients.filter(({ id }) => id.startsWith(wanted.slice(0, 3)) || id.includes(wanted));
    const hint = near.length > 0 ? ` Did you mean ${near.map(({ id }) => id).join(' or ')}?` : '';
    throw new ExecutorError(
      'usage',
      `There is no client "${name}".${hint} Supported clients: ${agentClients.map(({ id }) => id).join(', ')}. \`executor connect --print\` prints an entry for any other client.`,
    );
  });
}

/** Rejects options that exclude each other. */
function requireCompatible(environment: Environment, named: AgentClient[], options: ConnectOptions): void {
  const { all, print, undo: isUndo, dryRun, http, allowDialog, project } = options;
  const clash = (condition: unknown, message: string) => {
    if (condition) throw new ExecutorError('usage', message);
  };
  clash(all && named.length > 0, 'Name clients or use --all, not both.');
  clash(
    print && (isUndo || dryRun),
    '--print writes nothing, so it cannot be used with --undo or --dry-run.',
  );
  clash(
    isUndo && (http || allowDialog !== undefined),
    '--undo cannot be used with --http or --allow-dialog.',
  );
  clash(
    project && (http || allowDialog || (remoteUrl(environment) !== undefined && !isUndo)),
    'The files of a project are shared, and this would write a key to them. Omit --project.',
  );
  for (const client of named) {
    clash(
      http && client.http === undefined,
      `${client.name} cannot be configured with the address of a server. Omit --http.`,
    );
    clash(
      project && client.projectFiles === undefined,
      `${client.name} has no file for a project. Omit --project.`,
    );
  }
}

/** The clients to connect. Undefined if none are named and no user can be asked. */
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
      `No client was found on this machine. Supported clients: ${agentClients.map(({ name }) => name).join(', ')}. Name one to write its file anyway (\`executor connect cursor\`), or use \`executor connect --print\` for another program.`,
    );
  if (options.all) return found;
  if (!environment.isInteractive || options.json || found.length === 0) return undefined;
  return askClients(environment, found, machine);
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

async function desiredConnection(
  environment: Environment,
  client: AgentClient,
  options: ConnectOptions,
  { folders, keys }: Installation,
): Promise<DesiredConnection> {
  const project = options.project ? environment.cwd : undefined;
  const path = fileOf(client, thisMachine(environment), project) as string;
  const former = findConnection(folders, client.id, path);
  // The key decides, not the record of the connection: the user may have withdrawn the permission meanwhile.
  const wasAllowed = former && (await keys.findActive(former))?.allowDialog === true;
  const mayAsk = canAsk(environment, options) && !project;
  const dialog = options.allowDialog ?? wasAllowed ?? (mayAsk ? await askDialog(environment, client) : false);
  return { client, path, project, transport: options.http ? 'http' : 'stdio', dialog };
}

async function isConfirmed(
  environment: Environment,
  { yes, json }: ConnectOptions,
  question: string,
): Promise<boolean> {
  if (yes) return true;
  if (!environment.isInteractive || json)
    throw new ExecutorError(
      'usage',
      'Nothing was written. To write, add --yes. To see the changes only, add --dry-run.',
    );
  return confirm(environment, question);
}
