import { once } from 'node:events';
import { principalOfRun } from '../../identity/owner.ts';
import type { Meter } from '../../ports/meter.ts';
import { type Completion, type SandboxCall, sleepPath } from '../../ports/sandbox.ts';
import { accountOfRun } from '../../resource/account.ts';
import { AnswerRoom } from '../../resource/answer-room.ts';
import { CpuMeter } from '../../resource/cpu-meter.ts';
import type { HeldRun } from '../run/held-run.ts';
import type { IdleWatch } from '../run/idle-watch.ts';
import type { JournalReader } from '../run/journal-reader.ts';
import type { RunDependencies } from '../run/run-dependencies.ts';
import type { AskedState, CallState } from '../run/run-state.ts';
import { maxAnswerBytes } from './answer.ts';
import { BoundedHints } from './bounded-hints.ts';
import type { CallContext, NewQuestion, ReviewerAnswer } from './call-context.ts';
import { performCall } from './perform-call.ts';
import { questionOf } from './question.ts';
import { reconciliation } from './reconcile-call.ts';

type Complete = (completion: Completion) => void;
type EndedCall = Required<Pick<Completion, 'index' | 'result' | 'cpuMs'>>;

interface Options {
  held: HeldRun;
  idle: IdleWatch;
  reader: Pick<JournalReader, 'catchUp'>;
  deps: RunDependencies;
}

/** A lease outlasts a call by this time, so that the result can still be written. */
const marginMs = 5_000;

/** The calls that the code of a held run makes: tools, timers, and the questions to reviewers that follow from them. */
export class RunCalls {
  readonly #options: Options;
  readonly #held: HeldRun;
  readonly #descriptions: CallContext['descriptions'];
  /** The memory of the calls whose results are not journaled yet, or not delivered. */
  readonly #rooms = new Map<number, AnswerRoom>();
  /** The calls that are being made here. */
  readonly #made = new Map<number, Promise<void>>();
  /** Calls that were sent and ended after the code, but before the end of the run was written. */
  readonly #late: EndedCall[] = [];
  /** A check that has not begun yet, which several calls share. */
  #checking: Promise<boolean> | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#held = options.held;
    this.#descriptions = new BoundedHints(options.deps.descriptions);
  }

  /** The code makes a call, for the first time or again after a rebuild. */
  start(call: SandboxCall, complete: Complete): void {
    const { state, pending } = this.#held;
    this.#options.idle.codeRuns();
    const known = state.calls[call.index];
    if (call.path === sleepPath) {
      this.#startTimer(call, known, complete);
      return;
    }
    // A rebuilt run gives it up again.
    if (known?.withdrawn) return;
    if (known === undefined) {
      const { index, path, input, inputHash } = call;
      this.#held.record({ type: 'call.requested', index, path, input, inputHash });
    }
    pending.work(call.index);
    const past = state.calls[call.index] as CallState;
    const meter = new CpuMeter();
    const room = this.#newRoom(call.index);
    const made = performCall(call, past, this.#context(past, room, meter))
      .then(
        (result) => this.#complete({ index: call.index, result, cpuMs: meter.ms }, complete),
        (error) => {
          this.#free(call.index);
          if (!past.withdrawn) this.#held.fail(error);
        },
      )
      .finally(() => this.#made.delete(call.index));
    this.#made.set(call.index, made);
  }

  /** The code gives a call up. One that was not sent is withdrawn with its questions. One that was sent goes on. */
  abandon(index: number): void {
    const { state, pending } = this.#held;
    const call = state.calls[index];
    if (call === undefined || call.withdrawn || !pending.has(index)) return;
    if (call.attempts > 0 || this.#rooms.get(index)?.isOut) return;
    pending.remove(index);
    if (call.path === sleepPath) return;
    for (const asked of call.asked) if (!asked.answer && !asked.gone) this.#withdraw(index, asked, givenUp);
    this.#held.record({ type: 'call.withdrawn', index });
    this.#free(index);
  }

  /** The code has the result of a call. */
  delivered(index: number): void {
    void this.#held.journal.written().then(() => this.#free(index));
  }

  /** The run has left this process. */
  close(): void {
    for (const index of [...this.#rooms.keys()]) this.#free(index);
  }

  #newRoom(index: number): AnswerRoom {
    const { memory, clock } = this.#options.deps;
    const { execution, gate } = this.#held;
    const account = accountOfRun(execution);
    const room = new AnswerRoom({ memory, account, clock, signal: gate.signal });
    this.#rooms.set(index, room);
    return room;
  }

  #free(index: number): void {
    this.#rooms.get(index)?.release();
    this.#rooms.delete(index);
  }

  /** The calls in flight that must not be repeated. */
  get uncertain(): CallState[] {
    const { state, pending } = this.#held;
    return state.calls.filter(
      ({ index, attempts, completed }) =>
        attempts > 0 && !completed && (pending.isWorking(index) || this.#goesOn(index)),
    );
  }

  /** If the run was lost or has ended, waits for the calls in flight that may have an effect, and records how they end. */
  async recordSent(): Promise<void> {
    const { gate, journal, state } = this.#held;
    if (gate.sentSignal.aborted) return;
    const answered = journal.unwritten.flatMap(({ at: _, ...event }) =>
      event.type === 'call.completed' && state.calls[event.index]?.decided?.repeatable === false ? event : [],
    );
    await Promise.all([
      ...answered.map((event) => journal.appendOutcome(event)),
      ...this.#late.map((ended) => this.#recordOutcome(ended)),
      ...[...this.#made].map(([index, made]) => this.#goesOn(index) && made),
    ]);
  }

  /** Whether the run was lost or its code has ended, but not this call, which was sent and may have an effect. */
  #goesOn(index: number): boolean {
    const { isActive, sentSignal } = this.#held.gate;
    return (
      !isActive && !sentSignal.aborted && this.#made.has(index) && this.#rooms.get(index)?.isSent === true
    );
  }

  /** The question about a call that may have had its effect. The code does not run. */
  reconciliation(call: SandboxCall): Promise<AskedState> {
    const past = this.#held.state.calls[call.index] as CallState;
    return reconciliation(call, past, this.#context(past, this.#newRoom(call.index), new CpuMeter()));
  }

  #startTimer(call: SandboxCall, known: CallState | undefined, complete: Complete): void {
    const { index, inputHash } = call;
    const until = known?.until ?? dueAt(this.#held.now(), call.input);
    if (known === undefined) this.#held.record({ type: 'timer.set', index, inputHash, until });
    this.#held.pending.waitUntil(index, until, () => {
      this.#complete({ index, result: { type: 'value', json: 'null' }, cpuMs: 0 }, complete);
    });
  }

  #complete(ended: EndedCall, complete: Complete): Promise<void> | undefined {
    if (this.#goesOn(ended.index)) {
      // Only a run whose end is written takes outcomes.
      if (!this.#held.gate.isHeld) return this.#recordOutcome(ended);
      this.#late.push(ended);
      return undefined;
    }
    this.#held.gate.pass(() => this.#deliver(ended, complete));
  }

  #recordOutcome({ index, result, cpuMs }: EndedCall): Promise<void> {
    const charge = cpuMs > 0 ? { cpuMs } : {};
    const deliveredAt = this.#held.now();
    return this.#held.journal.appendOutcome({
      type: 'call.completed',
      index,
      deliveredAt,
      result,
      ...charge,
    });
  }

  /** Results are journaled in the order in which they are delivered. */
  #deliver({ index, result, cpuMs }: EndedCall, complete: Complete): void {
    const { pending, journal, state, execution, gate } = this.#held;
    if (!gate.isActive || !pending.has(index)) {
      this.#free(index);
      return;
    }
    pending.remove(index);
    this.#options.idle.codeRuns();
    this.#options.idle.end();
    // The code's clock never goes back, even if the clock of this machine does or the run changes machines.
    const at = Math.max(state.completions.at(-1)?.at ?? execution.epoch, this.#held.now());
    const charge = cpuMs > 0 ? { cpuMs } : {};
    this.#held.record({ type: 'call.completed', index, deliveredAt: at, result, ...charge });
    try {
      this.#held.requireJournalSpace();
    } catch (error) {
      this.#held.fail(error);
    }
    // The next holder of the run delivers the result from the journal.
    if (gate.isLeaving) return;
    complete({ index, at, result, ...charge });
    // The result of a call that must not be repeated should not be lost.
    if (state.calls[index]?.decided?.repeatable === false) journal.hurry();
  }

  #withdraw(index: number, { id: interactionId }: AskedState, reason: string): void {
    const at = this.#options.deps.clock.now();
    const settle = [{ id: interactionId, status: 'withdrawn' as const, at }];
    this.#held.record({ type: 'interaction.withdrawn', index, interactionId, reason }, { settle });
  }

  #context(past: CallState, room: AnswerRoom, meter: Meter): CallContext {
    const { catalog, validator, clock, policies, printer, artifacts, workspaces, quotas, ownCalls } =
      this.#options.deps;
    const { execution, account, state, gate } = this.#held;
    const { workspaceId, actorId, clientId } = execution;
    const withRetry: CallContext['withRetry'] = (work) => this.#held.withRetry(work);
    const { index } = past;
    const requireActive = () => this.#requireActive(past);
    return {
      executionId: execution.id,
      caller: { workspaceId, actorId, ...(clientId !== null && { clientId }) },
      principal: principalOfRun(execution),
      state,
      catalog: {
        find: (...tool) => catalog.find(...tool),
        seek: (...tool) => withRetry(() => catalog.seek(...tool)),
      },
      descriptions: { nearest: (...tool) => withRetry(() => this.#descriptions.nearest(...tool)) },
      policies: {
        complete: (...call) => withRetry(() => policies.complete(...call)),
        decide: (...call) => withRetry(() => policies.decide(...call)),
        ruleToRemember: (...call) => withRetry(() => policies.ruleToRemember(...call)),
      },
      printer,
      meter,
      ownTurn: () => ownCalls.take(accountOfRun(execution), 1, gate.signal),
      validator,
      clock,
      signal: gate.signal,
      sentSignal: gate.sentSignal,
      withRetry,
      record: (event, extra) => {
        requireActive();
        this.#held.record(event, extra);
      },
      requireRoom: () => withRetry(() => quotas.requireRoom(account)),
      takeQuestion: (options) => withRetry(() => quotas.takeQuestion(account, options)),
      takeAuditRow: () => withRetry(() => quotas.takeAuditRow(account)),
      mayStart: () => this.#mayStart().then(requireActive),
      commit: (callMs) => this.#commit(callMs),
      requireHeld: () => this.#requireHeld().then(requireActive),
      answerUntil: () => withRetry(() => workspaces.answerUntil(workspaceId)),
      ask: (call, past, question) => {
        if (gate.signal.aborted || past.withdrawn) quotas.giveQuestionBack(account).catch(() => {});
        requireActive();
        return this.#ask(call, past, question);
      },
      answerTo: async (_, asked, options) => {
        requireActive();
        return this.#answerTo(index, asked, options?.pinned ?? false);
      },
      withdraw: (_, asked, reason) => {
        requireActive();
        this.#withdraw(index, asked, reason);
      },
      room,
      tryKeep: (bytes) => this.#held.history.tryKeep(bytes),
      maxAnswerBytes: () => Math.min(maxAnswerBytes(execution.limits), this.#held.journalSpace),
      putArtifact: (artifact, name) => withRetry(() => artifacts.put(execution, artifact, name)),
      hasArtifact: (id) => withRetry(() => artifacts.has(execution, id)),
      readArtifact: async (id, allow) => {
        const bytes = await withRetry(() => artifacts.bytesFor(execution, id));
        if (bytes === undefined) return undefined;
        await allow(bytes);
        return withRetry(() => artifacts.readWhole(execution, id));
      },
    };
  }

  /** A call that was withdrawn, or whose run has ended or has left this process, must not do anything more. */
  #requireActive(call?: CallState): void {
    this.#held.gate.signal.throwIfAborted();
    if (call?.withdrawn) throw new Error('The call was withdrawn.');
  }

  /** A run that is about to leave this process starts no call that must not be repeated. */
  async #mayStart(): Promise<void> {
    const { signal, isLeaving } = this.#held.gate;
    if (isLeaving && !signal.aborted) await once(signal, 'abort');
    this.#requireActive();
  }

  /**
   * A notice of another process that the run has ended may be late or lost, so the database is asked. Calls of the same turn share one
   * question. With an embedded database there is no other process, and this one has stopped the run by now.
   */
  async #requireHeld(): Promise<void> {
    const { clock, store } = this.#options.deps;
    if (store.kind === 'pglite') return this.#requireActive();
    this.#checking ??= new Promise<void>((resolve) => clock.soon(resolve)).then(() => {
      this.#checking = undefined;
      return this.#held.withRetry(() => store.executions.holds(this.#held.lease));
    });
    if (!(await this.#checking)) this.#held.lose();
    this.#requireActive();
  }

  /** If the process was suspended meanwhile, its lease may have passed to another worker, or may end before the call does. */
  async #commit(callMs: number): Promise<void> {
    const { clock } = this.#options.deps;
    for (;;) {
      const before = { at: this.#held.now(), elapsed: clock.elapsed() };
      await this.#held.journal.flush(callMs + marginMs);
      this.#requireActive();
      // Only the wall clock shows that the machine slept. Only the running time is right when the wall clock was set back.
      const tookMs = Math.max(this.#held.now() - before.at, clock.elapsed() - before.elapsed);
      if (tookMs < marginMs) return;
    }
  }

  #ask(call: SandboxCall, past: CallState, question: NewQuestion): AskedState {
    const position = { ordinal: past.asked.length, at: this.#options.deps.clock.now() };
    const { row, event } = questionOf(this.#held.execution, call, question, position);
    this.#held.record(event, { ask: [row] });
    this.#held.journal.flush().catch(() => {});
    return past.asked.at(-1) as AskedState;
  }

  async #answerTo(index: number, asked: AskedState, pinned: boolean): Promise<ReviewerAnswer> {
    if (asked.answer) return { type: 'answered', event: asked.answer };
    if (asked.gone === 'expired') return { type: 'expired' };
    const { idle } = this.#options;
    const answered = this.#held.pending.waitForReviewer(index, { asked, pinned }, () => {
      this.#expire(index, asked).catch((error) => this.#held.fail(error));
    });
    idle.check();
    const answer = await (pinned ? Promise.race([answered, this.#lost()]) : answered);
    idle.end();
    return answer;
  }

  /** A call that waits for a reviewer in the middle of its work goes on without an answer. */
  async #lost(): Promise<never> {
    const { signal } = this.#held.gate;
    if (!signal.aborted) await once(signal, 'abort');
    throw signal.reason;
  }

  /** An answer may be in the journal already without being read yet. The first of answer and expiry counts. */
  async #expire(index: number, asked: AskedState): Promise<void> {
    const { reader, deps } = this.#options;
    const { signal } = this.#held.gate;
    await reader.catchUp();
    if (asked.answer || signal.aborted) return;
    const { id: interactionId } = asked;
    const at = deps.clock.now();
    this.#held.record(
      { type: 'interaction.expired', index, interactionId },
      { settle: [{ id: interactionId, status: 'expired', at }] },
    );
    await this.#held.journal.flush();
    await reader.catchUp();
    if (!asked.answer && !signal.aborted) this.#held.pending.expire(index, interactionId);
  }
}

const givenUp = 'the code no longer needs the call';

/** When a timer is due. A time beyond the last date counts as the last date. */
function dueAt(now: number, input: string): number {
  const ms = (JSON.parse(input) as { ms?: unknown } | null)?.ms;
  return Math.min(now + (typeof ms === 'number' ? Math.max(0, ms) : 0), lastDate);
}

/** The end of the year 9999, which every clock and database can represent. */
const lastDate = 253_402_300_799_999;
