/**
 * # How a run is executed, released and rebuilt
 *
 * **The journal is the truth.** It is a list of events (`journal-event.ts`), numbered by the database. `run-state.ts` folds it into what a
 * run needs to continue. The worker that holds the run writes all events except two: an answer of a reviewer (`interaction.resolved`) and
 * the request to cancel (`execution.cancelRequested`). Any process appends those. Notices between processes only say that there may be
 * something to read, so a lost notice costs time and nothing else.
 *
 * **Replay.** The sandbox is deterministic: program, seed, epoch and the ordered results of calls decide everything the code does. A run is
 * rebuilt by running its code again with the results in the journal. Hence:
 * 1. Results are journaled in the order in which the code gets them (`RunCalls`).
 * 2. What the code has seen is committed before anything that cannot be undone: before a call that must not be repeated is sent, before a
 *    reviewer is asked, and before the result is published. `Journal.flush` is that barrier.
 * 3. A call that must not be repeated is journaled as `call.dispatched` before it is sent. If its result is missing after a rebuild, a
 *    reviewer decides what to do (`reconcile-call.ts`).
 *
 * **Leases.** A process holds a run under a lease with an owner, an epoch and an end. The worker's heartbeat renews it.
 * 1. Every write carries the epoch of the lease and the number of its batch. The database rejects writes with an old epoch (`leaseLost`)
 *    and recognises a repeated batch.
 * 2. A call that must not be repeated is sent only if the lease outlasts its timeout. So nobody else can start it while it is in flight.
 * 3. A process that has lost the lease writes nothing and delivers nothing. One exception: calls that were sent before the code ended, or
 *    before the key of the run was revoked, go on, and their outcomes are appended to the ended run (`appendOutcome`).
 * 4. A lease that expires while the run executes makes the run a suspect: it may have ended the process (`worker/probation.ts`).
 *
 * **Release.** A run that only waits for reviewers or timers is released: it leaves memory, and any worker rebuilds it when there is
 * something to do. The database accepts a release only if this process has read every event. While the database decides, results and
 * events of others wait at the gate; they pass when the release was refused, and are dropped when it was accepted.
 *
 * **Draining.** A result is fixed when the code returns. The run ends when the calls that the code did not await have settled: the sandbox
 * knows which ones, because it follows races and timers. The results of these calls are journaled and delivered like all others, so a run
 * is rebuilt in the middle of draining like at any other time. A run whose program has no `drains` ends when its code returns.
 * 1. A call that the code gave up before it was sent is withdrawn with its questions (`call.withdrawn`), and never sent by a rebuilt run.
 * 2. A call that was sent and may have an effect goes on when the code ends, and its outcome is appended to the ended run.
 *
 * **The gate** (`run-gate.ts`) is the one state of a held run:
 *
 *     open ──────────── release() ──▶ releasing ── accepted ──▶ exited (released)
 *      │                                  └─────── refused ───▶ open or leaving
 *      ├── leave() ──▶ leaving ── abandon() ──▶ abandoning ──▶ exited (released or lost)
 *      ├── end of the code, cancellation, failure ──▶ stopped ──▶ exited (finished)
 *      └── lease lost ──▶ exited (lost)
 *
 * **An answer reaches its call in two steps**: `JournalReader` applies the event to `PendingCalls`, which resolves the promise that the call
 * awaits.
 */
import { ExecutorError } from '@executor/protocol';
import type { Lease, Leased } from '../../ports/execution-store.ts';
import { type LogLine, noUsage, type SandboxHooks, type SandboxOutcome } from '../../ports/sandbox.ts';
import { executorItself } from '../../resource/account.ts';
import { chargeTo } from '../../resource/charge.ts';
import { RunCalls } from '../call/run-calls.ts';
import { advised } from '../hints/run-hints.ts';
import { CondemnedRun } from './condemned-run.ts';
import { HeldRun, internalError } from './held-run.ts';
import { IdleWatch } from './idle-watch.ts';
import { JournalReader, journalPage } from './journal-reader.ts';
import type { RunDependencies } from './run-dependencies.ts';
import { endingOf, isLimit } from './run-ending.ts';
import type { RunExit } from './run-gate.ts';
import { record } from './run-state.ts';
import { laterRequest } from './sandbox-request.ts';

/** One run that this process holds under a lease. */
export class Run {
  readonly #deps: RunDependencies;
  readonly #held: HeldRun;
  readonly #idle: IdleWatch;
  readonly #reader: JournalReader;
  readonly #calls: RunCalls;
  readonly #condemned: CondemnedRun | undefined;
  readonly #logs: LogLine[] = [];
  #settled: Promise<void> = Promise.resolve();

  constructor(leased: Leased, owner: string, deps: RunDependencies) {
    this.#deps = deps;
    this.#held = new HeldRun(leased, owner, deps, () => this.readJournal());
    this.#reader = new JournalReader(this.#held, deps);
    this.#idle = new IdleWatch(this.#held, {
      clock: deps.clock,
      evictAfterMs: deps.evictAfterMs,
      onIdle: () => deps.onIdle?.(),
      onBusy: () => deps.onBusy?.(),
      onEvict: () => void this.release(),
    });
    this.#calls = new RunCalls({ held: this.#held, idle: this.#idle, reader: this.#reader, deps });
    if ((leased.losses?.alone ?? 0) >= maxLoneLosses)
      this.#condemned = new CondemnedRun(this.#held, this.#calls, this.#reader);
  }

  get id(): string {
    return this.#held.lease.id;
  }

  get lease(): Lease {
    return this.#held.lease;
  }

  /** Whether it is idle but cannot be released. Such a run does not count against the worker's concurrency. */
  get isPinned(): boolean {
    return this.#idle.isPinned;
  }

  /** Executes the run until it has ended, was released, or was lost. */
  async execute(): Promise<RunExit> {
    const { gate, journal, state, pending } = this.#held;
    try {
      await this.#rebuild();
      this.#reader.start();
      if (state.cancelRequested) gate.stop();
      if (this.#condemned) await this.#condemn(this.#condemned);
      else await this.#runCode();
    } catch (error) {
      if (gate.isHeld && !isLeaseLost(error)) await this.#failInternally(error);
    } finally {
      journal.close();
      this.#held.history.release();
      pending.clear();
      this.#idle.cancelTimer();
      gate.close({ type: 'lost' });
      this.#settled = this.#recordSent();
      // An ended run is published at once.
      if (gate.exit?.type !== 'finished') await this.#settled;
    }
    return gate.exit ?? { type: 'lost' };
  }

  /** Resolves when nothing of the run is left in this process. Calls that were sent may go on after the run has ended. */
  get settled(): Promise<void> {
    return this.#settled;
  }

  async #recordSent(): Promise<void> {
    await this.#calls.recordSent();
    this.#held.gate.drop();
    this.#calls.close();
  }

  /** Other processes may have appended events. */
  readJournal(): void {
    this.#reader.read();
  }

  /** Another worker has the lease. */
  lose(): void {
    this.#held.lose();
  }

  /** Releases the run if it is idle. It is rebuilt when there is something to do. */
  async release(): Promise<void> {
    if (this.#idle.isReleasable) await this.#held.gate.release(() => this.#release());
  }

  /**
   * Gives the run up because this process has to end. Calls that are safe to repeat are repeated elsewhere. While another call may still
   * arrive at its destination, the run stays leased until the lease ends, so that nobody is asked about it too early.
   */
  abandon(): Promise<void> {
    if (!this.#held.gate.isHeld) this.#held.gate.drop();
    return this.#held.gate.abandon(() => this.#abandon());
  }

  /**
   * Starts no more calls that must not be repeated, and gives the run up if none is in flight. The worker calls this repeatedly, because
   * those in flight still journal their results.
   */
  leave(): void {
    this.#held.gate.leave();
    if (this.#calls.uncertain.length === 0) void this.abandon();
  }

  /** The tools of the calls in flight that must not be repeated. */
  get uncertainCalls(): string[] {
    return this.#calls.uncertain.map(({ path }) => path);
  }

  async #release(): Promise<void> {
    const { gate, journal, pending } = this.#held;
    let unread = false;
    try {
      this.#idle.announce();
      await journal.flushAll();
      // A call may have continued meanwhile, and may wait again with another question.
      if (this.#idle.isReleasable) unread = !(await this.#giveBack('waiting', pending.nextTime()));
    } catch (error) {
      // If the database is unavailable, this process keeps the run.
      if (isLeaseLost(error)) this.#held.lose();
    }
    // Runs when the gate opens again, and never if the run was released.
    gate.pass(() => {
      if (unread) this.#reader.read();
      else this.#reader.readIfRequested();
      this.#idle.check();
    });
  }

  async #abandon(): Promise<void> {
    const { gate, journal } = this.#held;
    await journal.flushAll().catch(() => {});
    if (!gate.isHeld) return;
    const { store } = this.#deps;
    const isUncertain = this.#calls.uncertain.length > 0;
    // This process ends in good order, so nobody is to blame for the lease that it leaves behind.
    await (isUncertain ? store.executions.excuseLoss(this.lease) : this.#giveBack('queued', undefined)).catch(
      () => {},
    );
  }

  /** False if other processes appended events that were not read yet. */
  async #giveBack(status: 'waiting' | 'queued', wakeAt: number | undefined): Promise<boolean> {
    const { lease, journal, gate } = this.#held;
    const released = await this.#deps.store.executions.release(lease, {
      status,
      knownSeq: journal.seq,
      ...(wakeAt !== undefined && {
        wakeAt: new Date(wakeAt),
        wakeInMs: Math.max(0, wakeAt - this.#held.now()),
      }),
    });
    if (released === 'released') gate.close({ type: 'released', wakeAt });
    return released === 'released';
  }

  async #rebuild(): Promise<void> {
    const { lease, state, journal, history, gate } = this.#held;
    if (lease.epoch === 1) return;
    for (let seq = 0, reserved = false; ; ) {
      const page = { afterSeq: seq, ...journalPage };
      const { events, hasMore } = await this.#deps.store.executions.eventPage(this.id, page);
      for (const event of events) {
        record(state, event);
        // `execution.waiting` has the sum until then.
        if (event.type === 'call.completed') state.cpuMs += event.cpuMs ?? 0;
        journal.count(event);
        this.#condemned?.read(event);
      }
      this.#held.requireJournalSpace();
      seq = events.at(-1)?.seq ?? seq;
      if (!hasMore) {
        history.settle(journal.bytes);
        return journal.readUpTo(seq);
      }
      if (!reserved) await history.reserve(this.#deps.maxJournalBytes, gate.signal);
      reserved = true;
    }
  }

  /** Ends the run without executing it, or lets it wait until a reviewer has decided about its unfinished calls. */
  async #condemn(condemned: CondemnedRun): Promise<void> {
    const { gate, state } = this.#held;
    if (gate.isActive && (await condemned.asks()) && gate.isActive) {
      await condemned.wait((status, wakeAt) => this.#giveBack(status, wakeAt));
    }
    if (!gate.isHeld) return;
    const { failure } = gate;
    gate.stop();
    const isCancelled = state.cancelRequested || failure !== undefined;
    await this.#end(isCancelled ? { type: 'cancelled', usage: noUsage } : condemned.outcome, failure);
  }

  async #runCode(): Promise<void> {
    const { sandbox, workerId, headStart } = this.#deps;
    const { execution, state, lease, gate } = this.#held;
    const request = laterRequest(execution, state);
    this.#held.record({ type: 'execution.started', workerId, epoch: lease.epoch, build: sandbox.build });
    const hooks: SandboxHooks = {
      onCall: (call, complete) => this.#calls.start(call, complete),
      onDeliver: ({ index }) => this.#calls.delivered(index),
      onAbandon: (index) => this.#calls.abandon(index),
      onReturn: () => {
        if (!state.returned) this.#held.record({ type: 'execution.returned' });
      },
      onRest: (usage) => this.#idle.codeWaits(usage),
      onLog: (line) => this.#log(line),
    };
    const outcome = await (headStart?.resume(hooks, gate.signal) ?? sandbox.run(request, hooks, gate.signal));
    if (gate.isHeld) await this.#finish(outcome);
  }

  async #finish(outcome: SandboxOutcome): Promise<void> {
    const { gate, state } = this.#held;
    const { failure } = gate;
    if (outcome.type === 'cancelled' && !state.cancelRequested && !failure) {
      // The process is ending. The next holder finds the progress in the journal.
      gate.close({ type: 'lost' });
      return;
    }
    if (failure) this.#reportFailure(failure);
    if (outcome.type === 'cancelled') gate.stop();
    else gate.end();
    await this.#end(outcome, failure);
  }

  async #failInternally(error: unknown): Promise<void> {
    this.#reportFailure(error);
    if (error instanceof ExecutorError && error.code === 'databaseUnavailable') return;
    const isOwn = error instanceof ExecutorError && isLimit(error.code);
    const failure = isOwn ? error : internalError(error);
    await this.#end({ type: 'cancelled', usage: noUsage }, failure).catch(() => {});
  }

  #reportFailure(error: unknown): void {
    this.#deps.onProblem('a run failed inside Executor', { executionId: this.id, error });
  }

  async #end(ended: SandboxOutcome, failure: ExecutorError | undefined): Promise<void> {
    const { account, execution, state, journal, gate } = this.#held;
    const { artifacts, clock, jsonReader } = this.#deps;
    const hasLogs = state.logLines > 0;
    const { outcome, hints } = await advised(ended, { code: execution.code, state, hasLogs, jsonReader });
    const cpuMs = outcome.usage.cpuMs + state.cpuMs;
    const ending = await endingOf(
      outcome,
      { execution, cpuMs, failure, hints },
      {
        ...{ clock, jsonReader },
        artifacts: { put: (...artifact) => this.#held.withRetry(() => artifacts.put(...artifact)) },
      },
    );
    // A cancellation does not wait for the writes of the other runs of its owner.
    await chargeTo(state.cancelRequested ? executorItself : account, () => journal.finish(ending));
    const { events: _, ...end } = ending;
    const unawaited = outcome.type === 'returned' ? outcome.unawaited : undefined;
    gate.close({ type: 'finished', execution: { ...execution, ...end }, logs: this.#logs, unawaited, hints });
  }

  #log(line: LogLine): void {
    if (line.index < this.#held.state.logLines) return;
    this.#logs.push(line);
    const { index, level, text, at: loggedAt } = line;
    this.#held.record({ type: 'log', index, level, text, loggedAt });
  }
}

function isLeaseLost(error: unknown): boolean {
  return error instanceof ExecutorError && error.code === 'leaseLost';
}

/** A run that was executing alone in so many processes when they died is not executed again. */
const maxLoneLosses = 2;
