import { DatabaseError, type Pool, type PoolClient } from 'pg';
import type { Statement } from './statement.ts';

interface Asked {
  statement: Statement;
  values: unknown[];
  resolve(rows: object[]): void;
  reject(error: unknown): void;
}

/** So many that a sync more or less counts for nothing, and so few that nobody waits long for the others. */
const maxTogether = 50;

/**
 * Statements of a database with one connection. Each is a transaction of its own, and each that writes has the disk synced, which takes
 * longer than all the rest of it: those that wait for the connection at the same time are therefore committed together, in the order in
 * which they were asked for, and answered when that is on the disk. Where one of them is refused, nothing of it has happened, and each is
 * run by itself.
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

  /** Who comes while the connection is waited for comes along. */
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
      // It is not known what reached the disk: to run it again could do it twice. The next connection begins with nothing of this one.
      for (const { reject } of group) reject(error);
      client.release(error as Error);
    }
  }
}

/** Where one is refused, nothing has happened. */
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
