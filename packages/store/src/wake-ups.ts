import type { Store } from '@executor/engine';
import type { Database, Sql } from './database.ts';

/** Tells workers that runs may have become runnable. */
export class WakeUps {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Part of a statement in which `run` is the run that is to be woken. */
  async insertion(_run: string): Promise<string> {
    return '';
  }

  async sender(): Promise<(sql: Sql, executionId: string) => Promise<void>> {
    return async () => {};
  }

  sent(): void {}

  receive: Store['receiveWakeUps'] = async () => ({ stop: async () => {} });
}
