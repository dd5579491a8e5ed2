import { ExecutorError, toExecutorError } from '@executor/protocol';
import type { Clock } from '../clock.ts';
import type { ExecutionStore, Lease, RunEnding, RunWrite } from '../ports/execution-store.ts';
import type { JournalEvent, NewEvent } from '../ports/journal-event.ts';
import { persist } from './persist.ts';

interface JournalOptions {
  store: Pick<ExecutionStore, 'append' | 'finish'>;
  lease: Lease;
  /** The number of the last event that is known. */
  seq: number;
  clock: Clock;
  /** Another worker has the run, or it has ended (`leaseLost`), or something that was to be written never can be. */
  onLost(error: ExecutorError): void;
  /** Others wrote events that this process has not seen. */
  onForeign(): void;
}

interface Extra {
  ask?: RunWrite['ask'];
  settle?: RunWrite['settle'];
  status?: RunWrite['status'];
}

type Buffered = { events: NewEvent[] } & Extra;

/** How long entries that nothing waits for may stay in memory; and those that should not be lost, which the end of the run may take along. */
const lazyMs = 15;
const soonMs = 2;

/**
 * The one writer of a held run's journal. Entries are written in the order in which they are appended, many at once where they come
 * fast; `flush` is the barrier that must be passed before anything that cannot be undone. While the database is away it is asked again,
 * with the same batch number, for as long as it takes.
 */
export class Journal {
  readonly #options: JournalOptions;
  #buffer: Buffered = { events: [] };
  #batch = 0;
  /** Up to where the journal is known to this process, without gaps. */
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

  /** The reader has seen everything up to here. */
  readUpTo(seq: number): void {
    this.#seq = Math.max(this.#seq, seq);
  }

  /** Takes into account an entry that is there already. */
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

  /** What was appended is worth a write of its own, unless another one comes in this moment. */
  hurry(): void {
    if (this.#closed || this.#buffer.events.length === 0) return;
    // Others may keep coming: what is due is not put off again.
    if (this.#dueAt <= this.#options.clock.elapsed() + soonMs) return;
    this.#scheduled?.();
    this.#schedule(soonMs);
  }

  /** Resolves when everything that was appended until now is committed; rejects when that can never be. */
  async flush(leaseMs?: number): Promise<void> {
    // What is appended in the same breath goes along.
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

  /** Resolves when nothing is left to be written, also of what was appended meanwhile. */
  async flushAll(): Promise<void> {
    do await this.flush();
    while (this.#buffer.events.length > 0 || this.#writing);
  }

  /** The last write: what is left of the journal, and how the run ended. */
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

  /** From here on nothing is written; what was not committed is forgotten. */
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
      await persist(write, this.#options.clock, () => this.#requireOpen());
    } catch (error) {
      const reason = toExecutorError(error);
      if (reason.code === 'leaseLost') this.close();
      this.#options.onLost(reason);
      throw reason;
    }
  }

  #noteSeq(seq: number, written: number): void {
    if (seq === this.#seq + written) this.#seq = seq;
    else this.#options.onForeign();
  }

  #requireOpen(): void {
    if (this.#closed) throw new ExecutorError('leaseLost', 'This process does not hold the run any more.');
  }
}

/** About, in bytes: what can be long is counted, the rest is taken for a few. */
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
