import { type Account, chargedAccount, type Turns } from '@executor/engine';
import { DatabaseError, type Pool, type PoolClient } from 'pg';
import type { Statement } from './statement.ts';
import { type Asked, WaitingStatements } from './waiting-statements.ts';

/** The turns of the groups of agents' statements. */
const agents: Account = { kind: 'agent', key: 'shared commits', workspaceId: '' };
const people: Account = { ...agents, kind: 'person' };

/**
 * Groups the commits of a database with one connection. Each write syncs the disk, which takes longer than the rest of it. So statements
 * that wait for the connection at the same time share one transaction, in order, and resolve when it is on disk. If one of them fails,
 * the transaction is rolled back and each statement runs by itself.
 *
 * Statements of people do not share a transaction with those of agents, and are first. So a person waits for one group of agents.
 */
export class SharedCommits {
  readonly #pool: Pool;
  readonly #waiting = new WaitingStatements();
  #turns: Turns | undefined;
  #isRunning = false;
  /** Ends the wait for a turn of agents, because a person's statement has arrived. */
  #onPerson: (() => void) | undefined;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  shareTurns(turns: Turns): void {
    this.#turns = turns;
  }

  query(statement: Statement, values: unknown[]): Promise<object[]> {
    return new Promise((resolve, reject) => {
      const account = chargedAccount();
      this.#waiting.add(account, { statement, values, resolve, reject });
      if (account.kind === 'person') this.#onPerson?.();
      if (!this.#isRunning) void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.size > 0) await this.#runInTurn();
    this.#isRunning = false;
  }

  async #runInTurn(): Promise<void> {
    const turn = this.#turns && (await this.#takeTurn(this.#turns));
    try {
      await this.#runSome();
    } finally {
      turn?.release();
    }
  }

  async #takeTurn(turns: Turns): ReturnType<Turns['take']> {
    if (this.#waiting.hasPeople) return turns.take(people);
    const personArrived = new AbortController();
    this.#onPerson = () => personArrived.abort();
    try {
      return await turns.take(agents, 1, personArrived.signal);
    } catch {
      return turns.take(people);
    } finally {
      this.#onPerson = undefined;
    }
  }

  /** Statements that arrive while it waits for the connection join the group. */
  async #runSome(): Promise<void> {
    let client: PoolClient;
    try {
      client = await this.#pool.connect();
    } catch (error) {
      for (const { reject } of this.#waiting.drain()) reject(error);
      return;
    }
    const group = this.#waiting.takeGroup();
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
