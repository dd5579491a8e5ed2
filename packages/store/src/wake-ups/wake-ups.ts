import type { Store } from '@executor/engine';
import type { Changes } from '../changes/changes.ts';
import type { Database } from '../database.ts';
import { Receiver } from './receiver.ts';
import { WakeQueue } from './wake-queue.ts';

/** Wakes workers for runs that became runnable, in the same transaction as the change. */
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

  /**
   * Part of a statement in which `run` is an updated run: wakes it if `condition` holds, at its `wake_at` or at once if it has none.
   */
  async insertion(condition = 'true'): Promise<string> {
    const jobs = `(select json_agg(json_build_object('data', json_build_object('executionId', id), 'startAfter', wake_at)) from run where ${condition})`;
    return `, woken as (${(await this.#queue.insertion()).replace('$1', () => jobs)})`;
  }

  /**
   * Called after the commit. With the embedded database all receivers are in this process, which already starts the runs that it made
   * runnable, so reading the queue now would only delay them.
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
    const unsubscribe = this.#changes.onWakeUps(() => receiver.fetch());
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
