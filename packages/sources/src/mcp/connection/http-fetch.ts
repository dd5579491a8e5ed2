import { ReadableStream } from 'node:stream/web';
import type { Auth } from '@executor/engine';
import type { FetchLike } from '@modelcontextprotocol/client';
import type { HttpClient, HttpResponse } from '../../http/http-client.ts';
import { linkLocalOf } from '../../http/reach.ts';
import { UnreachableError } from '../../http/unreachable-error.ts';
import { credentialsOf } from '../../openapi/call/credentials.ts';
import { BodyRoom } from '../../response/body-room.ts';
import { ResponseTooLargeError, readWhole } from '../../response/limited-body.ts';
import type { McpSettings } from '../settings.ts';
import { type CallScope, currentScope } from './call-scope.ts';
import { EventSize } from './stream-limit.ts';

/** The last failure of a connection, which the SDK reports only as text. */
export interface HttpFailure {
  status?: number;
  error?: Error;
}

interface FetchOptions {
  http: HttpClient;
  settings: McpSettings;
  auth: Auth;
  /** Requests end with the connection. */
  signal: AbortSignal;
  onFailure(failure: HttpFailure, scope: CallScope | undefined): void;
}

const maxResponseBytes = 10 * 1024 * 1024;
/** Lists of tools are larger than answers. */
const maxListBytes = 32 * 1024 * 1024;
/** How long the SDK may take to hand over the last message of a stream that has ended. */
const handOverMs = 1_000;

/** `fetch` for the SDK, by the HTTP client with its network rules. It sends requests, and so the credentials, only to the server's origin. */
export function createFetch({ http, settings, auth, signal: closed, onFailure }: FetchOptions): FetchLike {
  const { url = '', serverCa, allowPrivateNetwork = false, allowThisMachine = false } = settings;
  const { origin } = new URL(url);
  const credentials = credentialsOf(auth);
  const network = { allowPrivateNetwork, allowThisMachine, linkLocal: linkLocalOf([url]) };
  return async (to, init = {}) => {
    const scope = currentScope();
    const signal = init.signal ? AbortSignal.any([closed, init.signal]) : closed;
    try {
      const target = new URL(to);
      if (target.origin !== origin)
        throw new Error(`The server sent Executor to ${target.origin}, which is not its own origin.`);
      const { method = 'GET', body } = init;
      const headers = { ...settings.headers, ...Object.fromEntries(new Headers(init.headers)) };
      const response = await http.send(
        {
          method,
          url: target.href,
          headers: { 'user-agent': 'executor', ...headers },
          ...(typeof body === 'string' && { body }),
        },
        {
          signal,
          ...network,
          redirects: 'write',
          serverCa,
          ...(credentials && { credentials }),
        },
      );
      const { status } = response;
      if (status >= 400 && method === 'POST') onFailure({ status }, scope);
      return await toResponse(response, { scope, method, settings });
    } catch (error) {
      if (!signal.aborted && error instanceof Error) onFailure({ error }, scope);
      throw error;
    }
  };
}

interface Exchange {
  scope: CallScope | undefined;
  method: string;
  settings: McpSettings;
}

async function toResponse(response: HttpResponse, exchange: Exchange): Promise<Response> {
  const { status, headers, length } = response;
  const { scope, settings } = exchange;
  const maxBytes = settings.maxResponseBytes ?? (scope?.invocation ? maxResponseBytes : maxListBytes);
  const room = new BodyRoom(scope?.invocation?.allowAnswer ?? (async () => {}), length);
  const shown = new Headers();
  for (const [name, value] of Object.entries(headers))
    for (const one of [value].flat()) if (name !== 'content-encoding') shown.append(name, one);
  const init = { status: status < 200 || status > 599 ? 502 : status, headers: shown };
  if (status === 204 || status === 205 || status === 304) {
    for await (const _ of response.body);
    return new Response(null, init);
  }
  if (!/^text\/event-stream\b/i.test(shown.get('content-type') ?? ''))
    return new Response(
      (await readWhole(response.body, { maxBytes, room })) as Uint8Array<ArrayBuffer>,
      init,
    );
  const events = limitEvents(response.body, { maxBytes, room, exchange });
  return new Response(ReadableStream.from(events) as BodyInit, init);
}

async function* limitEvents(
  body: AsyncIterable<Uint8Array>,
  { maxBytes, room, exchange }: { maxBytes: number; room: BodyRoom; exchange: Exchange },
): AsyncGenerator<Uint8Array> {
  const { scope, method } = exchange;
  const size = new EventSize();
  let isResumable = method === 'GET';
  try {
    for await (const chunk of body) {
      const bytes = size.add(chunk);
      if (bytes > maxBytes) throw new ResponseTooLargeError(maxBytes);
      await room.grow(bytes, maxBytes);
      isResumable ||= /^id:/m.test(Buffer.from(chunk).toString('latin1'));
      yield chunk;
    }
  } catch (error) {
    if (error instanceof ResponseTooLargeError || (error instanceof UnreachableError && !isResumable))
      scope?.fail(error);
    throw error;
  }
  // The SDK waits for a response that can no longer arrive. It resumes streams with ids.
  if (!isResumable && scope) setTimeout(() => scope.fail(new StreamEndedError()), handOverMs).unref();
}

class StreamEndedError extends Error {
  constructor() {
    super('The server closed the connection before it answered.');
    this.name = 'StreamEndedError';
  }
}
