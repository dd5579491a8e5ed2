import { ExecutorError } from '@executor/protocol';
import type { Clock } from '../../clock.ts';
import type { ExecutionStore } from '../../ports/execution-store.ts';
import type { StoredEvent } from '../../ports/journal-event.ts';
import type { HeldRun } from './held-run.ts';
import { record } from './run-state.ts';

interface Dependencies {
  store: { executions: Pick<ExecutionStore, 'eventPage'> };
  clock: Clock;
}

/** A page of a journal is in memory while its events are applied. */
export const journalPage = { limit: 1_000, maxBytes: 4 * 1024 * 1024 };
const retryMs = 500;

/** Reads what other processes append to the journal of a held run: answers and the request to cancel. Applies each event at once. */
export class JournalReader {
  readonly #held: HeldRun;
  readonly #deps: Dependencies;
  #started = false;
  #requested = false;
  #reading: Promise<void> | undefined;

  constructor(held: HeldRun, deps: Dependencies) {
    this.#held = held;
    this.#deps = deps;
  }

  /** Allows reading. Before the run is rebuilt, events would refer to calls that are not known yet. */
  start(): void {
    this.#started = true;
    this.readIfRequested();
  }

  /** There may be new events. */
  read(): void {
    this.#requested = true;
    if (!this.#started) return;
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined;
    });
  }

  readIfRequested(): void {
    if (this.#requested) this.read();
  }

  /** Resolves when everything that was in the journal has been applied. */
  async catchUp(): Promise<void> {
    const { gate } = this.#held;
    this.#requested = true;
    while (this.#requested && gate.isHeld) {
      await new Promise<void>((resolve) => gate.pass(resolve));
      this.read();
      await this.#reading;
    }
  }

  async #readAll(): Promise<void> {
    while (this.#requested && this.#held.gate.isPassable) {
      this.#requested = false;
      try {
        await this.#readPage();
      } catch (error) {
        if (!(error instanceof ExecutorError) || error.code !== 'databaseUnavailable') {
          this.#held.fail(error);
          return;
        }
        await new Promise<void>((resolve) => this.#deps.clock.after(retryMs, resolve));
        this.#requested = true;
      }
    }
  }

  async #readPage(): Promise<void> {
    const { journal, gate, lease } = this.#held;
    const page = { afterSeq: journal.seq, ...journalPage };
    const { events, hasMore } = await this.#deps.store.executions.eventPage(lease.id, page);
    for (const event of events) if (gate.isHeld) this.#apply(event);
    const last = events.at(-1)?.seq;
    if (last !== undefined) journal.readUpTo(last);
    if (hasMore) this.#requested = true;
  }

  /** Events of this process are in the state already. */
  #apply(event: StoredEvent): void {
    const { lease, state, journal, pending, gate } = this.#held;
    if (event.type === 'execution.started' && event.epoch > lease.epoch) {
      this.#held.lose();
    } else if (event.type === 'execution.cancelled') {
      // The key of the run was revoked, or the lease had expired. The run has ended, and nothing can be written to it.
      this.#held.lose();
    } else if (event.type === 'execution.cancelRequested' && event.reason !== 'keyRevoked') {
      state.cancelRequested = true;
      gate.stop();
    } else if (event.type === 'interaction.resolved') {
      record(state, event);
      journal.count(event);
      pending.answer(event);
    }
  }
}
