import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** One request that the ledger received. */
export interface Entry {
  /** The ledger's count of everything that it was told, requests and remarks alike. */
  order: number;
  operation: string;
  key: string;
  callId: string;
  attempt: number;
  state: 'underWay' | 'done' | 'refused';
  /** What it answered; undefined where that was a 500. */
  answer?: unknown;
}

interface Hold {
  matches(entry: Entry): boolean;
  arrived(entry: Entry): void;
  released: Promise<void>;
}

/**
 * The outside world of the tests: a server that writes down every request, and never forgets one because its sender has died.
 *
 * What it does with a request is decided by words in its key, so that it does the same in an undisturbed run: `slow` takes a while,
 * `before` is refused with 500 and not done, `after` is done and answered with 500, and of `flaky` the first two are refused.
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
    // A worker that was stopped for a while would send into a connection that was closed meanwhile, which is no fault of the run.
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

  /** The next number of the ledger's count, for something that is said elsewhere. */
  next(): number {
    this.#order += 1;
    return this.#order;
  }

  of(callId: string): Entry[] {
    return this.entries.filter((entry) => entry.callId === callId);
  }

  /** Holds back requests until they are let go; `arrived` resolves with the first of them. */
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

  /** All that it received on behalf of a call, once nothing of that is under way. */
  async settled(callId: string): Promise<Entry[]> {
    // What a dead process sent last may still be on its way here.
    await sleep(250);
    while (this.of(callId).some(({ state }) => state === 'underWay')) await sleep(20);
    return this.of(callId);
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { key, ...rest } = (await json(request)) as { key: string };
    const entry: Entry = {
      order: this.next(),
      operation: request.url?.slice(1) ?? '',
      key,
      callId: String(request.headers['x-call-id']),
      attempt: Number(request.headers['x-attempt']),
      state: 'underWay',
    };
    this.entries.push(entry);
    const hold = [...this.#holds].find(({ matches }) => matches(entry));
    hold?.arrived(entry);
    await Promise.all([hold?.released, sleep(delayOf(key))]);
    this.#settle(entry, rest);
    response.writeHead(entry.answer === undefined ? 500 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(entry.answer ?? { message: `The ledger cannot ${entry.operation} ${key}.` }));
  }

  #settle(entry: Entry, rest: { bytes?: number; said?: unknown }): void {
    const { key, operation } = entry;
    const earlier = this.entries.filter((other) => other.key === key && other.order < entry.order).length;
    const refused = key.includes('before') || (key.includes('flaky') && earlier < 2);
    entry.state = refused ? 'refused' : 'done';
    if (refused || key.includes('after')) return;
    const { bytes, said } = rest;
    entry.answer = { operation, key, digest: digest(key), said, filling: 'x'.repeat(bytes ?? 0) };
  }
}

function delayOf(key: string): number {
  const share = Number.parseInt(digest(key), 16) / 2 ** 32;
  return key.includes('slow') ? 100 + 400 * share : 5 * share;
}

/** Eight hexadecimal digits that stand for a text. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
