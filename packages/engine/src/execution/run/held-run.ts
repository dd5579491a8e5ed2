import { ExecutorError } from '@executor/protocol';
import type { ExecutionRow, Lease, Leased } from '../../ports/execution-store.ts';
import type { JournalEvent } from '../../ports/journal-event.ts';
import { type Account, accountOfRun } from '../../resource/account.ts';
import { smallAnswerBytes } from '../../resource/answer-room.ts';
import { HistoryRoom } from '../../resource/history-room.ts';
import { Journal } from './journal.ts';
import { PendingCalls } from './pending-calls.ts';
import { retryWhileUnavailable } from './retry.ts';
import type { RunDependencies } from './run-dependencies.ts';
import { RunGate } from './run-gate.ts';
import { emptyState, type RunState, record } from './run-state.ts';

/** How much a run may still write when its owner has no room. */
const maxBytesWhenFull = 1024 * 1024;
/** How far above the limit all runs of the owner that write are stopped: a tenth of the limit, and what one call may add. */
const farOver = { part: 1.1, bytes: 8 * 1024 * 1024 };

function isFarOver(error: unknown): boolean {
  const { used = 0, perKey } = ((error as ExecutorError).details ?? {}) as { used?: number; perKey?: number };
  return perKey !== undefined && used > perKey * farOver.part + farOver.bytes;
}

/** Everything that this process has of a run while it holds the lease. */
export class HeldRun {
  readonly execution: ExecutionRow;
  readonly lease: Lease;
  readonly journal: Journal;
  readonly pending: PendingCalls;
  readonly history: HistoryRoom;
  readonly gate = new RunGate();
  readonly state: RunState = emptyState();
  readonly account: Account;
  readonly #deps: RunDependencies;
  /** The size of the journal when its owner had no room any more. */
  #fullAt: number | undefined;

  constructor(
    { execution, epoch }: Leased,
    owner: string,
    deps: RunDependencies,
    onForeignEvents: () => void,
  ) {
    this.execution = execution;
    this.lease = { id: execution.id, owner, epoch };
    this.#deps = deps;
    this.account = accountOfRun(execution);
    this.pending = new PendingCalls(deps.clock);
    this.history = new HistoryRoom(deps.memory.historyBytes, this.account);
    this.journal = new Journal({
      store: deps.store.executions,
      lease: this.lease,
      seq: execution.lastSeq,
      clock: deps.clock,
      isDropped: () => this.gate.sentSignal.aborted,
      onFailed: (error) => (error.code === 'leaseLost' ? this.lose() : this.gate.stop(error)),
      onForeignEvents,
      limit: deps.quotas.limitFor(this.account, 'storedBytes'),
      onCharged: (isOverLimit) => this.#noteCharge(isOverLimit),
    });
  }

  /** Appends an event to the journal and folds it into the state. */
  record(event: JournalEvent, extra?: Parameters<Journal['append']>[1]): void {
    if (!this.gate.isHeld) return;
    record(this.state, event);
    this.journal.append(event, extra);
  }

  /** Another worker holds the run. This process is alive, so the run is not to blame for the lost lease. */
  lose(): void {
    if (this.gate.isHeld) this.#deps.store.executions.clearLosses(this.lease).catch(() => {});
    this.gate.lose();
    this.journal.close();
  }

  /** Stops the run because of an error that its code did not cause. */
  fail(error: unknown): void {
    if (!this.gate.isActive) return;
    if (error instanceof ExecutorError && error.code === 'leaseLost') this.lose();
    else this.gate.stop(error instanceof ExecutorError ? error : internalError(error));
  }

  /** Retries while the database is unavailable, until the run has left this process. */
  withRetry<Result>(work: () => Promise<Result>): Promise<Result> {
    return retryWhileUnavailable(work, this.#deps.clock, () => {
      if (!this.gate.isHeld)
        throw new ExecutorError('leaseLost', 'This process does not hold the run any more.');
    });
  }

  /** The largest result that the journal still takes. A part of it is left for what follows. */
  get journalSpace(): number {
    const { maxJournalBytes } = this.#deps;
    return Math.max(smallAnswerBytes, (7 / 8) * maxJournalBytes - this.journal.bytes);
  }

  requireJournalSpace(): void {
    const { maxJournalBytes } = this.#deps;
    if (this.journal.bytes <= maxJournalBytes) return;
    throw new ExecutorError(
      'payloadTooLarge',
      `The run's journal exceeds its limit of ${maxJournalBytes} bytes.`,
    );
  }

  /** A run whose owner has no room may handle the refusals of its calls, but not go on for long. */
  #noteCharge(isOverLimit: boolean): void {
    if (!isOverLimit) this.#fullAt = undefined;
    if (!isOverLimit || !this.gate.isActive) return;
    const { quotas } = this.#deps;
    quotas.noteOverLimit(this.account);
    this.#fullAt ??= this.journal.bytes;
    const isLong = this.journal.bytes - this.#fullAt >= maxBytesWhenFull;
    quotas.requireRoom(this.account).catch((error) => {
      if (isLong || isFarOver(error)) this.fail(error);
    });
  }

  now(): number {
    return this.#deps.clock.now().getTime();
  }
}

export function internalError(cause: unknown): ExecutorError {
  return new ExecutorError('internal', 'Something went wrong inside Executor. Its log has the details.', {
    cause,
  });
}
