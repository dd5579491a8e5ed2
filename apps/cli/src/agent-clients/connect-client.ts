import type { Folders } from '@executor/home';
import type { AgentClient, Entry, Launch } from './agent-client.ts';
import { backUp } from './backup.ts';
import { type ClientFile, changedMeanwhile, readClientFile, writeClientFile } from './client-file.ts';
import type { ClientKeys } from './client-keys.ts';
import { type Connection, digest, findConnection, keepConnection, withLock } from './connections.ts';
import { formerKeysOf } from './former-keys.ts';
import { type Change, changesBetween } from './preview.ts';
import { textOf } from './text-of.ts';
import { withoutUs } from './without-us.ts';

/** What the entries of this command have in common. */
export interface Installation {
  folders: Folders;
  launch: Launch;
  /** EXECUTOR_URL, where the server is not of this machine. */
  remote: string | undefined;
  /** Where /mcp is, for entries that name it. */
  url: string | undefined;
  keys: ClientKeys;
}

/** What is to be written, and where. */
export interface Wish {
  client: AgentClient;
  path: string;
  /** The project that the file must not lead out of. */
  project: string | undefined;
  transport: 'stdio' | 'http';
  dialog: boolean;
}

export interface Plan extends Wish {
  /** `new`, in the place of another entry, in the place of ours (as it was written or changed since), or there already. */
  state: 'new' | 'foreign' | 'changed' | 'ours' | 'same';
  needsKey: boolean;
  current: unknown;
  connection: Connection | undefined;
  changes: Change[];
}

/** Stands for a key until there is one. */
export const keyPlaceholder = 'KEY';

export async function planConnection(wish: Wish, installation: Installation): Promise<Plan> {
  const { client, path, project, transport, dialog } = wish;
  const file = readClientFile(path, project);
  const text = textOf(client, path);
  const current = text.read(file.text);
  const connection = findConnection(installation.folders, client.id, path);
  const needsKey = transport === 'http' || dialog || installation.remote !== undefined;
  const wanted = entryFor(wish, installation, needsKey ? keyPlaceholder : undefined);
  const isOurs = connection !== undefined && digest(current) === connection.entry;
  const looksSame = digest(withoutKey(current)) === digest(withoutKey(wanted));
  const isSame =
    looksSame &&
    (!needsKey || (isOurs && (await installation.keys.live(connection))?.allowDialog === dialog));
  if (isSame) return { ...wish, state: 'same', needsKey, current, connection, changes: [] };
  return {
    ...wish,
    state: current === undefined ? 'new' : isOurs ? 'ours' : connection ? 'changed' : 'foreign',
    needsKey,
    current,
    connection,
    changes: changesBetween(file.text, text.set(file.text, wanted)),
  };
}

/** Writes what was planned, unless our entry became another one since. Keys of the entry before are left to `revokeFormer`. */
export async function connectClient(plan: Plan, installation: Installation): Promise<Connection> {
  const { client, dialog, needsKey } = plan;
  const { folders, keys, remote } = installation;
  const key = needsKey ? await keys.make(client.name, dialog) : undefined;
  const made = { keyId: key?.id, server: key && remote, path: plan.path };
  try {
    const entry = entryFor(plan, installation, key?.key);
    return await withLock(folders, () => write(plan, installation, entry, made));
  } catch (error) {
    // A key that is in no file is nobody's: it would only be one more to steal.
    if (key && findConnection(folders, client.id, plan.path)?.keyId !== key.id)
      await keys.revoke(made).catch(() => {});
    throw error;
  }
}

/** What the client's file gets to say of us. */
export function entryFor(
  { client, transport }: Wish,
  { launch, remote, url }: Installation,
  key?: string,
): Entry {
  if (transport === 'http' && client.http)
    return client.http({ url: `${url}/mcp`, headers: { Authorization: `Bearer ${key}` } });
  const env = {
    ...launch.env,
    ...(remote !== undefined && { EXECUTOR_URL: remote }),
    ...(key !== undefined && { EXECUTOR_TOKEN: key }),
  };
  return client.stdio({ ...launch, env });
}

function write(
  plan: Plan,
  { folders, launch }: Installation,
  entry: Entry,
  made: Pick<Connection, 'keyId' | 'server'>,
): Connection {
  const { client, path, project, transport, dialog } = plan;
  const text = textOf(client, path);
  const file = readClientFile(path, project);
  if (digest(text.read(file.text)) !== digest(plan.current)) throw changedMeanwhile(path);
  const after = text.set(file.text, entry);
  const origin = originOf(plan, file, folders);
  const formerKeys = formerKeysOf(findConnection(folders, client.id, path));
  writeClientFile(file, after);
  const connection: Connection = {
    client: client.id,
    path,
    at: new Date().toISOString(),
    transport,
    dialog,
    ...(made.keyId !== undefined && { keyId: made.keyId }),
    ...(made.server !== undefined && { server: made.server }),
    ...(formerKeys.length > 0 && { formerKeys }),
    entry: digest(text.read(after)),
    file: digest(after),
    ...origin,
    ...(transport === 'stdio' && { starts: launch.args[0] }),
  };
  keepConnection(folders, connection);
  return connection;
}

/** The file as it is without us: kept, so that an undo can bring it back to the byte. */
function originOf(
  { client, path, state, connection }: Plan,
  file: ClientFile,
  folders: Folders,
): Pick<Connection, 'backup' | 'madeContainer'> {
  if (connection && (state === 'ours' || state === 'changed')) {
    const { backup, madeContainer } = connection;
    if (digest(file.text) === connection.file) return { ...(backup && { backup }), madeContainer };
    // What somebody made of our entry is no part of the file as it is without us, but they may want it back.
    if (state === 'changed') backUp(folders, client.id, file.text);
    return { backup: backUp(folders, client.id, withoutUs(client, connection, file.text)), madeContainer };
  }
  const madeContainer = !textOf(client, path).hasContainer(file.text);
  return file.stats ? { backup: backUp(folders, client.id, file.text), madeContainer } : { madeContainer };
}

function withoutKey(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return entry;
  return Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [
      name,
      name === 'EXECUTOR_TOKEN' || name === 'Authorization' ? keyPlaceholder : withoutKey(value),
    ]),
  );
}
