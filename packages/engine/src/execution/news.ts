import { ExecutorError } from '@executor/protocol';
import type { Clock } from '../clock.ts';
import type { ExecutionStore } from '../ports/execution-store.ts';
import type { StoredEvent } from '../ports/journal-event.ts';
import type { Journal } from './journal.ts';

interface NewsOptions {
  executionId: string;
  store: Pick<ExecutionStore, 'events'>;
  journal: Pick<Journal, 'seq' | 'readUpTo'>;
  clock: Clock;
  /** Whether this process still has the run. */
  isHeld(): boolean;
  /** While it is not known whether the run was given back, nothing is heard. */
  isPaused(): boolean;
  /** Calls back when it is not paused any more. */
  afterPause(act: () => void): void;
  hear(event: StoredEvent): void;
  onBroken(error: unknown): void;
}

export const eventPage = 1_000;
const retryMs = 500;

/** What others wrote to the journal of a run that this process holds: answers, and the wish to cancel. */
export class News {
  readonly #options: NewsOptions;
  #begun = false;
  #wanted = false;
  #reading: Promise<void> | undefined;

  constructor(options: NewsOptions) {
    this.#options = options;
  }

  /** Until the journal was read once, news would speak of what is not known yet. */
  begin(): void {
    this.#begun = true;
    this.lookIfWanted();
  }

  /** There may be some. */
  look(): void {
    this.#wanted = true;
    if (!this.#begun) return;
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined;
    });
  }

  lookIfWanted(): void {
    if (this.#wanted) this.look();
  }

  /** Until all that was in the journal is heard. */
  async catchUp(): Promise<void> {
    this.#wanted = true;
    while (this.#wanted && this.#options.isHeld()) {
      await new Promise<void>((resolve) => this.#options.afterPause(resolve));
      this.look();
      await this.#reading;
    }
  }

  async #readAll(): Promise<void> {
    const { isHeld, isPaused, onBroken, clock } = this.#options;
    while (this.#wanted && isHeld() && !isPaused()) {
      this.#wanted = false;
      try {
        await this.#readPage();
      } catch (error) {
        if (!(error instanceof ExecutorError) || error.code !== 'databaseUnavailable') {
          onBroken(error);
          return;
        }
        await new Promise<void>((resolve) => clock.after(retryMs, resolve));
        this.#wanted = true;
      }
    }
  }

  async #readPage(): Promise<void> {
    const { executionId, store, journal, isHeld, hear } = this.#options;
    const events = await store.events(executionId, { afterSeq: journal.seq, limit: eventPage });
    for (const event of events) if (isHeld()) hear(event);
    const last = events.at(-1)?.seq;
    if (last !== undefined) journal.readUpTo(last);
    if (events.length === eventPage) this.#wanted = true;
  }
}
