import { setMaxListeners } from 'node:events';
import type { ExecutorError, UnawaitedCall } from '@executor/protocol';
import type { ExecutionRow } from '../../ports/execution-store.ts';
import type { LogLine } from '../../ports/sandbox.ts';

/** How a run left this process. */
export type RunExit =
  | {
      type: 'finished';
      execution: ExecutionRow;
      logs: LogLine[];
      unawaited?: UnawaitedCall[] | undefined;
      hints?: string[] | undefined;
    }
  /** The run waits or is queued. Any worker may continue it. */
  | { type: 'released'; wakeAt: number | undefined }
  /** This process no longer holds the run. */
  | { type: 'lost' };

/** The state of a run that this process holds. */
export type GateState =
  /** The code runs, calls are started, and their results are delivered. */
  | { type: 'open' }
  /** The process has to end. Calls that must not be repeated are no longer started; those in flight still get their results. */
  | { type: 'leaving' }
  /** The database was asked to take the run back. Results and events of others wait until it has answered, which ends `attempt`. */
  | { type: 'releasing'; next: 'open' | 'leaving'; deferred: (() => void)[]; attempt: Promise<void> }
  /** The process gives the run up, whatever the database answers. */
  | { type: 'abandoning'; attempt: Promise<void> }
  /** The code has ended or was stopped. Only the end of the run remains to be written. */
  | { type: 'stopped'; failure?: ExecutorError | undefined }
  /** This process must not write to the run any more. */
  | { type: 'exited'; exit: RunExit };

/** The one gate of a held run: every delivery, every journal read and every new call passes it. */
export class RunGate {
  readonly #stopping = new AbortController();
  readonly #dropping = new AbortController();
  #state: GateState = { type: 'open' };
  /** The code has ended by itself. Calls that were sent go on until their outcome is recorded. */
  #endedByItself = false;

  constructor() {
    // Every call listens to the signal, and there may be thousands at once.
    setMaxListeners(0, this.#stopping.signal, this.#dropping.signal);
  }

  /** Aborted when the run is stopped or has left this process. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /**
   * The same for calls that were sent and may have an effect. They go on if the run was lost or its code has ended, so that their outcome
   * can be recorded.
   */
  get sentSignal(): AbortSignal {
    return this.#dropping.signal;
  }

  get exit(): RunExit | undefined {
    return this.#state.type === 'exited' ? this.#state.exit : undefined;
  }

  /** Why the run was stopped, unless its own code or a cancellation was the reason. */
  get failure(): ExecutorError | undefined {
    return this.#state.type === 'stopped' ? this.#state.failure : undefined;
  }

  /** Whether this process may still write to the run. */
  get isHeld(): boolean {
    return this.#state.type !== 'exited';
  }

  /** Whether the code may continue in this process. */
  get isActive(): boolean {
    return !this.#stopping.signal.aborted;
  }

  /** Whether the process has to end, so that calls that must not be repeated are no longer started. */
  get isLeaving(): boolean {
    return isLeaving(this.#state);
  }

  /** Whether results may be delivered and events of others be read at this moment. */
  get isPassable(): boolean {
    return passage(this.#state) === 'now';
  }

  /** Acts now, or after a release that the database refused. Does nothing once this process gives the run up. */
  pass(act: () => void): void {
    if (this.#state.type === 'releasing') this.#state.deferred.push(act);
    else if (this.isPassable) act();
  }

  /** Holds everything back while `attempt` asks the database to take the run, and opens again if it did not. */
  async release(attempt: () => Promise<void>): Promise<void> {
    const { type } = this.#state;
    if (type !== 'open' && type !== 'leaving') return;
    const releasing = { type: 'releasing' as const, next: type, deferred: [], attempt: Promise.resolve() };
    this.#state = releasing;
    releasing.attempt = attempt().finally(() => {
      if (this.#state.type === 'releasing') this.#become({ type: this.#state.next });
    });
    await releasing.attempt;
  }

  leave(): void {
    if (this.#state.type === 'open') this.#state = { type: 'leaving' };
    else if (this.#state.type === 'releasing') this.#state.next = 'leaving';
  }

  /** Gives the run up, after a release that is in progress. Whatever `attempt` does, the run has left this process afterwards. */
  async abandon(attempt: () => Promise<void>): Promise<void> {
    if (this.#state.type === 'releasing') await this.#state.attempt;
    const { type } = this.#state;
    if (type === 'open' || type === 'leaving') {
      const abandoning = { type: 'abandoning' as const, attempt: Promise.resolve() };
      this.#state = abandoning;
      abandoning.attempt = attempt().finally(() => this.close({ type: 'lost' }));
    }
    if (this.#state.type === 'abandoning') await this.#state.attempt;
  }

  /** The code has ended by itself. */
  end(): void {
    this.#endedByItself = true;
    this.stop();
  }

  /** Stops the code. The first reason counts. */
  stop(failure?: ExecutorError): void {
    if (this.#state.type === 'stopped' || this.#state.type === 'exited') return;
    this.#become({ type: 'stopped', failure });
  }

  /** The run leaves this process. The first exit counts, except that an end that was written is always the exit. */
  close(exit: RunExit): void {
    if (this.#state.type === 'exited' && exit.type !== 'finished') return;
    this.#state = { type: 'exited', exit };
    this.#stopping.abort();
    if (!this.#endedByItself || exit.type !== 'finished') this.drop();
  }

  /** The database accepts nothing of this process any more, except how the calls in flight end. */
  lose(): void {
    if (this.#state.type === 'exited') return;
    this.#state = { type: 'exited', exit: { type: 'lost' } };
    this.#stopping.abort();
  }

  /** Ends the calls in flight. */
  drop(): void {
    this.#dropping.abort();
  }

  #become(state: GateState): void {
    const deferred = this.#state.type === 'releasing' ? this.#state.deferred : [];
    this.#state = state;
    // Before the deferred results, so that none of them reaches code that was stopped.
    if (state.type === 'stopped') {
      this.#stopping.abort();
      if (!this.#endedByItself) this.drop();
    }
    for (const act of deferred) act();
  }
}

function passage(state: GateState): 'now' | 'later' | 'never' {
  switch (state.type) {
    case 'open':
    case 'leaving':
    case 'stopped':
      return 'now';
    case 'releasing':
      return 'later';
    case 'abandoning':
    case 'exited':
      return 'never';
  }
}

function isLeaving(state: GateState): boolean {
  switch (state.type) {
    case 'leaving':
    case 'abandoning':
      return true;
    case 'releasing':
      return state.next === 'leaving';
    case 'open':
    case 'stopped':
    case 'exited':
      return false;
  }
}
