import { ExecutorError, toExecutorError } from '@executor/protocol';
import type { Clock } from '../../clock.ts';
import type { ExecutionStore, Lease, RunEnding, RunWrite } from '../../ports/execution-store.ts';
import type { JournalEvent, NewEvent } from '../../ports/journal-event.ts';
import { retryWhileUnavailable } from './retry.ts';

interface JournalOptions {
  store: Pick<ExecutionStore, 'append' | 'finish'>;
  lease: Lease;
  /** The number of the last event that is known. */
  seq: number;
  clock: Clock;
  /** The lease is lost (`leaseLost`), or the database rejected a write for good. */
  onFailed(error: ExecutorError): void;
  /** Other processes appended events that this one has not read. */
  onForeignEvents(): void;
}

interface Extra {
  ask?: RunWrite['ask'];
  settle?: RunWrite['settle'];
  status?: RunWrite['status'];
}

type Buffered = { events: NewEvent[] } & Extra;

/** How long events may stay in memory if nothing waits for them, and how long if they should not be lost. */
const lazyMs = 15;
const soonMs = 2;

/**
 * The only writer of a held run's journal. Events are written in the order in which they are appended, in batches. `flush` is the barrier
 * before anything that cannot be undone. While the database is unavailable, the same batch is retried under the same number.
 */
export class Journal {
  readonly #options: JournalOptions;
  #buffer: Buffered = { events: [] };
  #batch = 0;
  /** This process knows all events up to this number. */
  #seq: number;
  #writing: Promise<void> | undefined;
  #scheduled: (() => void) | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #closed = false;
  bytes = 0;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#seq = options.seq;
  }

  get seq(): number {
    return this.#seq;
  }

  /** All events up to this number have been read. */
  readUpTo(seq: number): void {
    this.#seq = Math.max(this.#seq, seq);
  }

  /** Counts an event that is in the journal already. */
  count(event: JournalEvent): void {
    this.bytes += sizeOf(event);
  }

  append(event: JournalEvent, extra: Extra = {}): void {
    if (this.#closed) return;
    this.#buffer.events.push({ ...event, at: this.#options.clock.now() });
    if (extra.ask) this.#buffer.ask = [...(this.#buffer.ask ?? []), ...extra.ask];
    if (extra.settle) this.#buffer.settle = [...(this.#buffer.settle ?? []), ...extra.settle];
    if (extra.status) this.#buffer.status = extra.status;
    this.count(event);
    if (this.#scheduled === undefined) this.#schedule(lazyMs);
  }

  /** Writes what was appended soon, unless another write takes it along. */
  hurry(): void {
    if (this.#closed || this.#buffer.events.length === 0) return;
    // A write that is due soon is not postponed again.
    if (this.#dueAt <= this.#options.clock.elapsed() + soonMs) return;
    this.#scheduled?.();
    this.#schedule(soonMs);
  }

  /** Resolves when everything appended so far is committed. Rejects if that is impossible. */
  async flush(leaseMs?: number): Promise<void> {
    // Events that are appended in the same turn join this write.
    await new Promise<void>((resolve) => this.#options.clock.soon(resolve));
    while (this.#writing) await this.#writing;
    this.#requireOpen();
    if (this.#buffer.events.length === 0 && leaseMs === undefined) return;
    const write: RunWrite = { ...this.#take(), ...(leaseMs !== undefined && { leaseMs }) };
    await this.#exclusively(async (batch) => {
      const { seq } = await this.#options.store.append(this.#options.lease, batch, write);
      this.#noteSeq(seq, write.events.length);
    });
  }

  /** Resolves when nothing is left to write, including what was appended meanwhile. */
  async flushAll(): Promise<void> {
    do await this.flush();
    while (this.#buffer.events.length > 0 || this.#writing);
  }

  /** The last write: the remaining events and the end of the run. */
  async finish(ending: RunEnding): Promise<void> {
    while (this.#writing) await this.#writing;
    if (this.#buffer.ask) await this.flushAll();
    this.#requireOpen();
    const { events } = this.#take();
    await this.#exclusively(async (batch) => {
      await this.#options.store.finish(this.#options.lease, batch, {
        ...ending,
        events: [...events, ...ending.events],
      });
    });
    this.close();
  }

  /** Nothing is written from here on. Uncommitted events are dropped. */
  close(): void {
    this.#closed = true;
    this.#scheduled?.();
    this.#scheduled = undefined;
    this.#buffer = { events: [] };
  }

  #schedule(ms: number): void {
    const { clock } = this.#options;
    this.#dueAt = clock.elapsed() + ms;
    this.#scheduled = clock.after(ms, () => this.flush().catch(() => {}));
  }

  #take(): Buffered {
    this.#scheduled?.();
    this.#scheduled = undefined;
    this.#dueAt = Number.POSITIVE_INFINITY;
    const taken = this.#buffer;
    this.#buffer = { events: [] };
    return taken;
  }

  async #exclusively(write: (batch: number) => Promise<void>): Promise<void> {
    this.#batch += 1;
    this.#writing = this.#persist(() => write(this.#batch));
    try {
      await this.#writing;
    } finally {
      this.#writing = undefined;
    }
  }

  async #persist(write: () => Promise<void>): Promise<void> {
    try {
      await retryWhileUnavailable(write, this.#options.clock, () => this.#requireOpen());
    } catch (error) {
      const reason = toExecutorError(error);
      if (reason.code === 'leaseLost') this.close();
      this.#options.onFailed(reason);
      throw reason;
    }
  }

  #noteSeq(seq: number, written: number): void {
    if (seq === this.#seq + written) this.#seq = seq;
    else this.#options.onForeignEvents();
  }

  #requireOpen(): void {
    if (this.#closed) throw new ExecutorError('leaseLost', 'This process does not hold the run any more.');
  }
}

/** The approximate size in bytes: long fields are counted, the others are estimated. */
function sizeOf(event: JournalEvent): number {
  return 150 + longParts(event).reduce((sum, text) => sum + (text ? Buffer.byteLength(text) : 0), 0);
}

function longParts(event: JournalEvent): (string | undefined)[] {
  switch (event.type) {
    case 'call.requested':
      return [event.path, event.input];
    case 'call.completed': {
      const { result } = event;
      return result.type === 'value' ? [result.json] : [result.message, result.details];
    }
    case 'interaction.requested':
      return [event.prompt];
    case 'interaction.resolved':
      return [event.reason, event.data === undefined ? undefined : JSON.stringify(event.data)];
    case 'log':
      return [event.text];
    default:
      return [];
  }
}
