import type { Database } from '../database.ts';

const intervalMs = 10 * 60_000;

/**
 * Postgres's own processes, which reclaim the space of rows that were changed or removed, do not run in the embedded one. Without this
 * its files would only ever grow.
 */
export function keepHouse(database: Database): { stop(): void } {
  const timer = setInterval(() => reclaimSpace(database).catch(() => {}), intervalMs).unref();
  return { stop: () => clearInterval(timer) };
}

/** One table at a time, so that whoever waits for the database waits for one at most; tens of milliseconds for a few thousand rows. */
export async function reclaimSpace(database: Database): Promise<void> {
  for (const { name } of await database.query<{ name: string }>(wasteful, [])) {
    await database.withClient((client) => client.query(`vacuum (analyze) ${name}`));
  }
}

/** As Postgres itself would choose them; `relid::regclass` is a name that is quoted where it must be. */
const wasteful = {
  name: 'housekeeping-wasteful',
  text: 'select relid::regclass::text as name from pg_stat_user_tables where n_dead_tup > 500 + 0.2 * n_live_tup',
};
