import { DatabaseError } from 'pg';
import type { Db, PgBoss } from 'pg-boss';
import type { Database } from '../database.ts';

/** Not pg-boss's own name for it: the database may be shared with a program that uses another version. */
const schema = 'executor_queue';
const queue = 'wake';

const hourSeconds = 3_600;
const daySeconds = 24 * hourSeconds;
const maxAttempts = 5;

/**
 * The queue that carries wake-ups, on pg-boss. It is started when it is first needed, and not before: loading it takes a good part of
 * what a server may take to start.
 *
 * Nothing is lost with a wake-up. pg-boss forgets those that nobody took within two weeks of their time, or that a process took and
 * died; whoever sweeps with `leaseNext` finds the runs all the same.
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

  /** Takes up to that many wake-ups that are due; they come again to nobody. */
  async take(limit: number): Promise<string[]> {
    const { boss } = await this.#started();
    const jobs = await boss.fetch<{ executionId: string }>(queue, { batchSize: limit });
    // Removed, not completed: what is done need not be kept, and piles up quickly.
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

  /** Processes may set it up at the same moment. Whoever comes second fails, and finds it there. */
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
      // Of what it does on its own nothing is needed but removing what was left behind, once an hour.
      ...{ schedule: false, supervise: false, registerInstance: false, reindex: false },
      ...{ queueCacheIntervalSeconds: daySeconds, bamIntervalSeconds: daySeconds },
      maintenanceIntervalSeconds: hourSeconds,
      openTelemetry: { enabled: false },
    });
    // The database has told its own troubles, and the next attempt comes by itself.
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

/** Asks pg-boss for a job with a database that only notes what it was to do. */
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
 * pg-boss expects that a failed statement leaves nothing behind, also one that opens a transaction, and that several statements in one
 * text answer as one.
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
