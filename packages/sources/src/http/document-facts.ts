import type { SecurityScheme } from '@executor/engine';

/** What the text of an OpenAPI document says about its API. */
export interface DocumentFacts {
  title?: string;
  /** Absolute URLs. */
  servers?: string[];
  security?: SecurityScheme[];
}

const maxServers = 10;
const maxSchemes = 20;

/** Reads the facts from a complete JSON document, or as far as they are recognisable in the beginning of any other document. */
export function documentFacts(text: string): DocumentFacts {
  const document = parse(text);
  if (!isRecord(document)) return { ...titleIn(text), ...serversIn(text) };
  const { info } = document;
  const title = isRecord(info) && typeof info.title === 'string' ? info.title : undefined;
  const servers = serversOf(document);
  const security = securityOf(document);
  return {
    ...(title !== undefined && { title }),
    ...(servers.length > 0 && { servers }),
    ...(security && { security }),
  };
}

type Json = Record<string, unknown>;

function serversOf({ servers, host, basePath, schemes }: Json): string[] {
  if (typeof host === 'string') {
    const scheme = Array.isArray(schemes) && !schemes.includes('https') ? 'http' : 'https';
    return absolute([`${scheme}://${host}${typeof basePath === 'string' ? basePath : ''}`]);
  }
  return absolute(Array.isArray(servers) ? servers.map((server) => isRecord(server) && server.url) : []);
}

/** Undefined if the document does not say which credentials its operations need. */
function securityOf({ components, securityDefinitions, security }: Json): SecurityScheme[] | undefined {
  const definitions = isRecord(components) ? components.securitySchemes : securityDefinitions;
  if (!isRecord(definitions)) return Array.isArray(security) && security.length === 0 ? [] : undefined;
  return Object.entries(definitions)
    .slice(0, maxSchemes)
    .flatMap(([name, definition]) => (isRecord(definition) ? schemeOf(name, definition) : []));
}

function schemeOf(name: string, scheme: Json): SecurityScheme[] {
  const { type, name: key, in: where, scheme: httpScheme, flows, openIdConnectUrl: url } = scheme;
  switch (type) {
    case 'basic':
      return [{ name, type: 'http', scheme: 'basic' }];
    case 'http':
      return [{ name, type, scheme: String(httpScheme).toLowerCase() }];
    case 'apiKey':
      return where === 'header' || where === 'query' || where === 'cookie'
        ? [{ name, type, in: where, key: String(key) }]
        : [];
    case 'oauth2':
      return [{ name, type, flows: isRecord(flows) ? flows : {} }];
    case 'openIdConnect':
      return typeof url === 'string' ? [{ name, type, url }] : [];
    default:
      return [];
  }
}

function serversIn(text: string): DocumentFacts {
  const [list = ''] = /(?:^|[\s{,])"?servers"?\s*:[\s\S]{0,2000}/.exec(text) ?? [];
  const [, url] = /["'\s-]url["']?\s*:\s*["']?(https?:\/\/[^"'\s,}]{1,500})/.exec(list) ?? [];
  const servers = absolute([url]);
  return servers.length > 0 ? { servers } : {};
}

function absolute(urls: unknown[]): string[] {
  const all = urls.filter((url) => typeof url === 'string' && url.length < 2_000) as string[];
  return all.filter((url) => /^https?:\/\//i.test(url) && URL.canParse(url)).slice(0, maxServers);
}

function titleIn(text: string): { title?: string } {
  const head = text.slice(0, 64 * 1024);
  const info = head.search(/(^|[\s{,])["']?info["']?\s*:/m);
  const part = info === -1 ? '' : head.slice(info, info + 20_000);
  const json = /"title"\s*:\s*("(?:[^"\\]|\\.){1,300}")/.exec(part)?.[1];
  const yaml = /^[ \t]+title:[ \t]*(["']?)([^\n]{1,300}?)\1[ \t\r]*$/m.exec(part)?.[2];
  const title = json === undefined ? yaml : parse(json);
  return typeof title === 'string' ? { title } : {};
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
