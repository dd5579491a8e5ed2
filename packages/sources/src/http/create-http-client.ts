import type { Readable } from 'node:stream';
import type { Agent, Dispatcher } from 'undici';
import { ConnectionPools } from './connection-pools.ts';
import { type ConnectionLimits, defaultLimits } from './connections.ts';
import { acceptedEncodings, decompress } from './decompress.ts';
import type { HttpClient, HttpRequest, HttpResponse, SendOptions } from './http-client.ts';
import { withQuery } from './query-credentials.ts';
import { reachOf } from './reach.ts';
import { type Hop, nextHop } from './redirect.ts';
import { type Resolve, systemResolve } from './resolve.ts';
import { toUnreachable, UnreachableError } from './unreachable-error.ts';

export interface HttpClientOptions extends Partial<ConnectionLimits> {
  resolve?: Resolve;
}

const maxRedirects = 10;

export function createHttpClient({ resolve = systemResolve, ...limits }: HttpClientOptions = {}): HttpClient {
  const all = { ...defaultLimits, ...limits };
  const pools = new ConnectionPools(resolve, all);
  return {
    send: (request, options) => sendHops(pools, request, options),
    close: () => pools.close(),
  };
}

async function sendHops(
  pools: ConnectionPools,
  request: HttpRequest,
  options: SendOptions,
): Promise<HttpResponse> {
  let hop: Hop = firstHop(request, options);
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const agent = pools.for(reachOf(hop.request.url, options), {
      certificate: hop.credentials?.certificate,
      serverCa: hop.serverCa,
    });
    const response = await sendHop(agent, hop, options.signal);
    const { statusCode: status, headers } = response;
    const location = typeof headers.location === 'string' ? headers.location : undefined;
    const next = orDiscard(response, () => nextHop(hop, { status, location }, options.redirects));
    if (next === undefined) return toResponse(response, hop.request, options.signal);
    void response.body.dump({ limit: 16_384, signal: options.signal }).catch(() => {});
    hop = next;
  }
  const { host } = new URL(request.url);
  throw new UnreachableError(
    'tooManyRedirects',
    `${host} redirects more than ${maxRedirects} times. Use the final URL.`,
    {
      mayHaveArrived: true,
    },
  );
}

/** Text before the `@` of a URL is a credential. It is sent as a header, not in the URL. */
function firstHop(request: HttpRequest, { credentials = {}, serverCa }: SendOptions): Hop {
  const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UnreachableError(
      'invalidRequest',
      `${request.url.slice(0, 300)} is not an http or https URL. Use a URL that starts with https://.`,
    );
  if (url.username === '' && url.password === '') return { request, credentials, serverCa };
  const pair = `${decoded(url.username)}:${decoded(url.password)}`;
  const authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  url.username = '';
  url.password = '';
  return {
    request: { ...request, url: url.href },
    credentials: { ...credentials, headers: { authorization, ...credentials.headers } },
    serverCa,
  };
}

/** Invalid percent-encoding is kept as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function sendHop(agent: Agent, { request, credentials }: Hop, signal: AbortSignal) {
  const url = new URL(request.url);
  try {
    const sent = agent.request({
      origin: url.origin,
      path: url.pathname + withQuery(url.search, credentials?.query),
      method: request.method as Dispatcher.HttpMethod,
      headers: withCredentials(request.headers, credentials?.headers),
      body: request.body ?? null,
      signal,
    });
    return await orAbort(sent, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw toUnreachable(error, url.host);
  }
}

/** undici ignores the signal while a request waits for a connection. */
function orAbort(
  sent: Promise<Dispatcher.ResponseData>,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(signal.reason);
      sent.then(
        ({ body }) => body.on('error', () => {}).destroy(),
        () => {},
      );
    };
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    sent.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Credentials replace headers of the same name; cookies are joined. */
function withCredentials(
  headers: Record<string, string>,
  credentials: Record<string, string> = {},
): Record<string, string> {
  const all: Record<string, string> = Object.create(null);
  all['accept-encoding'] = acceptedEncodings;
  for (const [name, value] of Object.entries(headers)) all[name.toLowerCase()] = asBytes(value);
  for (const [name, value] of Object.entries(credentials)) {
    const key = name.toLowerCase();
    all[key] = key === 'cookie' && all[key] ? `${all[key]}; ${asBytes(value)}` : asBytes(value);
  }
  return all;
}

/** undici sends each character of a header as one byte; most servers decode headers as UTF-8. */
function asBytes(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches all of ASCII
  return /^[\u0000-\u007f]*$/.test(value) ? value : Buffer.from(value).toString('latin1');
}

/** Discards the body of a redirect that is not followed, so that its connection is freed. */
function orDiscard<T>(response: Dispatcher.ResponseData, next: () => T): T {
  try {
    return next();
  } catch (error) {
    response.body.on('error', () => {}).destroy();
    throw error;
  }
}

async function toResponse(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  { method, url }: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const visible: HttpResponse['headers'] = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    if (name !== 'set-cookie' && value !== undefined) visible[name] = value;
  }
  const bodiless = method === 'HEAD' || statusCode === 204 || statusCode === 304;
  const encoding = headers['content-encoding'];
  const plain = bodiless ? body : await decompress(body, encoding);
  const length = encoding === undefined ? Number(headers['content-length']) : Number.NaN;
  return {
    status: statusCode,
    headers: visible,
    ...(Number.isSafeInteger(length) && { length }),
    url,
    body: readBody(plain, new URL(url).host, signal),
  };
}

async function* readBody(body: Readable, host: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    signal.throwIfAborted();
    throw toUnreachable(error, host);
  }
}
