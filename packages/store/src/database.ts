import { chargedAccount, type DiskSpace, type Turns } from '@executor/engine';
import { type ErrorCode, ExecutorError } from '@executor/protocol';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { type Client, DatabaseError, type Pool, type PoolClient } from 'pg';
import { SharedCommits } from './shared-commits.ts';
import type { Query, Statement } from './statement.ts';

export type Sql = NodePgDatabase;

interface DatabaseOptions {
  kind: 'pglite' | 'postgres';
  pool: Pool;
  /** The user message while the database does not answer. */
  unavailable(reason: string): string;
  release(): Promise<void>;
  /** Creates an unconnected client outside the pool. The embedded database has no second connection. */
  newClient?(): Client;
  /** The file system of the embedded database. */
  disk?(): Promise<DiskSpace>;
  onProblem(message: string, details: Record<string, unknown>): void;
}

/**
 * One database, embedded or not, behind the `pg` driver.
 *
 * - Every statement goes through `run`, `query` or `transaction`. They convert the driver's errors and track whether the database
 *   answers.
 * - Inside `transaction` use only its handle and wait for nothing but the database: the embedded database has one connection, and
 *   asking the pool for another one would wait forever.
 * - Each access takes a turn of the account that is charged for it, so that agents leave connections to people.
 */
export class Database {
  readonly kind: 'pglite' | 'postgres';
  readonly #options: DatabaseOptions;
  readonly #sql: Sql;
  readonly #sharedCommits: SharedCommits | undefined;
  readonly #underWay = new Set<Promise<unknown>>();
  #turns: Turns | undefined;
  #available = true;
  #isClosing = false;
  #probe: NodeJS.Timeout | undefined;

  constructor(options: DatabaseOptions) {
    this.kind = options.kind;
    this.#options = options;
    this.#sql = drizzle(options.pool, { casing: 'snake_case' });
    // A Postgres server has enough connections and groups commits by itself.
    this.#sharedCommits = options.kind === 'pglite' ? new SharedCommits(options.pool) : undefined;
    // An idle connection or a transaction's connection broke. Without a listener, that would end the process.
    options.pool.on('error', (error) => this.#lost(error));
    options.pool.on('connect', (client) => client.on('error', (error) => this.#lost(error)));
  }

  isAvailable(): boolean {
    return this.#available;
  }

  shareTurns(turns: Turns): void {
    this.#turns = turns;
    this.#sharedCommits?.shareTurns(turns);
  }

  async run<Result>(query: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.#inTurn(() => query(this.#sql));
  }

  async transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.#inTurn(() => this.#sql.transaction(work));
  }

  /** Runs one statement as its own transaction. */
  async query<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
    const shared = this.#sharedCommits;
    if (shared) return this.#answered(async () => (await shared.query(statement, values)) as Row[]);
    return this.#inTurn(async () => (await this.#options.pool.query<Row>({ ...statement, values })).rows);
  }

  /** A transaction of prepared statements. */
  async sequence<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    return this.withClient(async (client) => {
      await client.query('begin');
      try {
        const result = await work(async (statement, values) => {
          return (await client.query({ ...statement, values })).rows;
        });
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback').catch(() => {});
        throw error;
      }
    });
  }

  /** One connection for work that needs the same session throughout. */
  async withClient<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    return this.#inTurn(async () => {
      const client = await this.#options.pool.connect();
      try {
        return await work(client);
      } finally {
        client.release();
      }
    });
  }

  newClient(): Client {
    if (!this.#options.newClient) throw new Error('this database has one connection');
    return this.#options.newClient();
  }

  async disk(): Promise<DiskSpace | undefined> {
    return this.#options.disk?.();
  }

  async close(): Promise<void> {
    clearTimeout(this.#probe);
    this.#isClosing = true;
    // A pool that ends drops waiting requests for a connection without answering them.
    await Promise.allSettled(this.#underWay);
    await this.#options.pool.end();
    await this.#options.release();
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#answered(async () => {
      const account = chargedAccount();
      const turn = this.#turns?.tryTake(account) ?? (await this.#turns?.take(account));
      try {
        return await work();
      } finally {
        turn?.release();
      }
    });
  }

  async #answered<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isClosing) throw this.#unavailable(new Error('it is being closed'));
    const working = work();
    this.#underWay.add(working);
    try {
      const result = await working;
      this.#found();
      return result;
    } catch (error) {
      throw this.#translate(error);
    } finally {
      this.#underWay.delete(working);
    }
  }

  #translate(error: unknown): unknown {
    const known = findCause(error, ExecutorError);
    if (known && !lostStorage.has(known.code)) return known;
    const refusal = findCause(error, DatabaseError);
    if (refusal === undefined && isMistake(error)) return error;
    if (refusal === undefined || lostConnection(refusal)) {
      this.#lost(error);
      return known ?? this.#unavailable(error);
    }
    if (refusal.code === '53100') {
      return new ExecutorError(
        'storageFull',
        'The disk of the database is full. Free some space and try again.',
        { cause: error },
      );
    }
    return refusal;
  }

  #unavailable(cause: unknown): ExecutorError {
    const sentence = this.#options.unavailable(reasonOf(cause));
    return new ExecutorError('databaseUnavailable', sentence, { cause });
  }

  #found(): void {
    if (this.#available) return;
    this.#available = true;
    this.#options.onProblem('the database answers again', {});
  }

  /** Records that the database is away, and asks once a second until it answers. No request is needed to notice that it is back. */
  #lost(error: unknown): void {
    if (this.#available) this.#options.onProblem('the database does not answer', { reason: reasonOf(error) });
    this.#available = false;
    if (this.#isClosing) return;
    clearTimeout(this.#probe);
    this.#probe = setTimeout(() => this.run((sql) => sql.execute('select 1')).catch(() => {}), 1_000);
    this.#probe.unref();
  }
}

/** The codes with which the embedded database's thread explains its end. */
const lostStorage = new Set<ErrorCode>(['storageFull', 'folderUnusable']);

/**
 * Finds an error of this class in the causes. The database's refusal is inside a Drizzle error, whose message repeats all parameters and
 * must not be logged. If there is no refusal, the database did not answer.
 */
function findCause<Kind extends Error>(
  error: unknown,
  kind: new (...args: never[]) => Kind,
): Kind | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof kind) return current;
  }
  return undefined;
}

/** A programming error. The driver throws none of these when it loses the database. */
function isMistake(error: unknown): boolean {
  return [TypeError, RangeError, ReferenceError, SyntaxError].some(
    (kind) => findCause(error, kind) !== undefined,
  );
}

/**
 * Connection errors, shutdowns, too many connections, failed logins, a missing database, missing privileges, and a disk that fails or is
 * read-only. Postgres reports disk problems with the last two codes.
 */
function lostConnection({ code = '' }: DatabaseError): boolean {
  return ['08', '57P', '53300', '28', '3D000', '42501', '58'].some((start) => code.startsWith(start));
}

/** The innermost message. An error of several attempts has a code but no message. */
function reasonOf(error: unknown): string {
  let reason = String(error);
  for (let current = error; current instanceof Error; current = current.cause) {
    reason = current.message || String((current as NodeJS.ErrnoException).code);
  }
  return reason;
}
