import type { Client } from 'pg';
import type { Database } from '../database.ts';
import { channel, type Notice, readMessage } from './broadcast.ts';

const restMs = 1_000;

/** Held while the process is connected. Postgres releases it when the process has ended, so others can tell. */
const holdProcessLock = 'select pg_advisory_lock_shared(hashtextextended($1, 0))';

/** Receives the commits of other processes on its own connection, which it reopens when it is lost. */
export class Listener {
  readonly #database: Database;
  /** The sender id of this process. */
  readonly #self: string;
  readonly #hear: (notice: Notice) => void;
  #state: 'idle' | 'listening' | 'closed' = 'idle';
  #client: Client | undefined;
  #rest: NodeJS.Timeout | undefined;

  constructor(database: Database, self: string, hear: (notice: Notice) => void) {
    this.#database = database;
    this.#self = self;
    this.#hear = hear;
  }

  start(): void {
    if (this.#state !== 'idle') return;
    this.#state = 'listening';
    void this.#connect();
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    clearTimeout(this.#rest);
    await this.#client?.end().catch(() => {});
  }

  async #connect(): Promise<void> {
    const client = this.#database.newClient();
    this.#client = client;
    client.on('error', () => {});
    client.on('notification', ({ payload }) => this.#receive(payload ?? ''));
    client.once('end', () => this.#lost(client));
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      await client.query(holdProcessLock, [this.#self]);
    } catch {
      this.#lost(client);
    }
    if (this.#client !== client || this.#state === 'closed') await client.end().catch(() => {});
  }

  /** Ignores repeated reports about the same connection. */
  #lost(client: Client): void {
    if (this.#client !== client || this.#state === 'closed') return;
    this.#client = undefined;
    this.#rest = setTimeout(() => this.#connect(), restMs).unref();
  }

  #receive(payload: string): void {
    const message = readMessage(payload);
    if (message === undefined || message.sender === this.#self) return;
    for (const notice of message.notices) this.#hear(notice);
  }
}
