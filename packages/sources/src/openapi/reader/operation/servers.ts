import type { ServerPlan } from '../../operation.ts';
import { listOf, own, setOwn, stringsOf, textOf } from '../document/json.ts';
import type { Located, Place } from '../document/place.ts';
import type { Api } from './api.ts';
import type { Operation } from './operations.ts';
import { placeholdersOf } from './placeholders.ts';

const maxServers = 20;
const maxVariables = 100;
const maxChoices = 200;
/** Limits the text that patterns are matched against. */
const longestUrl = 2_000;

/** The servers of an operation: its own, else those of its path, else those of the document. */
export function serversOf(operation: Operation, api: Api, ofDocument: ServerPlan[]): ServerPlan[] {
  if (api.dialect === 'swagger2') return ofSchemes(operation, ofDocument);
  for (const { value, place } of [operation, operation.item]) {
    const servers = readServers({ value: own(value, 'servers'), place: place.at('servers') }, api);
    if (servers.length > 0) return servers;
  }
  return ofDocument;
}

/** The servers of the document. Empty if the document was passed as text and names none. */
export function documentServers(api: Api): ServerPlan[] {
  const servers =
    api.dialect === 'swagger2'
      ? swaggerServers(api)
      : readServers({ value: own(api.root, 'servers'), place: api.place.at('servers') }, api);
  if (servers.length > 0) return servers;
  const origin = originOf(api);
  if (origin !== undefined) return [{ url: origin }];
  api.warnings.add(
    api.place,
    'The document names no server. Set a base URL for the source, or calls will fail.',
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

function readServers({ value, place }: Located, api: Api): ServerPlan[] {
  return listOf(value)
    .slice(0, maxServers)
    .flatMap((server, index) => readServer({ value: server, place: place.at(index) }, api) ?? []);
}

function readServer({ value, place }: Located, api: Api): ServerPlan | undefined {
  const written = textOf(own(value, 'url'))?.slice(0, longestUrl).trim();
  const said = written === undefined ? undefined : withoutCredentials(written, place, api);
  const url = said === undefined ? undefined : absoluteUrl(said, api);
  if (said === undefined) api.warnings.add(place, 'A server must have a url. Executor ignored it.');
  if (url === undefined) return undefined;
  const variables = readVariables(url, { value: own(value, 'variables'), place: place.at('variables') }, api);
  return { url, ...(variables && { variables }) };
}

/** Resolved by hand, because Node does not parse a URL with placeholders. */
function absoluteUrl(url: string, api: Api): string | undefined {
  const plain = url.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  if (/^(https?|\{[^{}/]+\}):\/\/./i.test(plain) || /^\{[^{}/]+\}/.test(plain)) return plain;
  const { url: base } = api.place.document;
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
function withoutCredentials(url: string, place: Place, { warnings }: Api): string {
  const [, start = '', rest] = /^([^/]*\/\/)[^/?#]*@(.*)$/s.exec(url) ?? [];
  if (rest === undefined) return url;
  warnings.add(place, 'The server URL contains a user name or password. Executor removed them.');
  return start + rest;
}

function originOf({ place }: Api): string | undefined {
  const { url } = place.document;
  return url !== undefined && /^https?:/.test(url) ? new URL(url).origin : undefined;
}

function readVariables(url: string, { value, place }: Located, api: Api): ServerPlan['variables'] {
  const names = placeholdersOf(url);
  if (names.length === 0) return undefined;
  const variables: NonNullable<ServerPlan['variables']> = {};
  for (const name of names) {
    const declared = own(value, name);
    const choices = listOf(own(declared, 'enum')).map(String);
    noteVariable(name, choices, api);
    const said = own(declared, 'default');
    const byDefault = typeof said === 'string' || typeof said === 'number' ? String(said) : choices[0];
    if (byDefault === undefined) {
      api.warnings.add(
        place.at(name),
        `The variable {${name}} of the server has no default. Set it in the settings of the source.`,
      );
      continue;
    }
    setOwn(variables, name, { default: byDefault, ...(choices.length > 0 && { enum: choices }) });
  }
  return variables;
}

/** A variable of several servers accepts the values of all of them. */
function noteVariable(name: string, choices: string[], { variables }: Api): void {
  const known = variables.get(name);
  const isAny = choices.length === 0 || known?.length === 0;
  if (known !== undefined || variables.size < maxVariables)
    variables.set(name, isAny ? [] : [...new Set([...(known ?? []), ...choices.slice(0, maxChoices)])]);
}

/** Swagger's servers, from `schemes`, `host` and `basePath`. */
function swaggerServers(api: Api): ServerPlan[] {
  const base = originOf(api);
  const written = textOf(own(api.root, 'host'))
    ?.slice(0, longestUrl)
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/+$/, '');
  const host = written ? withoutCredentials(`//${written}`, api.place.at('host'), api).slice(2) : undefined;
  const path = textOf(own(api.root, 'basePath'))?.slice(0, longestUrl).trim().replace(/\/+$/, '') ?? '';
  const rooted = path === '' || path.startsWith('/') ? path : `/${path}`;
  if (host === undefined) return base === undefined ? [] : [{ url: `${base}${rooted}` }];
  const said = schemesOf(own(api.root, 'schemes'));
  const schemes =
    said.length > 0 ? said : [base?.startsWith('http:') && base.endsWith(`//${host}`) ? 'http' : 'https'];
  return schemes.map((scheme) => ({ url: `${scheme}://${host}${rooted}` }));
}

/** https first. */
function schemesOf(value: unknown): string[] {
  const schemes = stringsOf(value).map((scheme) => scheme.toLowerCase());
  return ['https', 'http'].filter((scheme) => schemes.includes(scheme));
}

function ofSchemes(operation: Operation, servers: ServerPlan[]): ServerPlan[] {
  const schemes = schemesOf(own(operation.value, 'schemes'));
  const fitting = servers.filter(({ url }) => schemes.some((scheme) => url.startsWith(`${scheme}:`)));
  return fitting.length > 0 ? fitting : servers;
}
