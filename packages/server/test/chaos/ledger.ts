import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** One request that the ledger received. */
export interface Entry {
  /** A sequence number that requests and answers of the person share. */
  order: number;
  operation: string;
  key: string;
  callId: string;
  attempt: number;
  state: 'inFlight' | 'done' | 'refused';
  /** The response body; undefined after a 500. */
  answer?: unknown;
}

interface Hold {
  matches(entry: Entry): boolean;
  arrived(entry: Entry): void;
  released: Promise<void>;
}

/**
 * The external system of the tests: a server that records every request, even if its sender dies.
 *
 * Words in the key decide the response, so that it is the same in an undisturbed run: `slow` takes a while, `before` fails with 500
 * without effect, `after` fails with 500 after its effect, and the first two requests of a `flaky` key fail.
 */
export class Ledger {
  readonly entries: Entry[] = [];
  readonly #server: Server;
  readonly #holds = new Set<Hold>();
  #order = 0;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#receive(request, response).catch(() => response.destroy());
    });
    // Otherwise a worker that was stopped for a while would send into a closed connection, and its run would fail for no fault of its own.
    this.#server.keepAliveTimeout = 0;
  }

  static async start(): Promise<Ledger> {
    const ledger = new Ledger();
    await new Promise<void>((resolve) => ledger.#server.listen(0, '127.0.0.1', resolve));
    return ledger;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The next sequence number. */
  next(): number {
    this.#order += 1;
    return this.#order;
  }

  of(callId: string): Entry[] {
    return this.entries.filter((entry) => entry.callId === callId);
  }

  /** Delays responses until `letGo`. `arrived` resolves with the first request. */
  hold(matches: (entry: Entry) => boolean): { arrived: Promise<Entry>; letGo(): void } {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let hold: Hold | undefined;
    const arrived = new Promise<Entry>((resolve) => {
      hold = { matches, arrived: resolve, released };
      this.#holds.add(hold);
    });
    return {
      arrived,
      letGo: () => {
        if (hold) this.#holds.delete(hold);
        release();
      },
    };
  }

  /** The requests of a call, once none of them is in flight. */
  async settled(callId: string): Promise<Entry[]> {
    // The last request of a dead process may not have arrived yet.
    await sleep(250);
    while (this.of(callId).some(({ state }) => state === 'inFlight')) await sleep(20);
    return this.of(callId);
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { key, ...options } = (await json(request)) as { key: string };
    const entry: Entry = {
      order: this.next(),
      operation: request.url?.slice(1) ?? '',
      key,
      callId: String(request.headers['x-call-id']),
      attempt: Number(request.headers['x-attempt']),
      state: 'inFlight',
    };
    this.entries.push(entry);
    const hold = [...this.#holds].find(({ matches }) => matches(entry));
    hold?.arrived(entry);
    await Promise.all([hold?.released, sleep(delayOf(key))]);
    this.#settle(entry, options);
    response.writeHead(entry.answer === undefined ? 500 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(entry.answer ?? { message: `The ledger cannot ${entry.operation} ${key}.` }));
  }

  #settle(entry: Entry, { bytes, value }: { bytes?: number; value?: unknown }): void {
    const { key, operation } = entry;
    const earlier = this.entries.filter((other) => other.key === key && other.order < entry.order).length;
    const refused = key.includes('before') || (key.includes('flaky') && earlier < 2);
    entry.state = refused ? 'refused' : 'done';
    if (refused || key.includes('after')) return;
    entry.answer = { operation, key, digest: digest(key), value, filling: 'x'.repeat(bytes ?? 0) };
  }
}

function delayOf(key: string): number {
  const share = Number.parseInt(digest(key), 16) / 2 ** 32;
  return key.includes('slow') ? 100 + 400 * share : 5 * share;
}

/** The first eight hexadecimal digits of the SHA-256. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
