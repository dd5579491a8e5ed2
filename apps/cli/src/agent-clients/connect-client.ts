import type { Folders } from '@executor/home';
import type { AgentClient, Entry, Launch } from './agent-client.ts';
import { backUp } from './backup.ts';
import { type ClientFile, changedMeanwhile, readClientFile, writeClientFile } from './client-file.ts';
import type { ClientKeys } from './client-keys.ts';
import { configEditorFor } from './config/config-editor-for.ts';
import { type Connection, digest, findConnection, saveConnection, withLock } from './connections.ts';
import { formerKeysOf } from './former-keys.ts';
import { type Change, changesBetween } from './preview.ts';
import { removeEntry } from './remove-entry.ts';

/** The parts that all entries of one command share. */
export interface Installation {
  folders: Folders;
  launch: Launch;
  /** EXECUTOR_URL, if the server is not the daemon of this machine. */
  remote: string | undefined;
  /** The URL of the server, for entries that use HTTP. */
  url: string | undefined;
  keys: ClientKeys;
}

/** The client to connect, the file to write and the options of its entry. */
export interface DesiredConnection {
  client: AgentClient;
  path: string;
  /** The project folder that must contain the file. */
  project: string | undefined;
  transport: 'stdio' | 'http';
  dialog: boolean;
}

export interface Plan extends DesiredConnection {
  /**
   * `new`: there is no entry yet. `foreign`: this installation did not write the entry. `changed`: Executor wrote it and somebody changed it.
   * `ours`: Executor wrote it. `same`: the desired entry exists already.
   */
  state: 'new' | 'foreign' | 'changed' | 'ours' | 'same';
  needsKey: boolean;
  current: unknown;
  connection: Connection | undefined;
  changes: Change[];
}

/** Stands for a key that is not created yet. */
export const keyPlaceholder = 'KEY';

export async function planConnection(desired: DesiredConnection, installation: Installation): Promise<Plan> {
  const { client, path, project, transport, dialog } = desired;
  const file = readClientFile(path, project);
  const editor = configEditorFor(client, path);
  const current = editor.read(file.text);
  const connection = findConnection(installation.folders, client.id, path);
  const needsKey = transport === 'http' || dialog || installation.remote !== undefined;
  const desiredEntry = entryFor(desired, installation, needsKey ? keyPlaceholder : undefined);
  const isOurs = connection !== undefined && digest(current) === connection.entry;
  const looksSame = digest(withoutKey(current)) === digest(withoutKey(desiredEntry));
  const isSame =
    looksSame &&
    (!needsKey || (isOurs && (await installation.keys.findActive(connection))?.allowDialog === dialog));
  if (isSame) return { ...desired, state: 'same', needsKey, current, connection, changes: [] };
  return {
    ...desired,
    state: current === undefined ? 'new' : isOurs ? 'ours' : connection ? 'changed' : 'foreign',
    needsKey,
    current,
    connection,
    changes: changesBetween(file.text, editor.set(file.text, desiredEntry)),
  };
}

/** Writes the plan, unless the entry changed meanwhile. The caller revokes the keys of the former entry (`revokeFormerKeys`). */
export async function connectClient(plan: Plan, installation: Installation): Promise<Connection> {
  const { client, dialog, needsKey } = plan;
  const { folders, keys, remote } = installation;
  const key = needsKey ? await keys.create(client.name, dialog) : undefined;
  const createdKey = { keyId: key?.id, server: key && remote, path: plan.path };
  try {
    const entry = entryFor(plan, installation, key?.key);
    return await withLock(folders, () => write(plan, installation, entry, createdKey));
  } catch (error) {
    // A key that is in no file has no use and could be stolen, so it is revoked.
    if (key && findConnection(folders, client.id, plan.path)?.keyId !== key.id)
      await keys.revoke(createdKey).catch(() => {});
    throw error;
  }
}

/** Executor's entry in the client's file. */
export function entryFor(
  { client, transport }: DesiredConnection,
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
  createdKey: Pick<Connection, 'keyId' | 'server'>,
): Connection {
  const { client, path, project, transport, dialog } = plan;
  const editor = configEditorFor(client, path);
  const file = readClientFile(path, project);
  if (digest(editor.read(file.text)) !== digest(plan.current)) throw changedMeanwhile(path);
  const after = editor.set(file.text, entry);
  const original = backUpOriginal(plan, file, folders);
  const formerKeys = formerKeysOf(findConnection(folders, client.id, path));
  writeClientFile(file, after);
  const connection: Connection = {
    client: client.id,
    path,
    at: new Date().toISOString(),
    transport,
    dialog,
    ...(createdKey.keyId !== undefined && { keyId: createdKey.keyId }),
    ...(createdKey.server !== undefined && { server: createdKey.server }),
    ...(formerKeys.length > 0 && { formerKeys }),
    entry: digest(editor.read(after)),
    file: digest(after),
    ...original,
    ...(transport === 'stdio' && { starts: launch.args[0] }),
  };
  saveConnection(folders, connection);
  return connection;
}

/** Backs up the file without Executor's entry, so that an undo can restore it byte for byte. */
function backUpOriginal(
  { client, path, state, connection }: Plan,
  file: ClientFile,
  folders: Folders,
): Pick<Connection, 'backup' | 'madeContainer'> {
  if (connection && (state === 'ours' || state === 'changed')) {
    const { backup, madeContainer } = connection;
    if (digest(file.text) === connection.file) return { ...(backup && { backup }), madeContainer };
    // The changed entry is not part of the original file. It gets a backup of its own, because the user may want it back.
    if (state === 'changed') backUp(folders, client.id, file.text);
    return { backup: backUp(folders, client.id, removeEntry(client, connection, file.text)), madeContainer };
  }
  const madeContainer = !configEditorFor(client, path).hasContainer(file.text);
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
