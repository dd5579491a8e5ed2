import { AsyncResource } from 'node:async_hooks';
import type { Database } from '../database.ts';

const intervalMs = 10 * 60_000;

/**
 * How much may be written before the next look. A statement counts as a page in addition to its own size, because the first change of a
 * page after a checkpoint writes all of it to the log.
 */
const bytesBetween = 32 * 1024 * 1024;
const bytesOfStatement = 4 * 1024;
/** The log of changes may grow to this size before a checkpoint lets Postgres reuse its files. */
const maxLogBytes = 32 * 1024 * 1024;

/**
 * Keeps the files of the embedded database small. Postgres's own processes for vacuum and checkpoints do not run in it, so its tables and
 * its log of changes would only grow.
 */
export class Housekeeping {
  readonly #database: Database;
  readonly #timer: NodeJS.Timeout;
  /** Whoever happened to write last is not charged for the work. */
  readonly #scope = new AsyncResource('Housekeeping');
  #written = 0;
  #working: Promise<void> | undefined;

  constructor(database: Database) {
    this.#database = database;
    this.#timer = setInterval(() => this.#tidy(), intervalMs).unref();
  }

  /** Counts a statement on its way to the database. */
  count(bytes: number): void {
    this.#written += bytes + bytesOfStatement;
    if (this.#written >= bytesBetween) this.#tidy();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tidy(): void {
    this.#written = 0;
    this.#working ??= this.#scope
      .runInAsyncScope(() => reclaimSpace(this.#database))
      .catch(() => {})
      .finally(() => {
        this.#working = undefined;
      });
  }
}

/** Vacuums one table at a time, so that a request waits for at most one. A few thousand rows take tens of milliseconds. */
export async function reclaimSpace(database: Database): Promise<void> {
  const [log] = await database.query<{ bytes: number }>(logStatement, []);
  for (const { name } of await database.query<{ name: string }>(wasteful, [])) {
    await database.withClient((client) => client.query(`vacuum (analyze) ${name}`));
  }
  if (log && log.bytes > maxLogBytes) await database.withClient((client) => client.query('checkpoint'));
}

/** The size of the log since the last checkpoint. Also lets the next statement read current counts of dead rows. */
const logStatement = {
  name: 'housekeeping-log',
  text: `
    select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::float8 as bytes, pg_stat_force_next_flush()
    from pg_control_checkpoint()`,
};

/**
 * Uses the thresholds of Postgres, and 8 MB of dead rows in the table's own large values, which are 2 kB each. `relid::regclass` is a
 * quoted name.
 */
const wasteful = {
  name: 'housekeeping-wasteful',
  text: `
    select main.relid::regclass::text as name
    from pg_stat_user_tables main
      join pg_class on pg_class.oid = main.relid
      left join pg_stat_all_tables large on large.relid = pg_class.reltoastrelid
    where main.n_dead_tup > 500 + 0.2 * main.n_live_tup or large.n_dead_tup > 4000`,
};
