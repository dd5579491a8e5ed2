import type { ServerResponse } from 'node:http';
import { type Account, chargeTo, type HeldResource, type Hold } from '@executor/engine';
import { ExecutorError } from '@executor/protocol';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { Logger } from 'pino';
import { requestIdOf } from '../request-log.ts';
import { disconnectSignal } from './disconnect-signal.ts';
import { encodeBeginning, encodeEvent, heartbeat } from './sse.ts';

interface EventStreamsOptions {
  logger: Logger;
  /** Aborted when the server stops. */
  stopping: AbortSignal;
  heartbeatMs?: number;
  slots: HeldResource;
}

interface Subscription {
  http: Context;
  account: Account;
  /** Whether the caller's credential is still valid. */
  isAllowed(): Promise<boolean>;
  open(
    signal: AbortSignal,
    beginAt: (eventId: string) => void,
  ): Promise<AsyncIterable<{ id: string; type: string }>>;
}

const retryMs = 500;
const maxMissedBeats = 4;

/**
 * The open streams of server-sent events.
 *
 * - A stream that ends normally is complete. In every other case (the server stops, the key was revoked, the engine failed) Executor cuts
 *   the connection. The caller reconnects with Last-Event-ID, or gets an error that says why it may not.
 * - The next event is read after the last one was sent, so a slow reader neither slows down other callers nor fills the memory.
 * - One timer sends the heartbeats of all streams and checks the callers' credentials again.
 */
export class EventStreams {
  readonly #options: Required<EventStreamsOptions>;
  readonly #open = new Set<OpenStream>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ heartbeatMs = 15_000, ...options }: EventStreamsOptions) {
    this.#options = { ...options, heartbeatMs };
  }

  /** Answers with a stream. Throws if opening it fails, so that the caller gets an ordinary error response. */
  async serve({ http, account, isAllowed, open }: Subscription): Promise<Response> {
    const outgoing: ServerResponse = http.env.outgoing;
    const slot = this.#reserve(account);
    const connection = disconnectSignal(outgoing, this.#options.stopping, () => slot.release());
    try {
      let beginning: string | undefined;
      const events = await open(connection.signal, (eventId) => {
        beginning = eventId;
      });
      for (const [name, value] of streamHeaders) http.header(name, value);
      const head = http.body(null);
      if (http.req.raw.method === 'HEAD') {
        connection.disconnect();
        return head;
      }
      outgoing.writeHead(200, Object.fromEntries(head.headers));
      outgoing.write(encodeBeginning({ retryMs, eventId: beginning }));
      const isStillAllowed = () => chargeTo(account, isAllowed);
      const checks = { isAllowed: isStillAllowed, checking: false, checkAgain: false };
      const stream: OpenStream = { outgoing, ...checks, missedBeats: 0 };
      void this.#send(events, stream, connection.signal).catch((error) => this.#failed(error, http, stream));
      return RESPONSE_ALREADY_SENT;
    } catch (error) {
      connection.disconnect();
      throw error;
    }
  }

  /** Cuts the streams whose credential was revoked, without waiting for the next heartbeat. */
  checkAll(): void {
    for (const stream of this.#open) void this.#check(stream);
  }

  async #send(
    events: AsyncIterable<{ id: string; type: string }>,
    stream: OpenStream,
    signal: AbortSignal,
  ): Promise<void> {
    const { outgoing } = stream;
    this.#add(stream);
    signal.addEventListener('abort', () => this.#remove(stream));
    if (signal.aborted) return this.#remove(stream);
    for await (const event of events) {
      if (signal.aborted) return;
      if (!outgoing.write(encodeEvent(event))) await drained(outgoing, signal);
      if (signal.aborted) return;
    }
    if (!signal.aborted) outgoing.end();
  }

  #failed(error: unknown, http: Context, stream: OpenStream): void {
    // A disconnect may make the engine's iterator fail, which is not a problem.
    if (!stream.outgoing.destroyed)
      this.#options.logger.warn({ requestId: requestIdOf(http), err: error }, 'event stream failed');
    this.#remove(stream);
  }

  #add(stream: OpenStream): void {
    this.#open.add(stream);
    this.#timer ??= setInterval(() => this.#beat(), this.#options.heartbeatMs);
  }

  /** Cuts the connection, unless the stream has ended by itself. */
  #remove(stream: OpenStream): void {
    this.#open.delete(stream);
    if (!stream.outgoing.writableEnded) stream.outgoing.destroy();
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #beat(): void {
    for (const stream of this.#open) {
      stream.missedBeats = stream.outgoing.writableNeedDrain ? stream.missedBeats + 1 : 0;
      // Heartbeats to a caller that does not read would pile up. After some missed beats the caller is cut off and may reconnect.
      if (stream.missedBeats === 0) stream.outgoing.write(heartbeat);
      if (stream.missedBeats > maxMissedBeats) this.#remove(stream);
      else void this.#check(stream);
    }
  }

  async #check(stream: OpenStream): Promise<void> {
    // A check that is under way may have read the credential before it was revoked.
    stream.checkAgain = stream.checking;
    if (stream.checking) return;
    stream.checking = true;
    // A stream survives while the database is unavailable.
    const allowed = await stream.isAllowed().catch(() => true);
    stream.checking = false;
    if (!allowed) this.#remove(stream);
    else if (stream.checkAgain) await this.#check(stream);
  }

  #reserve(account: Account): Hold {
    const { slots } = this.#options;
    const slot = slots.tryTake(account);
    if (slot) return slot;
    const { perKey, agents } = slots.limits;
    throw new ExecutorError(
      'tooManyStreams',
      `Too many event streams are open. The limit is ${perKey} per credential and ${agents} for all agents together. Close one first. GET /v1/events streams the events of all runs.`,
      { details: { perKey, agents, retryAfterSeconds: 1 } },
    );
  }
}

interface OpenStream {
  outgoing: ServerResponse;
  isAllowed(): Promise<boolean>;
  checking: boolean;
  checkAgain: boolean;
  /** Number of heartbeats since the caller last read from the stream. */
  missedBeats: number;
}

/** Keeps caches and proxies from buffering events. */
const streamHeaders = Object.entries({
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-store',
  'x-accel-buffering': 'no',
});

function drained(outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      outgoing.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    outgoing.once('drain', done);
    signal.addEventListener('abort', done);
  });
}
