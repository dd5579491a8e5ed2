import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Account, accountOfAddress, asNewcomer, type HeldResource, type Hold } from '@executor/engine';
import { Progress } from './progress.ts';
import { abandonResponse, ResponsesInFlight } from './responses-in-flight.ts';

interface Connection {
  socket: Socket;
  /** Its address until a request on it was authenticated, and then the credential. */
  account: Account;
  isKnown: boolean;
  hold: Hold;
  responses: ResponsesInFlight;
  /** When its last request ended, or when it was opened. */
  idleSince: number;
  progress: Progress;
}

export interface ConnectionsOptions {
  held: HeldResource;
  /** How long a caller may take none of the bytes of a response. */
  stallMs?: number;
}

/** How long a new connection may take to say who it is, as long as the server has room for others. */
const introductionMs = 1_000;
/** Programs send the next request after the response of the last one. */
const maxPipelined = 64;

/**
 * The connections of the server. Each belongs to its address until a request on it is authenticated, and then to the credential of that
 * request. Addresses say little: on a laptop, everybody has the same one.
 *
 * - A new connection is always accepted. If there is no room, the one without a credential closes that has been idle for longest. In its
 *   first second it closes only if the whole server is full, so that a burst of connections does not close one that is about to be used.
 * - An agent's key has a maximum. Agents together leave connections to people.
 * - A caller that does not read its response is cut off. So is one that sends many requests without waiting for responses.
 */
export class Connections {
  readonly #held: HeldResource;
  readonly #stallMs: number;
  /** In the order in which they were opened. */
  readonly #open = new Map<Socket, Connection>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ held, stallMs = 30_000 }: ConnectionsOptions) {
    this.#held = held;
    this.#stallMs = stallMs;
  }

  watch(server: Server): void {
    server.on('connection', (socket) => this.#accept(socket));
    server.on('request', (request, response) => this.#begin(request, response));
    server.on('close', () => clearInterval(this.#timer));
    this.#timer = setInterval(() => this.#cutOffStalled(), Math.min(2_000, this.#stallMs / 4));
    this.#timer.unref();
  }

  /** Charges the connection to a credential. Throws `tooManyRequests` if the credential has too many connections at work. */
  credit(socket: Socket | undefined, account: Account): void {
    const connection = socket && this.#open.get(socket);
    if (connection === undefined) return;
    connection.isKnown = true;
    if (connection.account.key === account.key && connection.account.kind === account.kind) return;
    const hold = this.#holdFor(account, connection);
    connection.hold.release();
    Object.assign(connection, { account, hold });
  }

  #holdFor(account: Account, connection: Connection): Hold {
    const hold = this.#held.tryTake(account);
    if (hold) return hold;
    if (account.kind === 'person') return this.#held.takeAnyway(account);
    const isOwn = (other: Connection) => other !== connection && other.account.key === account.key;
    const idle = this.#longestIdle((other) => isOwn(other) && other.responses.size === 0);
    if (idle) this.#close(idle);
    try {
      return this.#held.require(account);
    } catch (error) {
      connection.isKnown = false;
      throw error;
    }
  }

  #accept(socket: Socket): void {
    const account = newcomer(socket);
    const idleSince = performance.now();
    const hold = this.#held.tryTake(account) ?? this.#makeRoom(account, idleSince);
    if (hold === undefined) return void socket.destroy();
    const progress = new Progress(socket, idleSince);
    const responses = new ResponsesInFlight();
    this.#open.set(socket, { socket, account, isKnown: false, hold, responses, idleSince, progress });
    socket.once('close', () => {
      this.#forget(socket);
      responses.abandon();
    });
  }

  #makeRoom(account: Account, now: number): Hold | undefined {
    const unknown = ({ isKnown }: Connection) => !isKnown;
    for (;;) {
      const idle = this.#longestIdle((connection) => unknown(connection) && connection.responses.size === 0);
      const isCrowded = this.#open.size >= this.#held.limits.total;
      if (!isCrowded && idle && now - idle.idleSince < introductionMs) return this.#held.takeAnyway(account);
      const victim = idle ?? this.#longestIdle(unknown);
      if (victim === undefined) return undefined;
      this.#close(victim);
      const hold = this.#held.tryTake(account);
      if (hold) return hold;
    }
  }

  #begin({ socket }: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(socket);
    // Requests that arrived together with one for which the connection was closed.
    if (connection === undefined) return void abandonResponse(response);
    connection.responses.add(response, () => {
      connection.idleSince = performance.now();
    });
    if (connection.responses.size > maxPipelined) this.#close(connection);
  }

  #longestIdle(isMeant: (connection: Connection) => boolean): Connection | undefined {
    let longest: Connection | undefined;
    for (const connection of this.#open.values()) {
      if (isMeant(connection) && connection.idleSince < (longest?.idleSince ?? Number.POSITIVE_INFINITY))
        longest = connection;
    }
    return longest;
  }

  #cutOffStalled(): void {
    const now = performance.now();
    for (const connection of this.#open.values()) {
      if (connection.progress.stalledMs(now) > this.#stallMs) this.#close(connection);
    }
  }

  #close({ socket }: Connection): void {
    this.#forget(socket);
    socket.destroy();
  }

  #forget(socket: Socket): void {
    this.#open.get(socket)?.hold.release();
    this.#open.delete(socket);
  }
}

function newcomer({ remoteAddress = 'unknown' }: Socket): Account {
  return asNewcomer(accountOfAddress(remoteAddress));
}
