import type { Client } from '@executor/client';
import {
  type DetectedSource,
  ExecutorError,
  type FoundSource,
  type NewSource,
  nearest,
  type Provider,
  printable,
} from '@executor/protocol';
import type { Environment } from '../environment.ts';
import { isFile, readLocation } from './document-location.ts';

/** The fields of a new source that its location decides. */
export interface SystemToAdd {
  request: NewSource;
  /** Where its credential comes from, if it needs one. */
  credential?: FoundSource['credential'];
}

export interface FindOptions {
  kind?: string | undefined;
  allowPrivateNetwork?: boolean | undefined;
  hasCredentials: boolean;
}

/** Resolves an argument: a URL, a file, or the name of a provider. Looks at a URL whose kind the user did not say. */
export async function systemToAdd(
  environment: Environment,
  client: Client,
  location: string,
  options: FindOptions,
): Promise<SystemToAdd> {
  if (isProviderName(location) && !isFile(environment, location))
    return fromProvider(await providerNamed(client, location));
  const request = await readLocation(environment, location);
  if (options.kind !== undefined || !('url' in request)) return { request };
  const detected = await detect(client, request.url, options);
  if (detected === undefined) return { request };
  if (detected.kind !== undefined && detected.confidence.kind === 'certain') return fromFound(detected);
  const choices = detected.kind === undefined ? detected.choices : [detected];
  const isUnsure = choices.every(({ confidence }) => confidence.kind !== 'certain');
  // With the credentials, the URL itself may say what it is.
  if (options.hasCredentials && isUnsure) return { request };
  if (choices.length > 0) return fromFound(await chooseFound(environment, request.url, choices));
  throw credentialNeeded(detected);
}

function isProviderName(location: string): boolean {
  return /^[a-z\d]+(-[a-z\d]+)*$/.test(location);
}

async function providerNamed(client: Client, name: string): Promise<Provider> {
  const { items } = await client.sources.providers({});
  const provider = items.find((one) => one.name === name);
  if (provider) return provider;
  const meant = nearest(
    name,
    items.map((one) => one.name),
  );
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  throw new ExecutorError(
    'usage',
    `There is no file and no provider "${name}".${hint} List the providers: executor sources catalog`,
  );
}

function fromProvider({ name, title, kind, url, auth, keyUrl, docsUrl }: Provider): SystemToAdd {
  const request = { kind, url, name: title, namespace: camelCase(name) };
  const credential = auth === 'none' ? undefined : { message: '', ...(keyUrl && { keyUrl }), docsUrl };
  return { request: request as NewSource, ...(credential && { credential }) };
}

function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

function fromFound({ kind, url, credential }: FoundSource): SystemToAdd {
  return { request: { kind, url } as NewSource, ...(credential && { credential }) };
}

/** Undefined if nothing was found. Adding the source then says why, with the user's credentials and certificates. */
async function detect(
  client: Client,
  url: string,
  { allowPrivateNetwork }: FindOptions,
): Promise<DetectedSource | undefined> {
  try {
    return await client.sources.detect({
      url,
      ...(allowPrivateNetwork !== undefined && { allowPrivateNetwork }),
    });
  } catch (error) {
    const isUnknown =
      error instanceof ExecutorError && ['unusableDocument', 'unreachable', 'timeout'].includes(error.code);
    if (isUnknown) return undefined;
    throw error;
  }
}

/** Nothing is added that the URL itself does not clearly lead to. */
async function chooseFound(
  environment: Environment,
  url: string,
  choices: FoundSource[],
): Promise<FoundSource> {
  if (!environment.isInteractive) throw unclear(url, choices);
  const { choose } = await import('../answer/prompts.ts');
  const rows = choices.map(({ kind, name, url: at, confidence }, index) => ({
    value: String(index),
    label: printable(`${name}: ${kind} at ${at}`),
    hint: confidence.kind,
  }));
  const chosen = await choose(environment, { message: 'Which of these do you want to add?' }, rows);
  const found = chosen === undefined ? undefined : choices[Number(chosen)];
  if (found) return found;
  throw new ExecutorError('usage', 'Nothing was added.');
}

function unclear(url: string, choices: FoundSource[]): ExecutorError {
  const commands = choices.map(({ kind, url: at }) => `  executor sources add ${at} --kind ${kind}`);
  const reason =
    choices.length === 1 ? 'This system may be another one than you mean' : 'There are several systems';
  const needed = choices.length === 1 && choices[0]?.credential ? ` ${choices[0].credential.message}` : '';
  return new ExecutorError(
    'usage',
    `${url} is not clearly one system. ${reason}.${needed} To add it, run:\n${commands.join('\n')}`,
    { details: { choices } },
  );
}

function credentialNeeded({ url, credential }: DetectedSource): ExecutorError {
  const message = credential?.message ?? 'Its server refuses requests without credentials.';
  return new ExecutorError(
    'unusableDocument',
    `Executor cannot see what ${url} is without a credential. ${message} Add the credential: executor sources add ${url} --bearer`,
    { details: { credential } },
  );
}
