import { DatabaseError } from 'pg';
import type { Db, PgBoss } from 'pg-boss';
import type { Database } from '../database.ts';

/** Not pg-boss's default schema, because another program may use another pg-boss version in this database. */
const schema = 'executor_queue';
const queue = 'wake';

const hourSeconds = 3_600;
const daySeconds = 24 * hourSeconds;
const maxAttempts = 5;

/**
 * The wake-up queue, on pg-boss. It starts at first use, because loading pg-boss takes a large part of a server's start.
 *
 * A lost wake-up loses nothing. pg-boss drops wake-ups that are two weeks overdue or were taken by a process that died; the sweep with
 * `leaseNext` still finds the runs.
 */
export class WakeQueue {
  readonly #database: Database;
  #starting: Promise<{ boss: PgBoss; insertion: string }> | undefined;
  #maintenance: NodeJS.Timeout | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * The statement with which pg-boss inserts jobs, for statements of ours: its one parameter, `$1`, is JSON text, an array of objects
   * with `data` and `startAfter`.
   */
  async insertion(): Promise<string> {
    return (await this.#started()).insertion;
  }

  /** Takes up to that many due wake-ups. Each is delivered once. */
  async take(limit: number): Promise<string[]> {
    const { boss } = await this.#started();
    const jobs = await boss.fetch<{ executionId: string }>(queue, { batchSize: limit });
    // Deleted, not completed: completed jobs are useless and pile up quickly.
    if (jobs.length > 0)
      await boss.deleteJob(
        queue,
        jobs.map(({ id }) => id),
      );
    return [...new Set(jobs.map(({ data }) => data.executionId))];
  }

  async close(): Promise<void> {
    clearInterval(this.#maintenance);
    const started = await this.#starting?.catch(() => undefined);
    await started?.boss.stop({ graceful: false });
  }

  #started() {
    this.#starting ??= this.#start().catch((error) => {
      this.#starting = undefined;
      throw error;
    });
    return this.#starting;
  }

  /** Two processes may set it up at the same moment. The second one fails, retries and finds it. */
  async #start(): Promise<{ boss: PgBoss; insertion: string }> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#startOnce();
      } catch (error) {
        if (!isDuplicate(error) || attempt === maxAttempts) throw error;
      }
    }
  }

  async #startOnce(): Promise<{ boss: PgBoss; insertion: string }> {
    const { PgBoss } = await import('pg-boss');
    const boss = new PgBoss({
      db: adapt(this.#database),
      schema,
      backend: this.#database.kind,
      // Of pg-boss's maintenance, only the hourly clean-up is needed.
      ...{ schedule: false, supervise: false, registerInstance: false, reindex: false },
      ...{ queueCacheIntervalSeconds: daySeconds, bamIntervalSeconds: daySeconds },
      maintenanceIntervalSeconds: hourSeconds,
      openTelemetry: { enabled: false },
    });
    // The database layer has logged the error, and the next attempt follows by itself.
    boss.on('error', () => {});
    await boss.start();
    await boss.createQueue(queue, { retryLimit: 0, expireInSeconds: 60, deleteAfterSeconds: hourSeconds });
    this.#maintenance ??= setInterval(
      () => boss.supervise(queue).catch(() => {}),
      hourSeconds * 1_000,
    ).unref();
    return { boss, insertion: await insertionOf(boss) };
  }
}

function isDuplicate(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '23505';
}

/** Captures the insert statement of pg-boss with a database that only records it. */
async function insertionOf(boss: PgBoss): Promise<string> {
  let statement = '';
  const recorder: Db = {
    async executeSql(text) {
      statement = text;
      return { rows: [{ id: '' }] };
    },
  };
  await boss.send(queue, {}, { db: recorder });
  if (statement.split('$1').length !== 2)
    throw new Error('pg-boss inserts jobs in another way than expected');
  return statement;
}

/**
 * pg-boss expects that a failed statement has no effect, even if it opens a transaction, and that several statements in one text return
 * one result.
 */
function adapt(database: Database): Db {
  return {
    executeSql: (text, values) =>
      database.withClient(async (client) => {
        try {
          const answer: unknown = await client.query(text, values);
          return { rows: [answer].flat().flatMap((result) => (result as { rows?: unknown[] }).rows ?? []) };
        } catch (error) {
          await client.query('rollback').catch(() => {});
          throw error;
        }
      }),
  };
}
