import { listOf, own, setOwn, stringsOf, textOf } from '../../../document/json.ts';
import type { JsonPointer, Located } from '../../../document/json-pointer.ts';
import type { ServerPlan } from '../../operation.ts';
import type { Api } from './api.ts';
import type { Operation } from './operations.ts';
import { placeholdersOf } from './path-template.ts';

const maxServers = 20;
const maxVariables = 100;
const maxChoices = 200;
/** Limits the text that regular expressions run on. */
const maxUrlChars = 2_000;

/** The servers of an operation: its own, else those of its path, else those of the document. */
export function serversOf(operation: Operation, api: Api, defaults: ServerPlan[]): ServerPlan[] {
  if (api.dialect === 'swagger2') return serversOfSchemes(operation, defaults);
  for (const { value, pointer } of [operation, operation.item]) {
    const servers = readServers({ value: own(value, 'servers'), pointer: pointer.at('servers') }, api);
    if (servers.length > 0) return servers;
  }
  return defaults;
}

/** The servers of the document. Empty if the document was passed as text and names none. */
export function documentServers(api: Api): ServerPlan[] {
  const servers =
    api.dialect === 'swagger2'
      ? swaggerServers(api)
      : readServers({ value: own(api.root, 'servers'), pointer: api.pointer.at('servers') }, api);
  if (servers.length > 0) return servers;
  const origin = originOf(api);
  if (origin !== undefined) return [{ url: origin }];
  api.warnings.add(
    api.pointer,
    'The document names no server, so calls will fail. Set a base URL: executor sources edit NS --base-url URL',
  );
  return [];
}

/** The URL of a server with its variables filled in: from the settings, else with the defaults. */
export function filledUrl({ url, variables = {} }: ServerPlan, chosen: Record<string, string> = {}): string {
  return url.replace(/\{([^{}]*)\}/g, (placeholder, name: string) => {
    if (Object.hasOwn(chosen, name)) return chosen[name] ?? placeholder;
    return Object.hasOwn(variables, name) ? (variables[name]?.default ?? placeholder) : placeholder;
  });
}

/** Normalised like in a browser. A URL with an unfilled placeholder is returned unchanged. */
export function serverOrigin(server: ServerPlan, chosen?: Record<string, string>): string {
  const url = filledUrl(server, chosen);
  if (URL.canParse(url)) return new URL(url).origin;
  return /^[^/]*\/\/[^/?#]*/.exec(url)?.[0].toLowerCase() ?? url;
}

function readServers({ value, pointer }: Located, api: Api): ServerPlan[] {
  return listOf(value)
    .slice(0, maxServers)
    .flatMap((server, index) => readServer({ value: server, pointer: pointer.at(index) }, api) ?? []);
}

function readServer({ value, pointer }: Located, api: Api): ServerPlan | undefined {
  const written = textOf(own(value, 'url'))?.slice(0, maxUrlChars).trim();
  const plain = written === undefined ? undefined : withoutCredentials(written, pointer, api);
  const url = plain === undefined ? undefined : absoluteUrl(plain, api);
  if (plain === undefined) api.warnings.add(pointer, 'A server must have a url. Executor ignored it.');
  if (url === undefined) return undefined;
  const variables = readVariables(
    url,
    { value: own(value, 'variables'), pointer: pointer.at('variables') },
    api,
  );
  return { url, ...(variables && { variables }) };
}

/** Resolved by hand, because Node does not parse a URL with placeholders. */
function absoluteUrl(url: string, api: Api): string | undefined {
  const plain = url.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  if (/^(https?|\{[^{}/]+\}):\/\/./i.test(plain) || /^\{[^{}/]+\}/.test(plain)) return plain;
  const { url: base } = api.pointer.document;
  if (base === undefined || !/^https?:/.test(base)) return isHost(plain) ? `https://${plain}` : undefined;
  const { protocol, origin } = new URL(base);
  if (plain.startsWith('//')) return `${protocol}${plain}`;
  if (plain.startsWith('/') || plain === '') return `${origin}${plain}`;
  if (/^[a-z][\w+.-]*:/i.test(plain) || !URL.canParse(plain, base)) return undefined;
  return new URL(plain, base).href.replace(/%7B/gi, '{').replace(/%7D/gi, '}').replace(/\/+$/, '');
}

/** Without a base URL, text that looks like a host is treated as a host. */
function isHost(url: string): boolean {
  return /^([\w-]+\.)+[a-z]{2,}(:\d+)?(\/|$)/i.test(url);
}

/** Removes credentials from a server URL: a document does not supply the caller's credentials. */
function withoutCredentials(url: string, pointer: JsonPointer, { warnings }: Api): string {
  const [, scheme = '', hostAndPath] = /^([^/]*\/\/)[^/?#]*@(.*)$/s.exec(url) ?? [];
  if (hostAndPath === undefined) return url;
  warnings.add(pointer, 'The server URL contains a user name or password. Executor removed them.');
  return scheme + hostAndPath;
}

function originOf({ pointer }: Api): string | undefined {
  const { url } = pointer.document;
  return url !== undefined && /^https?:/.test(url) ? new URL(url).origin : undefined;
}

function readVariables(url: string, { value, pointer }: Located, api: Api): ServerPlan['variables'] {
  const names = placeholdersOf(url);
  if (names.length === 0) return undefined;
  const variables: NonNullable<ServerPlan['variables']> = {};
  for (const name of names) {
    const declared = own(value, name);
    const choices = listOf(own(declared, 'enum')).map(String);
    addVariable(name, choices, api);
    const declaredDefault = own(declared, 'default');
    const defaultValue =
      typeof declaredDefault === 'string' || typeof declaredDefault === 'number'
        ? String(declaredDefault)
        : choices[0];
    if (defaultValue === undefined) {
      api.warnings.add(
        pointer.at(name),
        `The server variable {${name}} has no default. Set it: executor sources edit NS --server-variable ${name}=VALUE`,
      );
      continue;
    }
    setOwn(variables, name, { default: defaultValue, ...(choices.length > 0 && { enum: choices }) });
  }
  return variables;
}

/** A variable of several servers accepts the values of all of them. */
function addVariable(name: string, choices: string[], { variables }: Api): void {
  const others = variables.get(name);
  const isAny = choices.length === 0 || others?.length === 0;
  if (others !== undefined || variables.size < maxVariables)
    variables.set(name, isAny ? [] : [...new Set([...(others ?? []), ...choices.slice(0, maxChoices)])]);
}

/** Swagger's servers, from `schemes`, `host` and `basePath`. */
function swaggerServers(api: Api): ServerPlan[] {
  const base = originOf(api);
  const written = textOf(own(api.root, 'host'))
    ?.slice(0, maxUrlChars)
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/+$/, '');
  const host = written ? withoutCredentials(`//${written}`, api.pointer.at('host'), api).slice(2) : undefined;
  const path = textOf(own(api.root, 'basePath'))?.slice(0, maxUrlChars).trim().replace(/\/+$/, '') ?? '';
  const basePath = path === '' || path.startsWith('/') ? path : `/${path}`;
  if (host === undefined) return base === undefined ? [] : [{ url: `${base}${basePath}` }];
  const declared = schemesOf(own(api.root, 'schemes'));
  const schemes =
    declared.length > 0
      ? declared
      : [base?.startsWith('http:') && base.endsWith(`//${host}`) ? 'http' : 'https'];
  return schemes.map((scheme) => ({ url: `${scheme}://${host}${basePath}` }));
}

/** Of http and https, https first. */
function schemesOf(value: unknown): string[] {
  const schemes = stringsOf(value).map((scheme) => scheme.toLowerCase());
  return ['https', 'http'].filter((scheme) => schemes.includes(scheme));
}

function serversOfSchemes(operation: Operation, servers: ServerPlan[]): ServerPlan[] {
  const schemes = schemesOf(own(operation.value, 'schemes'));
  const matching = servers.filter(({ url }) => schemes.some((scheme) => url.startsWith(`${scheme}:`)));
  return matching.length > 0 ? matching : servers;
}
