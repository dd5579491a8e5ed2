import { ExecutorError } from '@executor/protocol';
import type { ExecutionRow, Lease, Leased } from '../../ports/execution-store.ts';
import type { JournalEvent } from '../../ports/journal-event.ts';
import { Journal } from './journal.ts';
import { PendingCalls } from './pending-calls.ts';
import { retryWhileUnavailable } from './retry.ts';
import type { RunDependencies } from './run-dependencies.ts';
import { RunGate } from './run-gate.ts';
import { emptyState, type RunState, record } from './run-state.ts';

/** Everything that this process has of a run while it holds the lease. */
export class HeldRun {
  readonly execution: ExecutionRow;
  readonly lease: Lease;
  readonly journal: Journal;
  readonly pending: PendingCalls;
  readonly gate = new RunGate();
  readonly state: RunState = emptyState();
  readonly #deps: RunDependencies;

  constructor(
    { execution, epoch }: Leased,
    owner: string,
    deps: RunDependencies,
    onForeignEvents: () => void,
  ) {
    this.execution = execution;
    this.lease = { id: execution.id, owner, epoch };
    this.#deps = deps;
    this.pending = new PendingCalls(deps.clock);
    this.journal = new Journal({
      store: deps.store.executions,
      lease: this.lease,
      seq: execution.lastSeq,
      clock: deps.clock,
      onFailed: (error) => (error.code === 'leaseLost' ? this.lose() : this.gate.stop(error)),
      onForeignEvents,
    });
  }

  /** Appends an event to the journal and folds it into the state. */
  record(event: JournalEvent, extra?: Parameters<Journal['append']>[1]): void {
    if (!this.gate.isHeld) return;
    record(this.state, event);
    this.journal.append(event, extra);
  }

  /** Another worker holds the run. */
  lose(): void {
    this.gate.close({ type: 'lost' });
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

  requireJournalSpace(): void {
    const { maxJournalBytes } = this.#deps;
    if (this.journal.bytes <= maxJournalBytes) return;
    throw new ExecutorError(
      'payloadTooLarge',
      `The run's journal exceeds its limit of ${maxJournalBytes} bytes.`,
    );
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
