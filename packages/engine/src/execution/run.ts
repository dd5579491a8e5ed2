import { ExecutorError } from '@executor/protocol';
import type { Lease, Leased, RunEnding } from '../ports/execution-store.ts';
import type { StoredEvent } from '../ports/journal-event.ts';
import type { LogLine, SandboxHooks, SandboxOutcome, SandboxUsage } from '../ports/sandbox.ts';
import { Hold, internalError, type RunExit } from './hold.ts';
import { eventPage, News } from './news.ts';
import { Rest } from './rest.ts';
import { RunCalls } from './run-calls.ts';
import type { RunDependencies } from './run-dependencies.ts';
import { endingOf } from './run-ending.ts';
import { record } from './run-state.ts';
import { laterRequest } from './sandbox-request.ts';

/**
 * One run, held by this process under a lease.
 *
 * - What the code sees is appended to the journal in the order in which it sees it, and committed before anything that cannot be
 *   undone: a non-repeatable call, a question to a person, the result.
 * - People and other processes speak to a held run only through its journal: `nudge` says that there may be news in it.
 * - It may be dropped whenever the code rests and every outstanding call waits for a person or a time. Dropping it comes after the
 *   database has agreed that there is no news.
 */
export class Run {
  readonly #deps: RunDependencies;
  readonly #hold: Hold;
  readonly #rest: Rest;
  readonly #news: News;
  readonly #calls: RunCalls;
  readonly #logs: LogLine[] = [];
  #releasing = false;
  #abandoned: Promise<void> | undefined;
  /** What is to happen once it is known that the run was not given back. */
  #held: (() => void)[] = [];

  constructor(leased: Leased, owner: string, deps: RunDependencies) {
    this.#deps = deps;
    this.#hold = new Hold(leased, owner, deps, () => this.nudge());
    this.#rest = this.#newRest();
    this.#news = this.#newNews();
    this.#calls = new RunCalls({
      hold: this.#hold,
      rest: this.#rest,
      news: this.#news,
      deps,
      unlessReleasing: (act) => this.#unlessReleasing(act),
      onAnswered: () => this.#leaveWhenCertain(),
    });
  }

  get id(): string {
    return this.#hold.lease.id;
  }

  get lease(): Lease {
    return this.#hold.lease;
  }

  /** Whether it only waits and cannot be dropped, so that it should not count among those that a worker can hold. */
  get isPinned(): boolean {
    return this.#rest.isPinned;
  }

  /** Runs it until it has ended, was given back, or was taken away. */
  async go(): Promise<RunExit> {
    const hold = this.#hold;
    try {
      await this.#rebuild();
      this.#news.begin();
      if (hold.state.cancelRequested) hold.end();
      await this.#run();
    } catch (error) {
      if (!hold.exit && !(error instanceof ExecutorError && error.code === 'leaseLost')) {
        await this.#failInternally(error);
      }
    } finally {
      hold.journal.close();
      hold.outstanding.clear();
      this.#rest.callOff();
      hold.end();
      hold.exit ??= { type: 'lost' };
    }
    return hold.exit;
  }

  /** There may be events that others wrote. */
  nudge(): void {
    this.#news.look();
  }

  /** The lease is somebody else's. */
  lose(): void {
    this.#hold.lose(new ExecutorError('leaseLost', 'Another worker has this run.'));
  }

  /** Gives the run back, if it rests; it is rebuilt when there is something to do. */
  async release(): Promise<void> {
    if (!this.#rest.isComplete || this.#releasing) return;
    this.#releasing = true;
    let unread = false;
    try {
      this.#rest.tell();
      // A call may have gone on meanwhile, and wait again with another question.
      await this.#hold.journal.flushAll();
      if (this.#rest.isComplete)
        unread = !(await this.#giveBack('waiting', this.#hold.outstanding.nextTime()));
      if (this.#hold.exit) this.#hold.end();
    } catch (error) {
      if (error instanceof ExecutorError && error.code === 'leaseLost') this.#hold.lose(error);
      // While the database is away the run is simply kept.
    } finally {
      this.#releasing = false;
      if (!this.#hold.exit) for (const act of this.#held.splice(0)) act();
      if (unread) this.#news.look();
      else this.#news.lookIfWanted();
      // Where it could not be given back, it is tried again.
      this.#rest.consider();
    }
  }

  /**
   * Leaves the run in the middle of its work, when this process has to end. Calls that are safe to repeat will be. While one that is not
   * may still arrive, nobody shall be asked about it: then the run stays held until its lease ends.
   */
  abandon(): Promise<void> {
    this.#abandoned ??= this.#abandon();
    return this.#abandoned;
  }

  /** The same, once no call is under way that must not be made twice: none is begun any more, and those that are still write their answers. */
  leave(): void {
    this.#hold.leaving = true;
    this.#leaveWhenCertain();
  }

  /** The tools of the calls under way that must not be made twice. */
  get uncertainCalls(): string[] {
    return this.#hold.exit ? [] : this.#calls.uncertain.map(({ path }) => path);
  }

  #leaveWhenCertain(): void {
    if (this.#hold.leaving && this.#calls.uncertain.length === 0) void this.abandon();
  }

  async #abandon(): Promise<void> {
    const hold = this.#hold;
    if (hold.exit) return;
    this.#releasing = true;
    await hold.journal.flushAll().catch(() => {});
    if (!hold.exit && this.#calls.uncertain.length === 0)
      await this.#giveBack('queued', undefined).catch(() => {});
    hold.exit ??= { type: 'lost' };
    hold.end();
  }

  /** False where there are events that were not heard yet. */
  async #giveBack(status: 'waiting' | 'queued', wakeAt: number | undefined): Promise<boolean> {
    const { lease, journal } = this.#hold;
    const released = await this.#deps.store.executions.release(lease, {
      status,
      knownSeq: journal.seq,
      ...(wakeAt !== undefined && { wakeAt: new Date(wakeAt) }),
    });
    if (released === 'released') this.#hold.exit ??= { type: 'released', wakeAt };
    return released === 'released';
  }

  async #rebuild(): Promise<void> {
    const { lease, state, journal } = this.#hold;
    if (lease.epoch === 1) return;
    for (let seq = 0; ; ) {
      const events = await this.#deps.store.executions.events(this.id, { afterSeq: seq, limit: eventPage });
      for (const event of events) {
        record(state, event);
        journal.count(event);
      }
      this.#hold.requireRoom();
      seq = events.at(-1)?.seq ?? seq;
      if (events.length < eventPage) return journal.readUpTo(seq);
    }
  }

  async #run(): Promise<void> {
    const { sandbox, workerId, headStart } = this.#deps;
    const { execution, state, lease, outstanding, signal } = this.#hold;
    const request = laterRequest(execution, state);
    this.#hold.record({ type: 'execution.started', workerId, epoch: lease.epoch, build: sandbox.build });
    const hooks: SandboxHooks = {
      onCall: (call, complete) => this.#calls.begin(call, complete),
      onAbandon: (index) => outstanding.remove(index),
      onRest: (usage) => this.#rest.codeRests(usage),
      onLog: (line) => this.#log(line),
    };
    const outcome = await (headStart?.goOn(hooks, signal) ?? sandbox.run(request, hooks, signal));
    if (!this.#hold.exit) await this.#finish(outcome);
  }

  async #finish(outcome: SandboxOutcome): Promise<void> {
    const { failure, state } = this.#hold;
    if (outcome.type === 'cancelled' && !state.cancelRequested && !failure) {
      // The process is ending. Whoever takes the run up finds in its journal how far it came.
      this.#hold.exit = { type: 'lost' };
      return;
    }
    if (failure) this.#deps.onProblem('a run could not go on', { executionId: this.id, error: failure });
    this.#hold.end();
    await this.#end(outcome, failure);
  }

  async #failInternally(error: unknown): Promise<void> {
    this.#deps.onProblem('a run could not go on', { executionId: this.id, error });
    if (error instanceof ExecutorError && error.code === 'databaseUnavailable') return;
    const isLimit = error instanceof ExecutorError && error.code === 'payloadTooLarge';
    const failure = isLimit ? error : internalError(error);
    await this.#end({ type: 'cancelled', usage: noUsage }, failure).catch(() => {});
  }

  async #end(outcome: SandboxOutcome, failure: ExecutorError | undefined): Promise<void> {
    const { execution, state } = this.#hold;
    const { artifacts, clock } = this.#deps;
    const cpuMs = outcome.usage.cpuMs + state.cpuMs;
    const ending: RunEnding = await endingOf(
      outcome,
      { execution, cpuMs, failure },
      { clock, artifacts: { put: (...artifact) => this.#hold.patiently(() => artifacts.put(...artifact)) } },
    );
    await this.#hold.journal.finish(ending);
    const { events: _, ...rest } = ending;
    this.#hold.exit = { type: 'finished', execution: { ...execution, ...rest }, logs: this.#logs };
  }

  /** Takes in what others wrote; this process's own entries are known already. */
  #hear(event: StoredEvent): void {
    const { lease, state, journal, outstanding } = this.#hold;
    if (event.type === 'execution.started' && event.epoch > lease.epoch) {
      this.lose();
    } else if (event.type === 'execution.cancelRequested') {
      state.cancelRequested = true;
      this.#hold.end();
    } else if (event.type === 'interaction.resolved') {
      record(state, event);
      journal.count(event);
      outstanding.answer(event);
    }
  }

  #log(line: LogLine): void {
    if (line.index < this.#hold.state.logLines) return;
    this.#logs.push(line);
    const { index, level, text, at: loggedAt } = line;
    this.#hold.record({ type: 'log', index, level, text, loggedAt });
  }

  #unlessReleasing(act: () => void): void {
    if (this.#releasing) this.#held.push(act);
    else if (!this.#hold.exit) act();
  }

  #newRest(): Rest {
    const { clock, evictAfterMs, onResting } = this.#deps;
    const hold = this.#hold;
    return new Rest({
      clock,
      evictAfterMs,
      outstanding: hold.outstanding,
      isGoing: () => hold.isGoing,
      onWaiting: (cpuMs) => {
        // Not taken into this run's own account, which counts what was used before it came here.
        const waiting = { type: 'execution.waiting', cpuMs: cpuMs + hold.state.cpuMs } as const;
        if (!hold.exit) hold.journal.append(waiting, { status: 'waiting' });
        hold.journal.flush().catch(() => {});
      },
      onResumed: () => hold.record({ type: 'execution.resumed' }, { status: 'running' }),
      onDue: () => void this.release(),
      onIdle: () => onResting?.(this),
    });
  }

  #newNews(): News {
    const hold = this.#hold;
    return new News({
      executionId: this.id,
      store: this.#deps.store.executions,
      journal: hold.journal,
      clock: this.#deps.clock,
      isHeld: () => hold.exit === undefined,
      isPaused: () => this.#releasing,
      afterPause: (act) => this.#unlessReleasing(act),
      hear: (event) => this.#hear(event),
      onBroken: (error) => hold.break(error),
    });
  }
}

const noUsage: SandboxUsage = {
  cpuMs: 0,
  replayCpuMs: 0,
  memoryBytes: 0,
  calls: 0,
  logBytes: 0,
  resultBytes: 0,
};
