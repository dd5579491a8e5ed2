import type { DetectedSource, DetectOptions } from '@executor/engine';
import type { HttpClient } from '../http/http-client.ts';
import { isSchemaFile } from './settings.ts';

const maxBytes = 256 * 1024;
const query = '{ __schema { queryType { name } } }';
const paths = ['graphql', 'api/graphql'];

/** Asks the server at a URL, or at the usual paths below it, for the name of its query type. */
export async function detectEndpoint(
  http: HttpClient,
  url: string,
  options: DetectOptions,
): Promise<DetectedSource | undefined> {
  if (!URL.canParse(url) || isSchemaFile(url)) return undefined;
  const found = await Promise.all(candidates(url, options).map((at) => detectAt(http, at, options)));
  return found.find((one) => one !== undefined);
}

function candidates(url: string, { near = false }: DetectOptions): string[] {
  if (near || /\/graphql\/?$/.test(new URL(url).pathname)) return [url];
  const { origin, pathname } = new URL(url);
  const folder = `${origin}${pathname.replace(/\/$/, '')}/`;
  return [url, ...paths.map((path) => `${folder}${path}`)];
}

async function detectAt(
  http: HttpClient,
  url: string,
  options: DetectOptions,
): Promise<DetectedSource | undefined> {
  const answer = await ask(http, url, options).catch(() => undefined);
  const kind = recognise(answer);
  const outcome = {
    schema: 'a GraphQL server',
    errors: 'errors as of a GraphQL server',
    no: 'no GraphQL server',
  };
  options.report?.({ request: `POST ${url}`, outcome: options.signal.aborted ? 'timed out' : outcome[kind] });
  if (kind === 'no') return undefined;
  // A server that hides its schema may show it to those with credentials.
  return { settings: { url }, servers: [url], ...(kind === 'errors' && { confidence: 'likely' as const }) };
}

async function ask(http: HttpClient, url: string, options: DetectOptions): Promise<unknown> {
  const { signal, allowPrivateNetwork, serverCa } = options;
  const headers = {
    accept: 'application/graphql-response+json, application/json',
    'content-type': 'application/json',
    'user-agent': 'executor',
  };
  const { body } = await http.send(
    { method: 'POST', url, headers, body: JSON.stringify({ query }) },
    { signal, allowPrivateNetwork, serverCa, redirects: 'write' },
  );
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
}

function recognise(answer: unknown): 'schema' | 'errors' | 'no' {
  const { data, errors } = (answer ?? {}) as {
    data?: { __schema?: { queryType?: { name?: unknown } } } | null;
    errors?: unknown;
  };
  if (typeof data?.__schema?.queryType?.name === 'string') return 'schema';
  const [first] = Array.isArray(errors)
    ? (errors as ({ message?: unknown; extensions?: unknown } | null)[])
    : [];
  const isGraphQl = typeof first?.message === 'string' && (data === null || first.extensions !== undefined);
  return isGraphQl ? 'errors' : 'no';
}
