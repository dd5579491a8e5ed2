import type { Auth } from '@executor/engine';
import { ExecutorError } from '@executor/protocol';
import type { HttpClient, HttpRequest, HttpResponse } from './http-client.ts';
import { type TransferLimits, TransferWatch } from './transfer-watch.ts';
import { UnreachableError } from './unreachable-error.ts';

export interface FetchDocumentOptions {
  signal: AbortSignal;
  allowPrivateNetwork: boolean;
  linkLocal?: string | undefined;
  serverCa?: string | undefined;
  /** Sent only to the origin of the URL. */
  auth?: Auth;
  maxBytes?: number;
  /** The JSON to send, if the server has to be asked for the document. */
  post?: { body: string; headers: Record<string, string> };
  onProgress?(progress: { done: number; total?: number }): void;
}

interface FetchedDocument {
  /** URL after redirects. References in the document are relative to it. */
  url: string;
  mediaType: string;
  /** Throws an `ExecutorError` if the body is cut off or too large. */
  body: AsyncIterable<Uint8Array>;
}

export type FetchDocument = (url: string, options: FetchDocumentOptions) => Promise<FetchedDocument>;

export interface FetchLimits extends TransferLimits {
  maxBytes: number;
}

const defaults: FetchLimits = { maxBytes: 64 * 1024 * 1024, totalMs: 300_000, idleMs: 30_000 };
export const documentHeaders = {
  accept:
    'application/json, application/yaml, application/vnd.oai.openapi+json, text/yaml, text/plain;q=0.9, */*;q=0.5',
  'user-agent': 'executor',
};

/** Fetches an API document. Every failure is an `ExecutorError` whose message says what went wrong. */
export function createFetchDocument(http: HttpClient, limits: Partial<FetchLimits> = {}): FetchDocument {
  const all = { ...defaults, ...limits };
  return async (url, options) => {
    const watch = new TransferWatch(options.signal, all);
    try {
      const response = await fetchFrom(http, url, { ...options, signal: watch.signal });
      const total = response.headers['content-encoding']
        ? Number.NaN
        : Number(response.headers['content-length']);
      const maxBytes = options.maxBytes ?? all.maxBytes;
      if (total > maxBytes) throw tooLarge(url, maxBytes);
      const body = readBody(response, url, { ...options, maxBytes, total, watch });
      const first = await body.next();
      const mediaType =
        String(response.headers['content-type'] ?? '')
          .split(';')[0]
          ?.trim()
          .toLowerCase() ?? '';
      rejectPage(first.done ? undefined : first.value, url, response.url);
      return { url: response.url, mediaType, body: withFirst(first, body) };
    } catch (error) {
      // An unread body would keep its connection busy.
      watch.stop();
      options.signal.throwIfAborted();
      throw toDocumentError(error, url, watch);
    }
  };
}

async function fetchFrom(
  http: HttpClient,
  url: string,
  options: FetchDocumentOptions,
): Promise<HttpResponse> {
  const { headers = {}, query = {}, cookies = {}, certificate } = options.auth ?? {};
  const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
  const response = await http.send(requestOf(url, options), {
    signal: options.signal,
    allowPrivateNetwork: options.allowPrivateNetwork,
    linkLocal: options.linkLocal,
    serverCa: options.serverCa,
    credentials: {
      headers: { ...headers, ...(cookie.length > 0 && { cookie: cookie.join('; ') }) },
      query,
      ...(certificate && { certificate }),
    },
    redirects: options.post ? 'write' : 'read',
  });
  if (response.status === 200 || (options.post && explainsItself(response))) return response;
  throw new ExecutorError('unusableDocument', statusMessage(response, url), {
    details: { status: response.status },
  });
}

function requestOf(url: string, { post }: FetchDocumentOptions): HttpRequest {
  if (!post) return { method: 'GET', url, headers: documentHeaders };
  const headers = { ...post.headers, ...documentHeaders, 'content-type': 'application/json' };
  return { method: 'POST', url, headers, body: post.body };
}

/** Whether a server that rejects the request says why in its body, which the reader understands. */
function explainsItself({ status, headers }: HttpResponse): boolean {
  return [400, 405, 422, 500].includes(status) && /json/i.test(String(headers['content-type'] ?? ''));
}

function statusMessage({ status }: HttpResponse, url: string): string {
  const shown = withoutSecrets(url);
  if (status === 404 || status === 410)
    return `There is no document at ${shown}: the server responded with ${status}. Check the URL.`;
  if (status === 401 || status === 403)
    return `${shown} requires credentials: the server responded with ${status}. Add credentials to the source, or pass the document as text.`;
  if (status >= 500) return `The server of ${shown} failed with ${status}. Try again later.`;
  if (/\/graphql\/?$/.test(new URL(url).pathname))
    return `${shown} responded with ${status}, as GraphQL servers do. There is no document at this URL. If it is a GraphQL server, add it with: executor sources add URL --kind graphql`;
  return `${shown} returned no document: the server responded with ${status}. Check the URL.`;
}

async function* readBody(
  { body }: HttpResponse,
  url: string,
  {
    maxBytes,
    total,
    watch,
    onProgress,
    signal,
  }: FetchDocumentOptions & { maxBytes: number; total: number; watch: TransferWatch },
): AsyncGenerator<Uint8Array, undefined> {
  let done = 0;
  try {
    for await (const chunk of body) {
      watch.touch();
      done += chunk.length;
      if (done > maxBytes) throw tooLarge(url, maxBytes);
      onProgress?.({ done, ...(total > 0 && { total: Math.max(done, total) }) });
      yield chunk;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw toDocumentError(error, url, watch);
  } finally {
    watch.end();
  }
}

async function* withFirst(
  first: IteratorResult<Uint8Array, undefined>,
  following: AsyncGenerator<Uint8Array, undefined>,
): AsyncGenerator<Uint8Array> {
  try {
    if (!first.done) yield first.value;
    yield* following;
  } finally {
    await following.return(undefined);
  }
}

/** A document starts with a brace or a word, a page with a tag. The media type is not trusted. */
function rejectPage(start: Uint8Array | undefined, url: string, arrivedAt: string): void {
  const text = Buffer.from(start ?? [])
    .toString('utf8', 0, 2000)
    .trimStart();
  const shown = withoutSecrets(url);
  if (start === undefined)
    throw new ExecutorError('unusableDocument', `The document at ${shown} is empty. Check the URL.`);
  // The parser reports XML that is not a page.
  if (!/^\ufeff?(<\?xml[^>]*>\s*)?<(!doctype html|html|head|!--)/i.test(text)) return;
  const signIn = /log-?in|sign-?in|sso|auth/i.test(new URL(arrivedAt).pathname) && arrivedAt !== url;
  throw new ExecutorError(
    'unusableDocument',
    signIn
      ? `${shown} is a sign-in page, not a document. Add credentials to the source, or pass the document as text.`
      : `${shown} is a web page, not an API document. Use the URL of the document itself.`,
  );
}

function tooLarge(url: string, maxBytes: number): ExecutorError {
  const megabytes = Math.round(maxBytes / 1024 / 1024);
  return new ExecutorError(
    'payloadTooLarge',
    `The document at ${withoutSecrets(url)} is larger than the limit of ${megabytes} MB. Use a document with fewer operations.`,
  );
}

function toDocumentError(error: unknown, url: string, watch: TransferWatch): unknown {
  if (error instanceof ExecutorError) return error;
  const shown = withoutSecrets(url);
  if (watch.expired) {
    return new ExecutorError(
      'timeout',
      `Fetching the document at ${shown} timed out: ${watch.expired}. Try again later.`,
      {
        cause: error,
      },
    );
  }
  if (!(error instanceof UnreachableError)) return error;
  return new ExecutorError('unreachable', `The document at ${shown} could not be fetched. ${error.message}`, {
    details: { code: error.code, ...(error.refused && { refused: error.refused }) },
    cause: error,
  });
}

/** Credentials before the `@` are kept out of messages. */
function withoutSecrets(url: string): string {
  return url
    .replace(/^(\w+:\/\/)[^/?#]*@/, '$1')
    .replace(/([?&][^=&#]*=)[^&#]+/g, '$1…')
    .slice(0, 500);
}
