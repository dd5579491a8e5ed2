import { randomUUID } from 'node:crypto';
import type { Database } from '../database.ts';
import type { Notice } from './changes.ts';

export const channel = 'executor_changes';

/** What travels between processes; the sender, so that nobody hears itself. */
export interface Message {
  sender: string;
  notices: Notice[];
}

/** A payload may have 8,000 bytes, and a notice has about 160. */
const noticesAtOnce = 40;

/**
 * Tells other processes what this one has committed: the first at once, and what comes up while it is under way together with the next.
 * While the database is away nothing is told, as nothing is committed.
 */
export class Broadcast {
  readonly sender = randomUUID();
  readonly #database: Database;
  readonly #waiting = new Map<string, Notice>();
  #sending: Promise<void> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  tell(notice: Notice): void {
    this.#waiting.set(JSON.stringify(notice), notice);
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
  }

  /** Says what there is to say, if that can be said. */
  async close(): Promise<void> {
    await this.#sending;
  }

  async #send(): Promise<void> {
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting].slice(0, noticesAtOnce);
      for (const [key] of batch) this.#waiting.delete(key);
      const message: Message = { sender: this.sender, notices: batch.map(([, notice]) => notice) };
      await this.#database.query(notify, [channel, JSON.stringify(message)]).catch(() => {});
    }
  }
}

const notify = { name: 'changes-notify', text: 'select pg_notify($1, $2)' };
