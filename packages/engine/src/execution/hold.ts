import { setMaxListeners } from 'node:events';
import { ExecutorError } from '@executor/protocol';
import type { ExecutionRow, Lease, Leased } from '../ports/execution-store.ts';
import type { JournalEvent } from '../ports/journal-event.ts';
import type { LogLine } from '../ports/sandbox.ts';
import { Journal } from './journal.ts';
import { Outstanding } from './outstanding.ts';
import { persist } from './persist.ts';
import type { RunDependencies } from './run-dependencies.ts';
import { emptyState, type RunState, record } from './run-state.ts';

/** How a run left this process. */
export type RunExit =
  | { type: 'finished'; execution: ExecutionRow; logs: LogLine[] }
  /** It waits, and whoever is free goes on with it. */
  | { type: 'released'; wakeAt: number | undefined }
  /** Somebody else has it. */
  | { type: 'lost' };

/** What this process has of a run while it holds it. Once there is an `exit`, nothing of it counts any more. */
export class Hold {
  readonly execution: ExecutionRow;
  readonly lease: Lease;
  readonly journal: Journal;
  readonly outstanding: Outstanding;
  readonly state: RunState = emptyState();
  readonly #deps: RunDependencies;
  readonly #end = new AbortController();
  exit: RunExit | undefined;
  /** This process has to end: nothing is begun any more that only a person could clear up afterwards. */
  leaving = false;
  /** Why it cannot go on, where that is not the code's doing. */
  failure: ExecutorError | undefined;

  constructor({ execution, epoch }: Leased, owner: string, deps: RunDependencies, onForeign: () => void) {
    this.execution = execution;
    this.lease = { id: execution.id, owner, epoch };
    this.#deps = deps;
    this.outstanding = new Outstanding(deps.clock);
    // Every call listens to it, and there may be thousands at once.
    setMaxListeners(0, this.#end.signal);
    this.journal = new Journal({
      store: deps.store.executions,
      lease: this.lease,
      seq: execution.lastSeq,
      clock: deps.clock,
      onLost: (error) => this.lose(error),
      onForeign,
    });
  }

  /** Ends with the run, as far as this process is concerned. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  get isGoing(): boolean {
    return this.exit === undefined && !this.signal.aborted;
  }

  end(): void {
    this.#end.abort();
  }

  record(event: JournalEvent, extra?: Parameters<Journal['append']>[1]): void {
    if (this.exit) return;
    record(this.state, event);
    this.journal.append(event, extra);
  }

  lose(error: ExecutorError): void {
    if (this.exit) return;
    if (error.code === 'leaseLost') {
      this.exit = { type: 'lost' };
      this.journal.close();
    } else this.failure = error;
    this.end();
  }

  /** Something went wrong that is not the code's doing. */
  break(error: unknown): void {
    if (!this.isGoing) return;
    if (error instanceof ExecutorError && error.code === 'leaseLost') {
      this.lose(error);
      return;
    }
    this.failure ??= error instanceof ExecutorError ? error : internalError(error);
    this.end();
  }

  /** A database that is away for a while is no reason for a run to fail: it is asked again until the run has left this process. */
  patiently<Result>(work: () => Promise<Result>): Promise<Result> {
    return persist(work, this.#deps.clock, () => {
      if (this.exit) throw new ExecutorError('leaseLost', 'This process does not hold the run any more.');
    });
  }

  requireRoom(): void {
    const { maxJournalBytes } = this.#deps;
    if (this.journal.bytes <= maxJournalBytes) return;
    throw new ExecutorError(
      'payloadTooLarge',
      `The run's journal has more than the ${maxJournalBytes} bytes that a run may have.`,
    );
  }

  now(): number {
    return this.#deps.clock.now().getTime();
  }
}

export function internalError(cause: unknown): ExecutorError {
  const sentence = 'Something went wrong inside Executor; its log has the details.';
  return new ExecutorError('internal', sentence, { cause });
}
