import { type ErrorCode, ExecutorError } from '@executor/protocol';
import { type EventFrame, EventFrameParser } from './event-frames.ts';
import { pause } from './pause.ts';
import { type ClientOptions, failure, type Request, send, unknownFormat } from './send.ts';

type Subscription = Omit<Request, 'accept' | 'headers'>;

/** The server sends a heartbeat every 15 seconds. After three silent intervals the connection counts as dead. */
const silenceMs = 45_000;
const attemptMs = 30_000;
const maxPauseMs = 5_000;

/**
 * The events of a stream, each once and in order. A stream that ends is complete. A broken one is resumed after the last event, over
 * any number of connections. Only the first attempt fails if there is no server.
 */
export async function* followEvents(
  client: ClientOptions,
  subscription: Subscription,
): AsyncGenerator<unknown, void, undefined> {
  const { route, options } = subscription;
  const broken = (cause: unknown) => unknownFormat(client, route, cause);
  const position: StreamPosition = { lastEventId: undefined, retryMs: 1_000, attempts: 0 };
  const aborted = () => options.signal?.aborted === true;
  let body = await connect(client, subscription, position).catch(unlessAborted(aborted));
  while (body !== undefined) {
    const reader = new FrameReader(body, options.signal, broken);
    try {
      for (let frame = await reader.next(); frame !== undefined; frame = await reader.next()) {
        position.lastEventId = frame.id ?? position.lastEventId;
        position.retryMs = frame.retryMs ?? position.retryMs;
        if (frame.data === undefined) continue;
        position.attempts = 0;
        yield parseEvent(client, subscription, frame);
      }
    } finally {
      reader.close();
    }
    if (aborted() || reader.hasEnded) return;
    body = await connectAgain(client, subscription, position).catch(unlessAborted(aborted));
  }
}

/** The position in a stream, over all its connections. */
interface StreamPosition {
  lastEventId: string | undefined;
  retryMs: number;
  /** Connection attempts since the last event. */
  attempts: number;
}

type Body = ReadableStream<Uint8Array>;

function connect(
  client: ClientOptions,
  { route, input, options }: Subscription,
  position: StreamPosition,
): Promise<Body> {
  const headers: Record<string, string> =
    position.lastEventId === undefined ? {} : { 'last-event-id': position.lastEventId };
  return send(client, { route, input, options, headers, accept: 'text/event-stream' }, async (response) => {
    if (!response.ok) throw await failure(response);
    const type = response.headers.get('content-type') ?? '';
    if (response.body === null || !type.startsWith('text/event-stream')) throw unknownFormat(client, route);
    return response.body;
  });
}

/** Tries until the server is back or the caller's timeout is over. */
async function connectAgain(
  client: ClientOptions,
  subscription: Subscription,
  position: StreamPosition,
): Promise<Body> {
  const { options } = subscription;
  const retryForMs = options.timeoutMs ?? client.timeoutMs ?? Number.POSITIVE_INFINITY;
  const deadline = performance.now() + retryForMs;
  for (let previous: unknown; ; ) {
    await pause(pauseMs(position), options.signal);
    position.attempts += 1;
    const leftMs = Math.max(1, deadline - performance.now());
    try {
      const timeoutMs = Math.min(attemptMs, leftMs);
      return await connect(client, { ...subscription, options: { ...options, timeoutMs } }, position);
    } catch (error) {
      const isTemporary = error instanceof ExecutorError && temporary.has(error.code);
      if (!isTemporary) throw error;
      // The deadline cuts the last attempt short, so the error of the previous one says more.
      if (performance.now() >= deadline) throw previous ?? error;
      previous = error;
    }
  }
}

/** Errors of a server that is restarting or busy. */
const temporary = new Set<ErrorCode>([
  'noServer',
  'timeout',
  'databaseUnavailable',
  'tooManyStreams',
  'tooManyRequests',
]);

/** The pause doubles with each attempt. It is random, so that the clients of a server do not all return at once. */
function pauseMs({ retryMs, attempts }: StreamPosition): number {
  return Math.min(maxPauseMs, retryMs * 2 ** Math.min(attempts, 10)) * (0.5 + Math.random() / 2);
}

function unlessAborted(aborted: () => boolean): (error: unknown) => undefined {
  return (error) => {
    if (aborted()) return undefined;
    throw error;
  };
}

function parseEvent(client: ClientOptions, { route }: Subscription, { id, data }: EventFrame): unknown {
  if (id === undefined) throw unknownFormat(client, route);
  try {
    return route.events?.parse(JSON.parse(data ?? ''));
  } catch (cause) {
    throw unknownFormat(client, route, cause);
  }
}

/** Reads one connection to its end. */
class FrameReader {
  /** Whether the server ended the stream properly, so that it is complete. */
  hasEnded = false;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #signal: AbortSignal | undefined;
  readonly #broken: (cause: unknown) => ExecutorError;
  readonly #parser = new EventFrameParser();
  readonly #frames: EventFrame[] = [];
  #closed = false;

  constructor(body: Body, signal: AbortSignal | undefined, broken: (cause: unknown) => ExecutorError) {
    this.#reader = body.getReader();
    this.#broken = broken;
    this.#signal = signal;
    signal?.addEventListener('abort', this.close);
    if (signal?.aborted) this.close();
  }

  /** Undefined if the stream has ended or is broken. */
  async next(): Promise<EventFrame | undefined> {
    while (this.#frames.length === 0) {
      const chunk = await this.#read();
      if (chunk === undefined) return undefined;
      this.#frames.push(...this.#parse(chunk));
    }
    return this.#closed ? undefined : this.#frames.shift();
  }

  #parse(chunk: Uint8Array): EventFrame[] {
    try {
      return this.#parser.push(chunk);
    } catch (cause) {
      throw this.#broken(cause);
    }
  }

  readonly close = (): void => {
    this.#closed = true;
    this.#signal?.removeEventListener('abort', this.close);
    this.#reader.cancel().catch(() => {});
  };

  async #read(): Promise<Uint8Array | undefined> {
    const silence = setTimeout(this.close, silenceMs);
    try {
      const { done, value } = await this.#reader.read();
      this.hasEnded = done && !this.#closed;
      return done ? undefined : value;
    } catch {
      return undefined;
    } finally {
      clearTimeout(silence);
    }
  }
}
