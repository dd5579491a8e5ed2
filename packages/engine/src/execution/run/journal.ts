import { ExecutorError, toExecutorError } from '@executor/protocol';
import type { Clock } from '../../clock.ts';
import type { ExecutionStore, Lease, RunEnding, RunWrite } from '../../ports/execution-store.ts';
import type { JournalEvent, NewEvent } from '../../ports/journal-event.ts';
import type { StoredLimit } from '../../ports/usage-store.ts';
import { retryWhileUnavailable } from './retry.ts';

interface JournalOptions {
  store: Pick<ExecutionStore, 'append' | 'finish' | 'appendOutcome'>;
  lease: Lease;
  /** The number of the last event that is known. */
  seq: number;
  clock: Clock;
  /** How much the owner of the run may store. Undefined if that is not limited. */
  limit?: StoredLimit | undefined;
  /** Whether outcomes that come after the end of the run are not waited for any more. */
  isDropped?(): boolean;
  /** The lease is lost (`leaseLost`), or the database rejected a write for good. */
  onFailed(error: ExecutorError): void;
  /** Other processes appended events that this one has not read. */
  onForeignEvents(): void;
  /** The owner was charged with what this process wrote. */
  onCharged?(isOverLimit: boolean): void;
}

interface Extra {
  ask?: RunWrite['ask'];
  settle?: RunWrite['settle'];
  audit?: RunWrite['audit'];
  status?: RunWrite['status'];
}

type Outcome = Extract<JournalEvent, { type: 'call.completed' }>;

interface Entry {
  event: NewEvent;
  extra: Extra;
  bytes: number;
}

/** Maximum size of the journal of a run. */
export const maxJournalBytes = 64 * 1024 * 1024;

/** How long events may stay in memory if nothing waits for them, and how long if they should not be lost. */
const lazyMs = 15;
const soonMs = 2;
/** A statement exists several times in memory while the database works on it. One event may be larger. */
const maxBatchBytes = 4 * 1024 * 1024;
/** How much is written before the owner is charged with it. Charging each write would make the runs of one owner wait for each other. */
const chargeBytes = 64 * 1024;
/** The same for the last write before a run is released. Many waiting runs could keep much that is not charged. */
const lastChargeBytes = 2 * 1024;

/**
 * The only writer of a held run's journal. Events are written in the order in which they are appended, in batches. `flush` is the barrier
 * before anything that cannot be undone. While the database is unavailable, the same batch is retried under the same number.
 */
export class Journal {
  readonly #options: JournalOptions;
  #buffer: Entry[] = [];
  /** What the write in progress contains. */
  #taken: NewEvent[] = [];
  #unwritten: NewEvent[] = [];
  #outcomes: Promise<void> = Promise.resolve();
  #batch = 0;
  /** This process knows all events up to this number. */
  #seq: number;
  #writing: Promise<void> | undefined;
  #scheduled: (() => void) | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #closed = false;
  #appended = 0;
  #committed = 0;
  #waiting: { for: number; resolve(): void }[] = [];
  bytes = 0;
  #chargedBytes = 0;

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
    this.#chargedBytes = this.bytes;
  }

  append(event: JournalEvent, extra: Extra = {}): void {
    if (this.#closed) return;
    const bytes = sizeOf(event);
    this.#buffer.push({ event: { ...event, at: this.#options.clock.now() }, extra, bytes });
    this.#appended += 1;
    this.bytes += bytes;
    if (this.#scheduled === undefined) this.#schedule(lazyMs);
  }

  /** Resolves when everything appended so far is committed or dropped. Unlike `flush`, it writes nothing earlier. */
  written(): Promise<void> {
    if (this.#closed || this.#committed === this.#appended) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ for: this.#appended, resolve }));
  }

  /** Writes what was appended soon, unless another write takes it along. */
  hurry(): void {
    if (this.#closed || this.#buffer.length === 0) return;
    // A write that is due soon is not postponed again.
    if (this.#dueAt <= this.#options.clock.elapsed() + soonMs) return;
    this.#scheduled?.();
    this.#schedule(soonMs);
  }

  /** Resolves when everything appended so far is committed. Rejects if that is impossible. */
  async flush(leaseMs?: number, minCharge = chargeBytes): Promise<void> {
    // Events that are appended in the same turn join this write.
    await new Promise<void>((resolve) => this.#options.clock.soon(resolve));
    const target = this.#appended;
    for (let isExtended = leaseMs === undefined; ; isExtended = true) {
      while (this.#writing) await this.#writing;
      this.#requireOpen();
      if (this.#committed >= target && isExtended) return;
      await this.#writeBatch({
        ...this.#take(),
        ...(leaseMs !== undefined && { leaseMs }),
        ...this.#charge(minCharge),
      });
    }
  }

  async #writeBatch(write: RunWrite): Promise<void> {
    await this.#exclusively(async (batch) => {
      const { seq, isOverLimit } = await this.#options.store.append(this.#options.lease, batch, write);
      this.#noteSeq(seq, write.events.length);
      if (isOverLimit !== undefined) this.#options.onCharged?.(isOverLimit);
    });
    this.#noteWritten(write.events.length);
  }

  /** Resolves when nothing is left to write, including what was appended meanwhile. */
  async flushAll(): Promise<void> {
    do await this.flush(undefined, lastChargeBytes);
    while (this.#buffer.length > 0 || this.#writing);
  }

  /** The last write: the remaining events and the end of the run. */
  async finish(ending: RunEnding): Promise<void> {
    while (this.#writing) await this.#writing;
    if (this.#mustFlushBeforeEnd()) await this.flushAll();
    this.#requireOpen();
    const { events } = this.#take();
    await this.#exclusively(async (batch) => {
      await this.#options.store.finish(this.#options.lease, batch, {
        ...ending,
        events: [...events, ...ending.events],
      });
    });
    this.#taken = [];
    this.close();
  }

  /** What was not known to be committed when the journal was closed. */
  get unwritten(): readonly NewEvent[] {
    return this.#unwritten;
  }

  /** How a call ended that was sent before the key of the run was revoked. Other ends are rejected by the database. */
  appendOutcome(event: Outcome): Promise<void> {
    const { store, lease, clock, isDropped } = this.#options;
    const outcome = { ...event, at: clock.now() };
    this.#outcomes = this.#outcomes.then(async () => {
      while (this.#writing) await this.#writing.catch(() => {});
      this.#batch += 1;
      const batch = this.#batch;
      let isFirst = true;
      await retryWhileUnavailable(
        () => store.appendOutcome(lease, batch, outcome),
        clock,
        () => {
          if (!isFirst && isDropped?.()) throw new ExecutorError('leaseLost', 'The process ends.');
          isFirst = false;
        },
      ).catch(() => {});
    });
    return this.#outcomes;
  }

  /** Nothing but outcomes is written from here on. Uncommitted events are dropped. */
  close(): void {
    if (!this.#closed) this.#unwritten = [...this.#taken, ...this.#buffer.map(({ event }) => event)];
    this.#closed = true;
    this.#scheduled?.();
    this.#scheduled = undefined;
    this.#buffer = [];
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  /** The last write opens no questions and has no entries of the audit. */
  #mustFlushBeforeEnd(): boolean {
    const bytes = this.#buffer.reduce((sum, entry) => sum + entry.bytes, 0);
    return (
      bytes > maxBatchBytes ||
      this.#buffer.some(({ extra }) => extra.ask !== undefined || extra.audit !== undefined)
    );
  }

  #schedule(ms: number): void {
    const { clock } = this.#options;
    this.#dueAt = clock.elapsed() + ms;
    this.#scheduled = clock.after(ms, () => this.flush().catch(() => {}));
  }

  #charge(minBytes: number): Pick<RunWrite, 'charge'> {
    const { limit } = this.#options;
    if (limit === undefined || this.bytes - this.#chargedBytes < minBytes) return {};
    this.#chargedBytes = this.bytes;
    return { charge: limit };
  }

  /** The next batch. What does not fit is written after it. */
  #take(): RunWrite {
    this.#scheduled?.();
    this.#scheduled = undefined;
    this.#dueAt = Number.POSITIVE_INFINITY;
    const taken = this.#buffer.splice(0, this.#batchLength());
    if (this.#buffer.length > 0) this.#schedule(soonMs);
    this.#taken = taken.map(({ event }) => event);
    const ask = taken.flatMap(({ extra }) => extra.ask ?? []);
    const audit = taken.flatMap(({ extra }) => extra.audit ?? []);
    const settle = taken.flatMap(({ extra }) => extra.settle ?? []);
    const status = taken.findLast(({ extra }) => extra.status)?.extra.status;
    return {
      events: this.#taken,
      ...(ask.length > 0 && { ask }),
      ...(audit.length > 0 && { audit }),
      ...(settle.length > 0 && { settle }),
      ...(status && { status }),
    };
  }

  #batchLength(): number {
    let bytes = 0;
    const tooMany = this.#buffer.findIndex((entry, index) => {
      bytes += entry.bytes;
      return index > 0 && bytes > maxBatchBytes;
    });
    return tooMany < 0 ? this.#buffer.length : tooMany;
  }

  #noteWritten(events: number): void {
    this.#committed += events;
    this.#taken = [];
    while ((this.#waiting[0]?.for ?? Number.POSITIVE_INFINITY) <= this.#committed)
      this.#waiting.shift()?.resolve();
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
      return [event.prompt, event.state];
    case 'interaction.resolved':
      return [event.reason, event.data === undefined ? undefined : JSON.stringify(event.data)];
    case 'log':
    case 'call.log':
      return [event.text];
    case 'call.progress':
      return [event.message];
    default:
      return [];
  }
}
