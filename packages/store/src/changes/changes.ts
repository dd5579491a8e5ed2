import { randomUUID } from 'node:crypto';
import type { StoreChange } from '@executor/engine';
import { sql } from 'drizzle-orm';
import type { Database, Sql } from '../database.ts';
import { Broadcast, type Notice } from './broadcast.ts';
import { Listener } from './listener.ts';

type ExecutionChange = {
  [Key in 'status' | 'forHolder']?: (StoreChange & { type: 'execution' })[Key] | undefined;
};

type Hearer = (notice: Notice) => void;

/**
 * Notifies listeners of commits: in this process at once, and in other processes on the same Postgres. Notices are never part of a
 * transaction, because NOTIFY inside one serialises all commits that contain it.
 */
export class Changes {
  /** A new id for each process that opens the store. */
  readonly processId = randomUUID();
  readonly #hearers = new Set<Hearer>();
  readonly #others: { broadcast: Broadcast; listener: Listener } | undefined;

  constructor(database: Database) {
    if (database.kind === 'pglite') return;
    this.#others = {
      broadcast: new Broadcast(database, this.processId),
      listener: new Listener(database, this.processId, (notice) => this.#hear(notice)),
    };
  }

  subscribe(listener: (change: StoreChange) => void): () => void {
    return this.#listen((notice) => {
      if (notice.type !== 'wakeUps') listener(notice);
    });
  }

  onWakeUps(listener: () => void): () => void {
    return this.#listen((notice) => {
      if (notice.type === 'wakeUps') listener();
    });
  }

  tell(notice: Notice): void {
    this.#hear(notice);
    this.#others?.broadcast.tell(notice);
  }

  execution(
    workspaceId: string,
    executionId: string,
    { status, forHolder = false }: ExecutionChange = {},
  ): void {
    this.tell({ type: 'execution', workspaceId, executionId, ...(status && { status }), forHolder });
  }

  policies(workspaceId: string): void {
    this.tell({ type: 'policies', workspaceId });
  }

  sources(workspaceId: string): void {
    this.tell({ type: 'sources', workspaceId });
  }

  sessions(workspaceId: string): void {
    this.tell({ type: 'sessions', workspaceId });
  }

  /** Whether this is the id of a process that has the database open. Another one holds a lock while it is connected. */
  async isRunning(transaction: Sql, processId: string): Promise<boolean> {
    if (processId === this.processId) return true;
    if (this.#others === undefined) return false;
    const { rows } = await transaction.execute<{ is_free: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtextextended(${processId}, 0)) as is_free`,
    );
    return rows[0]?.is_free === false;
  }

  async close(): Promise<void> {
    this.#hearers.clear();
    await this.#others?.broadcast.close();
    await this.#others?.listener.close();
  }

  #listen(hearer: Hearer): () => void {
    this.#hearers.add(hearer);
    this.#others?.listener.start();
    return () => this.#hearers.delete(hearer);
  }

  #hear(notice: Notice): void {
    // Deferred, so that a listener that throws cannot make a change look failed.
    for (const hearer of this.#hearers) queueMicrotask(() => hearer(notice));
  }
}
