import { setMaxListeners } from 'node:events';
import { ExecutorError } from '@executor/protocol';
import type { ExecutionRow, Lease, Leased, RunEnding } from '../ports/execution-store.ts';
import {
  type CallResult,
  type Completion,
  type LogLine,
  type SandboxCall,
  type SandboxOutcome,
  type SandboxUsage,
  sleepPath,
} from '../ports/sandbox.ts';
import type { CallContext, NewQuestion, PersonAnswer } from './call-context.ts';
import { Journal } from './journal.ts';
import type { JournalEvent, StoredEvent } from './journal-event.ts';
import { eventPage, News } from './news.ts';
import { Outstanding } from './outstanding.ts';
import { performCall } from './perform-call.ts';
import { persist } from './persist.ts';
import { questionOf } from './question.ts';
import { Rest } from './rest.ts';
import type { RunDependencies } from './run-dependencies.ts';
import { endingOf } from './run-ending.ts';
import {
  type AskedState,
  type CallState,
  emptyState,
  historyOf,
  type RunState,
  record,
} from './run-state.ts';

/** How a run left this process. */
export type RunExit =
  | { type: 'finished'; execution: ExecutionRow; logs: LogLine[] }
  /** It waits, and whoever is free goes on with it. */
  | { type: 'released'; wakeAt: number | undefined }
  /** Somebody else has it. */
  | { type: 'lost' };

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
  readonly id: string;
  readonly lease: Lease;
  readonly #execution: ExecutionRow;
  readonly #deps: RunDependencies;
  readonly #end = new AbortController();
  readonly #outstanding: Outstanding;
  readonly #rest: Rest;
  readonly #news: News;
  readonly #logs: LogLine[] = [];
  #state: RunState = emptyState();
  #journal: Journal;
  #exit: RunExit | undefined;
  #failure: ExecutorError | undefined;
  #releasing = false;
  #held: (() => void)[] = [];
  #lastDelivery = 0;

  /** A database that is away for a while is no reason for a run to fail: it is asked again until the run has left this process. */
  readonly #policies: RunDependencies['policies'] = {
    decide: (...call) => this.#patiently(() => this.#deps.policies.decide(...call)),
    ruleToRemember: (...call) => this.#patiently(() => this.#deps.policies.ruleToRemember(...call)),
  };
  readonly #artifacts: RunDependencies['artifacts'] = {
    put: (...artifact) => this.#patiently(() => this.#deps.artifacts.put(...artifact)),
  };

  constructor({ execution, epoch }: Leased, owner: string, deps: RunDependencies) {
    this.id = execution.id;
    this.lease = { id: execution.id, owner, epoch };
    this.#execution = execution;
    this.#deps = deps;
    this.#outstanding = new Outstanding(deps.clock);
    // Every call listens to it, and there may be thousands at once.
    setMaxListeners(0, this.#end.signal);
    this.#journal = new Journal({
      store: deps.store.executions,
      lease: this.lease,
      seq: execution.lastSeq,
      clock: deps.clock,
      onLost: (error) => this.#lose(error),
      onForeign: () => this.nudge(),
    });
    this.#rest = this.#newRest();
    this.#news = this.#newNews();
  }

  /** Runs it until it has ended, was given back, or was taken away. */
  async go(): Promise<RunExit> {
    try {
      await this.#rebuild();
      this.#news.begin();
      if (this.#state.cancelRequested) this.#end.abort();
      await this.#run();
    } catch (error) {
      if (!this.#exit && !(error instanceof ExecutorError && error.code === 'leaseLost')) {
        await this.#failInternally(error);
      }
    } finally {
      this.#journal.close();
      this.#outstanding.clear();
      this.#rest.callOff();
      this.#end.abort();
      this.#exit ??= { type: 'lost' };
    }
    return this.#exit;
  }

  /** Whether it only waits and cannot be dropped, so that it should not count among those that a worker can hold. */
  get isPinned(): boolean {
    return this.#rest.isPinned;
  }

  /** There may be events that others wrote. */
  nudge(): void {
    this.#news.look();
  }

  /** The lease is somebody else's. */
  lose(): void {
    this.#lose(new ExecutorError('leaseLost', 'Another worker has this run.'));
  }

  /** Gives the run back, if it rests; it is rebuilt when there is something to do. */
  async release(): Promise<void> {
    if (!this.#rest.isComplete || this.#releasing) return;
    this.#releasing = true;
    let unread = false;
    try {
      this.#rest.tell();
      // A call may have gone on meanwhile, and wait again with another question.
      await this.#journal.flushAll();
      if (!this.#rest.isComplete) return;
      const wakeAt = this.#outstanding.nextTime();
      const released = await this.#deps.store.executions.release(this.lease, {
        status: 'waiting',
        knownSeq: this.#journal.seq,
        ...(wakeAt !== undefined && { wakeAt: new Date(wakeAt) }),
      });
      if (released === 'unread') unread = true;
      else this.#exit = { type: 'released', wakeAt };
      if (this.#exit) this.#end.abort();
    } catch (error) {
      if (error instanceof ExecutorError && error.code === 'leaseLost') this.#lose(error);
      // While the database is away the run is simply kept.
    } finally {
      this.#releasing = false;
      if (!this.#exit) this.#letGo();
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
  async abandon(): Promise<void> {
    if (this.#exit) return;
    this.#releasing = true;
    await this.#journal.flushAll().catch(() => {});
    if (!this.#exit && !this.#hasUncertainCall()) await this.#giveBack();
    this.#exit ??= { type: 'lost' };
    this.#end.abort();
  }

  async #giveBack(): Promise<void> {
    const released = await this.#deps.store.executions
      .release(this.lease, { status: 'queued', knownSeq: this.#journal.seq })
      .catch(() => 'unread');
    if (released === 'released') this.#exit ??= { type: 'released', wakeAt: undefined };
  }

  /** Whether a call that must not be made twice is on its way. */
  #hasUncertainCall(): boolean {
    return this.#state.calls.some(
      ({ index, attempts, completed }) => attempts > 0 && !completed && this.#outstanding.isWorking(index),
    );
  }

  async #rebuild(): Promise<void> {
    if (this.lease.epoch === 1) return;
    const { executions } = this.#deps.store;
    for (let seq = 0; ; ) {
      const events = await executions.events(this.id, { afterSeq: seq, limit: eventPage });
      for (const event of events) {
        record(this.#state, event);
        this.#journal.count(event);
      }
      if (this.#journal.bytes > this.#deps.mostJournalBytes) throw this.#journalFull();
      seq = events.at(-1)?.seq ?? seq;
      if (events.length < eventPage) return this.#journal.readUpTo(seq);
    }
  }

  async #run(): Promise<void> {
    const { sandbox, workerId } = this.#deps;
    const { program, seed, epoch, limits } = this.#execution;
    if (program === null) throw new ExecutorError('internal', 'The run has no program.');
    this.#record({ type: 'execution.started', workerId, epoch: this.lease.epoch, build: sandbox.build });
    const outcome = await sandbox.run(
      {
        program,
        seed,
        epoch,
        history: historyOf(this.#state),
        limits: {
          ...limits,
          cpuMs: Math.max(1, limits.cpuMs - this.#state.cpuMs),
          replayCpuMs: Math.max(leastReplayCpuMs, 3 * limits.cpuMs),
        },
      },
      {
        onCall: (call, complete) => this.#begin(call, complete),
        onAbandon: (index) => this.#outstanding.remove(index),
        onRest: (usage) => this.#rest.codeRests(usage),
        onLog: (line) => this.#log(line),
      },
      this.#end.signal,
    );
    if (!this.#exit) await this.#finish(outcome);
  }

  async #finish(outcome: SandboxOutcome): Promise<void> {
    if (outcome.type === 'cancelled' && !this.#state.cancelRequested && !this.#failure) {
      // The process is ending. Whoever takes the run up finds in its journal how far it came.
      this.#exit = { type: 'lost' };
      return;
    }
    if (this.#failure)
      this.#deps.onProblem('a run could not go on', { executionId: this.id, error: this.#failure });
    this.#end.abort();
    const cpuMs = outcome.usage.cpuMs + this.#state.cpuMs;
    const ending = await endingOf(
      outcome,
      { execution: this.#execution, cpuMs, failure: this.#failure },
      { ...this.#deps, artifacts: this.#artifacts },
    );
    await this.#write(ending);
  }

  async #failInternally(error: unknown): Promise<void> {
    this.#deps.onProblem('a run could not go on', { executionId: this.id, error });
    if (error instanceof ExecutorError && error.code === 'databaseUnavailable') return;
    const failure =
      error instanceof ExecutorError && error.code === 'payloadTooLarge'
        ? error
        : new ExecutorError('internal', failureSentence, { cause: error });
    const facts = { execution: this.#execution, cpuMs: this.#state.cpuMs, failure };
    await this.#write(await endingOf({ type: 'cancelled', usage: noUsage }, facts, this.#deps)).catch(
      () => {},
    );
  }

  async #write(ending: RunEnding): Promise<void> {
    await this.#journal.finish(ending);
    const { events: _, ...rest } = ending;
    this.#exit = { type: 'finished', execution: { ...this.#execution, ...rest }, logs: this.#logs };
  }

  /** The code makes a call, for the first time or again after a rebuild. */
  #begin(call: SandboxCall, complete: (completion: Completion) => void): void {
    this.#rest.codeGoesOn();
    const known = this.#state.calls[call.index];
    if (call.path === sleepPath) {
      this.#sleep(call, known, complete);
      return;
    }
    if (known === undefined) {
      const { index, path, input, inputHash } = call;
      this.#record({ type: 'call.requested', index, path, input, inputHash });
    }
    this.#outstanding.work(call.index);
    const past = this.#state.calls[call.index] as CallState;
    performCall(call, past, this.#context()).then(
      (result) => this.#complete(call.index, result, complete),
      (error) => this.#break(error),
    );
  }

  #sleep(call: SandboxCall, known: CallState | undefined, complete: (completion: Completion) => void): void {
    const { index, inputHash } = call;
    const until = known?.until ?? dueAt(this.#now(), call.input);
    if (known === undefined) this.#record({ type: 'timer.set', index, inputHash, until });
    this.#outstanding.waitUntil(index, until, () => {
      this.#complete(index, { type: 'value', json: 'null' }, complete);
    });
  }

  /** What comes back is journaled and delivered in the same order. */
  #complete(index: number, result: CallResult, complete: (completion: Completion) => void): void {
    if (this.#releasing) {
      this.#held.push(() => this.#complete(index, result, complete));
      return;
    }
    if (this.#exit || this.#end.signal.aborted || !this.#outstanding.has(index)) return;
    this.#outstanding.remove(index);
    this.#rest.codeGoesOn();
    this.#rest.stir();
    const at = Math.max(this.#lastDelivery, this.#now());
    this.#lastDelivery = at;
    this.#record({ type: 'call.completed', index, deliveredAt: at, result });
    if (this.#journal.bytes > this.#deps.mostJournalBytes) this.#break(this.#journalFull());
    complete({ index, at, result });
    // The answer of a call that must not be made twice is worth a write of its own.
    if (this.#state.calls[index]?.decided?.repeatable === false) this.#journal.flush().catch(() => {});
  }

  #context(): CallContext {
    const { catalog, validator, clock } = this.#deps;
    const { workspaceId, actorId, clientId } = this.#execution;
    return {
      executionId: this.id,
      caller: { workspaceId, actorId, ...(clientId !== null && { clientId }) },
      state: this.#state,
      catalog,
      policies: this.#policies,
      validator,
      clock,
      signal: this.#end.signal,
      record: (event) => {
        this.#requireGoing();
        this.#record(event);
      },
      commit: (callMs) => this.#commit(callMs),
      patiently: (work) => this.#patiently(work),
      ask: (call, past, question) => {
        this.#requireGoing();
        return this.#ask(call, past, question);
      },
      answerTo: async (index, asked, options) => {
        this.#requireGoing();
        return this.#answerTo(index, asked, options?.pinned ?? false);
      },
      withdraw: (index, { id: interactionId }, reason) => {
        this.#requireGoing();
        const settle = [{ id: interactionId, status: 'withdrawn' as const, at: this.#deps.clock.now() }];
        this.#record({ type: 'interaction.withdrawn', index, interactionId, reason }, { settle });
      },
      putArtifact: (artifact, name) => this.#artifacts.put(this.#execution, artifact, name),
    };
  }

  /** A call whose run has ended, or is somebody else's, has nothing more to say. */
  #requireGoing(): void {
    this.#end.signal.throwIfAborted();
  }

  /** A process that slept must not act on a lease that has passed to somebody else meanwhile, or will before the call has ended. */
  async #commit(callMs: number): Promise<void> {
    for (;;) {
      const before = this.#now();
      await this.#journal.flush(callMs + marginMs);
      this.#end.signal.throwIfAborted();
      if (this.#now() - before < marginMs) return;
    }
  }

  #ask(call: SandboxCall, past: CallState, question: NewQuestion): AskedState {
    const place = { ordinal: past.asked.length, at: this.#deps.clock.now() };
    const { row, event } = questionOf(this.#execution, call, question, place);
    this.#record(event, { ask: [row] });
    this.#journal.flush().catch(() => {});
    return past.asked.at(-1) as AskedState;
  }

  #answerTo(index: number, asked: AskedState, pinned: boolean): Promise<PersonAnswer> {
    if (asked.answer) return Promise.resolve({ type: 'answered', event: asked.answer });
    if (asked.gone === 'expired') return Promise.resolve({ type: 'expired' });
    return new Promise((resolve) => {
      const settle = (answer: PersonAnswer) => {
        this.#outstanding.work(index);
        this.#rest.stir();
        resolve(answer);
      };
      const expire = () => void this.#expire(index, asked, settle).catch((error) => this.#break(error));
      this.#outstanding.waitForPerson(index, { asked, pinned }, { resolve: settle, expire });
      this.#rest.consider();
    });
  }

  /** An answer may have been in time, and not have been heard of: what comes first in the journal counts. */
  async #expire(index: number, asked: AskedState, settle: (answer: PersonAnswer) => void): Promise<void> {
    await this.#news.catchUp();
    if (asked.answer || this.#end.signal.aborted) return;
    const { id: interactionId } = asked;
    const at = this.#deps.clock.now();
    this.#record(
      { type: 'interaction.expired', index, interactionId },
      { settle: [{ id: interactionId, status: 'expired', at }] },
    );
    await this.#journal.flush();
    await this.#news.catchUp();
    if (!asked.answer && !this.#end.signal.aborted) settle({ type: 'expired' });
  }

  /** Takes in what others wrote; this process's own entries are known already. */
  #hear(event: StoredEvent): void {
    if (event.type === 'execution.started' && event.epoch > this.lease.epoch) {
      this.lose();
    } else if (event.type === 'execution.cancelRequested') {
      this.#state.cancelRequested = true;
      this.#end.abort();
    } else if (event.type === 'interaction.resolved') {
      record(this.#state, event);
      this.#outstanding.answer(event);
    }
  }

  #newRest(): Rest {
    const { clock, evictAfterMs, onResting } = this.#deps;
    return new Rest({
      clock,
      evictAfterMs,
      outstanding: this.#outstanding,
      isGoing: () => !this.#exit && !this.#end.signal.aborted,
      onWaiting: (cpuMs) => {
        // Not taken into this run's own account, which counts what was used before it came here.
        const total = cpuMs + this.#state.cpuMs;
        if (!this.#exit)
          this.#journal.append({ type: 'execution.waiting', cpuMs: total }, { status: 'waiting' });
        this.#journal.flush().catch(() => {});
      },
      onResumed: () => this.#record({ type: 'execution.resumed' }, { status: 'running' }),
      onDue: () => void this.release(),
      onIdle: () => onResting?.(this),
    });
  }

  #newNews(): News {
    return new News({
      executionId: this.id,
      store: this.#deps.store.executions,
      journal: this.#journal,
      clock: this.#deps.clock,
      isHeld: () => !this.#exit,
      isPaused: () => this.#releasing,
      afterPause: (act) => this.#unlessReleasing(act),
      hear: (event) => this.#hear(event),
      onBroken: (error) => this.#break(error),
    });
  }

  #log(line: LogLine): void {
    if (line.index < this.#state.logLines) return;
    this.#logs.push(line);
    const { index, level, text, at: loggedAt } = line;
    this.#record({ type: 'log', index, level, text, loggedAt });
  }

  #record(event: JournalEvent, extra?: Parameters<Journal['append']>[1]): void {
    if (this.#exit) return;
    record(this.#state, event);
    this.#journal.append(event, extra);
  }

  /** Now; or, while it is not known whether the run was given back, once it is known that it was not. */
  #unlessReleasing(act: () => void): void {
    if (this.#releasing) this.#held.push(act);
    else if (!this.#exit) act();
  }

  #letGo(): void {
    for (const held of this.#held.splice(0)) held();
  }

  #lose(error: ExecutorError): void {
    if (this.#exit) return;
    if (error.code === 'leaseLost') {
      this.#exit = { type: 'lost' };
      this.#journal.close();
    } else this.#failure = error;
    this.#end.abort();
  }

  #break(error: unknown): void {
    if (this.#exit || this.#end.signal.aborted) return;
    if (error instanceof ExecutorError && error.code === 'leaseLost') {
      this.#lose(error);
      return;
    }
    this.#failure ??=
      error instanceof ExecutorError
        ? error
        : new ExecutorError('internal', failureSentence, { cause: error });
    this.#end.abort();
  }

  #patiently<Result>(work: () => Promise<Result>): Promise<Result> {
    return persist(work, this.#deps.clock, () => {
      if (this.#exit) throw new ExecutorError('leaseLost', 'This process does not hold the run any more.');
    });
  }

  #journalFull(): ExecutorError {
    return new ExecutorError(
      'payloadTooLarge',
      `The run's journal has more than the ${this.#deps.mostJournalBytes} bytes that a run may have.`,
    );
  }

  #now(): number {
    return this.#deps.clock.now().getTime();
  }
}

const failureSentence = 'Something went wrong inside Executor; its log has the details.';
/** A run must be able to be rebuilt, on a slower machine too. */
const leastReplayCpuMs = 30_000;
/** A lease outlasts a call by this, so that its answer can still be written. */
const marginMs = 5_000;
const noUsage: SandboxUsage = {
  cpuMs: 0,
  replayCpuMs: 0,
  memoryBytes: 0,
  calls: 0,
  logBytes: 0,
  resultBytes: 0,
};

/** When a timer is due. What is beyond all dates is as good as the last of them. */
function dueAt(now: number, input: string): number {
  const ms = (JSON.parse(input) as { ms?: unknown } | null)?.ms;
  return Math.min(now + (typeof ms === 'number' ? Math.max(0, ms) : 0), lastDate);
}

/** The end of the year 9999: what every clock and database can tell. */
const lastDate = 253_402_300_799_999;
