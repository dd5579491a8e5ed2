import type { Store } from '@executor/engine';
import { sql as raw } from 'drizzle-orm';
import type { Changes } from '../changes/changes.ts';
import type { Database, Sql } from '../database.ts';
import { Receiver } from './receiver.ts';
import { WakeQueue } from './wake-queue.ts';

/** Tells workers that runs may have become runnable, together with the change that made them so, or not at all. */
export class WakeUps {
  readonly #database: Database;
  readonly #changes: Changes;
  readonly #queue: WakeQueue;
  readonly #receivers = new Set<Receiver>();

  constructor(database: Database, changes: Changes) {
    this.#database = database;
    this.#changes = changes;
    this.#queue = new WakeQueue(database);
  }

  /** Part of a statement in which `run` is a changed run: wakes it when its `wake_at` has come, or at once where there is none. */
  async insertion(): Promise<string> {
    const jobs = `(select json_agg(json_build_object('data', json_build_object('executionId', id), 'startAfter', wake_at)) from run)`;
    return `, woken as (${(await this.#queue.insertion()).replace('$1', () => jobs)})`;
  }

  /** For a transaction of several statements; asked for before it begins, because within it nothing else may be waited for. */
  async sender(): Promise<(sql: Sql, executionId: string) => Promise<void>> {
    const [before = '', after = ''] = (await this.#queue.insertion()).split('$1');
    return async (sql, executionId) => {
      const jobs = JSON.stringify([{ data: { executionId } }]);
      await sql.execute(raw`${raw.raw(before)}${jobs}${raw.raw(after)}`);
    };
  }

  /**
   * Called once what was sent is committed. With the embedded database all receivers are in this process, which starts by itself what it
   * has just made runnable: looking into the queue now would only be in the way of that.
   */
  sent(): void {
    if (this.#database.kind !== 'pglite') this.#changes.tell({ type: 'wakeUps' });
  }

  receive: Store['receiveWakeUps'] = async (wake) => {
    const receiver = new Receiver({
      take: (limit) => this.#queue.take(limit),
      wake,
      pollMs: this.#database.kind === 'pglite' ? 30_000 : 2_000,
    });
    this.#receivers.add(receiver);
    const unsubscribe = this.#changes.onWakeUps(() => receiver.look());
    return {
      stop: async () => {
        unsubscribe();
        this.#receivers.delete(receiver);
        await receiver.stop();
      },
    };
  };

  async close(): Promise<void> {
    await Promise.all([...this.#receivers].map((receiver) => receiver.stop()));
    await this.#queue.close();
  }
}
