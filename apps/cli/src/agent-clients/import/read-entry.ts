import type { NewSource, SourceAuth } from '@executor/protocol';
import type { Machine } from '../agent-client.ts';
import { MissingValue, Variables } from './variables.ts';

/** A server as Executor would add it. */
export interface ImportedServer {
  name: string;
  /** What it is, for a user to read, without secrets. */
  shown: string;
  /** The names of the headers, query parameters and environment variables that become credentials. */
  credentials: string[];
  /** Equal for the same server in several programs. */
  identity: string;
  request?: NewSource;
  /** Why it cannot be added. */
  problem?: string;
}

type Entry = Record<string, unknown>;

/** Names and values that look like secrets. */
const secretName = /key|token|secret|password|passwd|credential|auth/i;
const secretValue = /^(?:Bearer |Basic |sk[-_]|gh[opsu]_|github_pat_|glpat-|xox[abps]-)/i;

/** Reads an entry in the format of any agent program: they differ only in the names of the fields. */
export function readEntry(name: string, entry: Entry, machine: Machine): ImportedServer {
  const url = [entry.url, entry.httpUrl, entry.serverUrl].find((value) => typeof value === 'string');
  const launch = launchOf(entry);
  const base = { name, credentials: [], shown: '', identity: JSON.stringify([name, entry]) };
  if (entry.enabled === false || entry.disabled === true)
    return { ...base, problem: 'it is turned off there' };
  try {
    const variables = new Variables(machine);
    if (typeof url === 'string') return remote(name, url, { entry, variables });
    if (launch) return program(name, launch, { entry, variables });
    return { ...base, problem: 'it has neither a URL nor a command' };
  } catch (error) {
    if (!(error instanceof MissingValue)) throw error;
    return { ...base, problem: error.message };
  }
}

interface Context {
  entry: Entry;
  variables: Variables;
}

function remote(name: string, written: string, { entry, variables }: Context): ImportedServer {
  const expanded = variables.expand(written);
  const shown = withoutQuery(written);
  if (!URL.canParse(expanded))
    return { name, shown, credentials: [], identity: shown, problem: 'its URL is invalid' };
  const url = new URL(expanded);
  const query = Object.fromEntries([...url.searchParams].filter(([key]) => secretName.test(key)));
  for (const key of Object.keys(query)) url.searchParams.delete(key);
  const headers = headersOf(entry, variables);
  const auth = authOf(headers, query);
  const request = {
    kind: 'mcp',
    name,
    url: url.href,
    ...(entry.type === 'sse' && { transport: 'sse' }),
    ...(auth && { auth }),
  } as NewSource;
  const credentials = [...Object.keys(headers), ...Object.keys(query)];
  return { name, shown: withoutQuery(url.href), credentials, identity: url.href, request };
}

function program(name: string, { command, args }: Launch, { entry, variables }: Context): ImportedServer {
  const env = variables.expandAll(textsOf(entry.env ?? entry.environment));
  const credentials = Object.keys(env);
  const expanded = args.map((arg) => variables.expand(arg, credentials));
  const shown = [command, ...args.map((arg) => (secretValue.test(arg) ? '…' : arg))].join(' ');
  const identity = JSON.stringify([command, expanded]);
  const base = { name, shown, credentials, identity };
  if (args.some((arg, index) => isSecret(arg, args[index - 1]) || namesSecret(arg, credentials)))
    return {
      ...base,
      shown: command,
      problem:
        'its arguments contain a secret, which others could see. Pass it in an environment variable there',
    };
  const cwd = typeof entry.cwd === 'string' ? variables.expand(entry.cwd) : undefined;
  const request = {
    kind: 'mcp',
    name,
    transport: 'stdio',
    command: variables.expand(command),
    args: expanded,
    ...(credentials.length > 0 && { env }),
    ...(cwd !== undefined && { cwd }),
  } as NewSource;
  return { ...base, request };
}

interface Launch {
  command: string;
  args: string[];
}

/** `{ command, args }`, `{ command: [program, …] }`, or `{ command: { path, args } }`. */
function launchOf({ command, args }: Entry): Launch | undefined {
  if (typeof command === 'string') return { command, args: listOf(args) };
  if (Array.isArray(command)) {
    const [program, ...others] = listOf(command);
    return program === undefined ? undefined : { command: program, args: others };
  }
  const { path, args: nested } = (command ?? {}) as Entry;
  return typeof path === 'string' ? { command: path, args: listOf(nested) } : undefined;
}

/** Codex names the variables that headers come from. */
function headersOf(entry: Entry, variables: Variables): Record<string, string> {
  const headers = variables.expandAll(textsOf(entry.headers ?? entry.http_headers));
  for (const [header, variable] of Object.entries(textsOf(entry.env_http_headers)))
    headers[header] = variables.get(variable);
  const { bearer_token_env_var: variable } = entry;
  if (typeof variable === 'string') headers.Authorization = `Bearer ${variables.get(variable)}`;
  return headers;
}

function authOf(headers: Record<string, string>, query: Record<string, string>): SourceAuth | undefined {
  const names = Object.keys(headers);
  if (Object.keys(query).length > 0) return { type: 'schemes', schemes: {}, headers, query };
  if (names.length === 0) return undefined;
  const [only = ''] = names;
  const token = /^Bearer (\S+)$/i.exec(headers[only] ?? '')?.[1];
  if (names.length === 1 && /^authorization$/i.test(only) && token !== undefined)
    return { type: 'bearer', token };
  return { type: 'headers', headers };
}

function isSecret(arg: string, before = ''): boolean {
  if (secretValue.test(arg)) return true;
  const [, option = '', value = ''] = /^-{1,2}([\w-]+)=(.+)$/s.exec(arg) ?? [];
  if (value !== '') return secretName.test(option) && !isReference(value);
  const isValue = /^-{1,2}[\w-]+$/.test(before) && !arg.startsWith('-');
  const isHeader = /^-{1,2}header$/.test(before) && secretName.test(arg.split(':')[0] ?? '');
  return (isValue && secretName.test(before) && !isReference(arg)) || isHeader;
}

/** Whether a reference would put a secret into the arguments. */
function namesSecret(arg: string, kept: readonly string[]): boolean {
  const names = [...arg.matchAll(/\{(?:env:)?([A-Za-z_]\w*)/g)].map(([, name = '']) => name);
  return names.some((name) => secretName.test(name) && !kept.includes(name));
}

/** A path or a variable names a secret without being one. */
function isReference(value: string): boolean {
  return /[/\\]/.test(value) || /^\$\{[^}]*\}$/.test(value);
}

function withoutQuery(url: string): string {
  return url.split(/[?#]/)[0]?.replace(/^(\w+:\/\/)[^/]*@/, '$1') ?? '';
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function textsOf(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (typeof one === 'string' ? [[key, one] as const] : [])),
  );
}
