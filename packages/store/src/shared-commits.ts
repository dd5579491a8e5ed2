import { DatabaseError, type Pool, type PoolClient } from 'pg';
import type { Statement } from './statement.ts';

interface Asked {
  statement: Statement;
  values: unknown[];
  resolve(rows: object[]): void;
  reject(error: unknown): void;
}

/** Large enough that one more sync does not matter, small enough that no statement waits long. */
const maxTogether = 50;

/**
 * Groups the commits of a database with one connection. Each write syncs the disk, which takes longer than the rest of it. So statements
 * that wait for the connection at the same time share one transaction, in order, and resolve when it is on disk. If one of them fails,
 * the transaction is rolled back and each statement runs by itself.
 */
export class SharedCommits {
  readonly #pool: Pool;
  #waiting: Asked[] = [];
  #isRunning = false;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  query(statement: Statement, values: unknown[]): Promise<object[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ statement, values, resolve, reject });
      if (!this.#isRunning) void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) await this.#runSome();
    this.#isRunning = false;
  }

  /** Statements that arrive while it waits for the connection join the group. */
  async #runSome(): Promise<void> {
    let client: PoolClient;
    try {
      client = await this.#pool.connect();
    } catch (error) {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
      return;
    }
    const group = this.#waiting.splice(0, maxTogether);
    try {
      if (group.length === 1 || !(await areCommitted(client, group))) await runOneByOne(client, group);
      client.release();
    } catch (error) {
      // It is unknown what reached the disk, and a retry could apply it twice. The next connection starts clean.
      for (const { reject } of group) reject(error);
      client.release(error as Error);
    }
  }
}

/** If one statement fails, nothing has happened. */
async function areCommitted(client: PoolClient, group: Asked[]): Promise<boolean> {
  try {
    await client.query('begin');
    const answers: object[][] = [];
    for (const { statement, values } of group) {
      answers.push((await client.query({ ...statement, values })).rows);
    }
    await client.query('commit');
    for (const [index, { resolve }] of group.entries()) resolve(answers[index] ?? []);
    return true;
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    await client.query('rollback');
    return false;
  }
}

async function runOneByOne(client: PoolClient, group: Asked[]): Promise<void> {
  for (const { statement, values, resolve, reject } of group) {
    try {
      resolve((await client.query({ ...statement, values })).rows);
    } catch (error) {
      reject(error);
      if (!(error instanceof DatabaseError)) throw error;
    }
  }
}
