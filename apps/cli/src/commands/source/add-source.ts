import type { Client } from '@executor/client';
import { ExecutorError, type NewSource, printable, type Source } from '@executor/protocol';
import { PresenceProof } from '../../answer/presence-proof.ts';
import type { Environment } from '../../environment.ts';
import { remoteUrl } from '../../server/access.ts';
import { connect } from '../../server/connect.ts';
import { row, sourceLines } from '../../source/describe.ts';
import { isUrl } from '../../source/document-location.ts';
import { nextStep } from '../../source/next-step.ts';
import { newSettingsOf, type SettingOptions } from '../../source/settings.ts';
import { type FindOptions, type SystemToAdd, systemToAdd } from '../../source/system-to-add.ts';
import { loadingMs, watchLoading } from '../../source/watch-loading.ts';
import { style } from '../../style.ts';
import { allSources } from './sources.ts';

interface AddOptions extends SettingOptions {
  namespace?: string;
  kind?: NewSource['kind'];
}

export async function addSource(
  environment: Environment,
  words: [location: string, ...args: string[]],
  options: AddOptions,
): Promise<void> {
  const { namespace, kind = options.transport && 'mcp', baseUrl, json = false } = options;
  const settings: Partial<NewSource> & { cwd?: string } = await newSettingsOf(environment, options);
  // As in a shell, relative paths of a program start in the user's folder. Another machine may not have that folder.
  const isHere = options.transport === 'stdio' && remoteUrl(environment) === undefined;
  if (isHere && options.cwd === undefined) settings.cwd = environment.cwd;
  const client = await connect(environment);
  const hasCredentials = settings.auth !== undefined;
  const system = await locationOf(environment, client, words, { ...options, kind, hasCredentials });
  const request = {
    ...system.request,
    ...(namespace !== undefined && { namespace }),
    ...(kind !== undefined && { kind }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...settings,
  } as NewSource;
  const source = await new PresenceProof(environment).for((presence) =>
    watchLoading(environment, client, () =>
      client.sources.create(request, { presence, timeoutMs: loadingMs }),
    ),
  );
  if (json) return environment.printJson(source);
  const { name, toolCount } = source;
  environment.print(
    `Added ${style.bold(source.namespace)}: ${toolCount.toLocaleString('en')} ${toolCount === 1 ? 'tool' : 'tools'} of ${printable(name)}`,
  );
  const [location] = words;
  if (source.url !== undefined && isUrl(location) && source.url !== location && source.document)
    environment.print(row('document', `${printable(source.url)}, found from that address`));
  for (const line of sourceLines(source)) environment.print(line);
  const keyUrl = hasCredentials ? undefined : system.credential?.keyUrl;
  if (keyUrl !== undefined) environment.print(row('get a key', printable(keyUrl)));
  const twin = await twinOf(client, source).catch(() => undefined);
  if (twin)
    environment.print(
      `${style.bold(twin.namespace)} has the same document. To keep only one: executor sources rm ${source.namespace}`,
    );
  const next = await nextStep(client, source).catch(() => undefined);
  if (next) environment.print(next);
}

/** Where the system is: a program to start, a URL, a document or a provider. */
async function locationOf(
  environment: Environment,
  client: Client,
  [location, ...args]: [string, ...string[]],
  options: AddOptions & FindOptions,
): Promise<SystemToAdd> {
  if (options.transport === 'stdio') return { request: { kind: 'mcp', command: location, args } };
  if (args.length === 0) return systemToAdd(environment, client, location, options);
  throw new ExecutorError(
    'usage',
    'Pass one URL or file. A program with arguments needs --transport stdio, and -- before it.',
  );
}

/** Points out a source with the same document, because the user may not know of it. */
async function twinOf(client: Client, { id, url, document }: Source): Promise<Source | undefined> {
  const { items } = await allSources(client);
  return items.find(
    (other) =>
      other.id !== id &&
      (url === undefined
        ? document !== undefined && other.document?.hash === document.hash
        : other.url === url),
  );
}
