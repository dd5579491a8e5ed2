import type { Database } from '../database.ts';

const intervalMs = 10 * 60_000;

/**
 * Reclaims the space of changed and removed rows. Postgres's own vacuum processes do not run in the embedded database, so its files would
 * only grow.
 */
export function keepHouse(database: Database): { stop(): void } {
  const timer = setInterval(() => reclaimSpace(database).catch(() => {}), intervalMs).unref();
  return { stop: () => clearInterval(timer) };
}

/** Vacuums one table at a time, so that a request waits for at most one. A few thousand rows take tens of milliseconds. */
export async function reclaimSpace(database: Database): Promise<void> {
  for (const { name } of await database.query<{ name: string }>(wasteful, [])) {
    await database.withClient((client) => client.query(`vacuum (analyze) ${name}`));
  }
}

/** Uses the thresholds of Postgres. `relid::regclass` is a quoted name. */
const wasteful = {
  name: 'housekeeping-wasteful',
  text: 'select relid::regclass::text as name from pg_stat_user_tables where n_dead_tup > 500 + 0.2 * n_live_tup',
};
