import type { ServerResponse } from 'node:http';
import { ExecutorError, type Principal } from '@executor/protocol';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { Logger } from 'pino';
import { leaveSignal } from './leave-signal.ts';
import { Places } from './places.ts';
import { requestIdOf } from './request-log.ts';
import { encodeBeginning, encodeEvent, heartbeat } from './sse.ts';

interface EventStreamsOptions {
  logger: Logger;
  /** Aborted when the server stops. */
  stopping: AbortSignal;
  heartbeatMs?: number;
  places?: Places;
}

interface Subscription {
  http: Context;
  principal: Principal;
  /** Whether the caller would still be let in. */
  isAllowed(): Promise<boolean>;
  open(
    signal: AbortSignal,
    beginAt: (eventId: string) => void,
  ): Promise<AsyncIterable<{ id: string; type: string }>>;
}

const retryMs = 500;
const maxMissedBeats = 4;

/**
 * The streams of server-sent events that are open now.
 *
 * - A stream that ends as HTTP answers end has told everything. In every other case (the server stops, the caller's key was revoked,
 *   the engine failed) the connection is cut, and the caller comes back with Last-Event-ID, or learns why it may not.
 * - The next event is asked for when the last one has left: a caller that reads slowly slows down nobody else and fills no memory.
 * - One timer serves all of them: with each beat the caller's credential is checked again.
 */
export class EventStreams {
  readonly #options: Required<EventStreamsOptions>;
  readonly #open = new Set<OpenStream>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ heartbeatMs = 15_000, places = new Places(), ...options }: EventStreamsOptions) {
    this.#options = { ...options, heartbeatMs, places };
  }

  /** Answers with a stream; what fails before its first byte is thrown, as for any other request. */
  async serve({ http, principal, isAllowed, open }: Subscription): Promise<Response> {
    const outgoing: ServerResponse = http.env.outgoing;
    const release = this.#reserve(principal);
    const leave = leaveSignal(outgoing, this.#options.stopping, release);
    try {
      let beginning: string | undefined;
      const events = await open(leave.signal, (eventId) => {
        beginning = eventId;
      });
      for (const [name, value] of streamHeaders) http.header(name, value);
      const head = http.body(null);
      if (http.req.raw.method === 'HEAD') {
        leave.leave();
        return head;
      }
      outgoing.writeHead(200, Object.fromEntries(head.headers));
      outgoing.write(encodeBeginning({ retryMs, eventId: beginning }));
      const stream: OpenStream = { outgoing, isAllowed, checking: false, missedBeats: 0 };
      void this.#send(events, stream, leave.signal).catch((error) => this.#failed(error, http, stream));
      return RESPONSE_ALREADY_SENT;
    } catch (error) {
      leave.leave();
      throw error;
    }
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
    // A caller that has gone may well make the engine's iterator fail.
    if (!stream.outgoing.destroyed)
      this.#options.logger.warn({ requestId: requestIdOf(http), err: error }, 'a stream of events failed');
    this.#remove(stream);
  }

  #add(stream: OpenStream): void {
    this.#open.add(stream);
    this.#timer ??= setInterval(() => this.#beat(), this.#options.heartbeatMs);
  }

  /** Cuts it off, unless it has ended by itself. */
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
      // Where the caller does not read, more of it would only pile up; where it has not for long, it may come back when it does.
      if (stream.missedBeats === 0) stream.outgoing.write(heartbeat);
      if (stream.missedBeats > maxMissedBeats) this.#remove(stream);
      else void this.#check(stream);
    }
  }

  async #check(stream: OpenStream): Promise<void> {
    if (stream.checking) return;
    stream.checking = true;
    // Nobody loses a stream because the database is away.
    const allowed = await stream.isAllowed().catch(() => true);
    stream.checking = false;
    if (!allowed) this.#remove(stream);
  }

  #reserve(principal: Principal): () => void {
    const { places } = this.#options;
    const free = places.take(principal);
    if (free) return free;
    throw new ExecutorError(
      'tooManyStreams',
      `Too many streams of events are open: one credential may have ${places.limits.perPrincipal}, and all agents together ${places.limits.agents}. Close one first; GET /v1/events has those of all runs in one.`,
      { details: { ...places.limits } },
    );
  }
}

interface OpenStream {
  outgoing: ServerResponse;
  isAllowed(): Promise<boolean>;
  checking: boolean;
  /** For how many beats the caller has not read what was sent. */
  missedBeats: number;
}

/** No cache and no proxy may hold events back. */
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
