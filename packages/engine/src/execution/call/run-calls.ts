import { once } from 'node:events';
import { type CallResult, type Completion, type SandboxCall, sleepPath } from '../../ports/sandbox.ts';
import type { HeldRun } from '../run/held-run.ts';
import type { IdleWatch } from '../run/idle-watch.ts';
import type { JournalReader } from '../run/journal-reader.ts';
import type { RunDependencies } from '../run/run-dependencies.ts';
import type { AskedState, CallState } from '../run/run-state.ts';
import { BoundedHints } from './bounded-hints.ts';
import type { CallContext, NewQuestion, ReviewerAnswer } from './call-context.ts';
import { performCall } from './perform-call.ts';
import { questionOf } from './question.ts';

type Complete = (completion: Completion) => void;

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
    if (known === undefined) {
      const { index, path, input, inputHash } = call;
      this.#held.record({ type: 'call.requested', index, path, input, inputHash });
    }
    pending.work(call.index);
    const past = state.calls[call.index] as CallState;
    performCall(call, past, this.#context()).then(
      (result) => this.#complete(call.index, result, complete),
      (error) => this.#held.fail(error),
    );
  }

  /** The calls in flight that must not be repeated. */
  get uncertain(): CallState[] {
    const { state, pending } = this.#held;
    return state.calls.filter(
      ({ index, attempts, completed }) => attempts > 0 && !completed && pending.isWorking(index),
    );
  }

  #startTimer(call: SandboxCall, known: CallState | undefined, complete: Complete): void {
    const { index, inputHash } = call;
    const until = known?.until ?? dueAt(this.#held.now(), call.input);
    if (known === undefined) this.#held.record({ type: 'timer.set', index, inputHash, until });
    this.#held.pending.waitUntil(index, until, () => {
      this.#complete(index, { type: 'value', json: 'null' }, complete);
    });
  }

  #complete(index: number, result: CallResult, complete: Complete): void {
    this.#held.gate.pass(() => this.#deliver(index, result, complete));
  }

  /** Results are journaled in the order in which they are delivered. */
  #deliver(index: number, result: CallResult, complete: Complete): void {
    const { pending, journal, state, execution, gate } = this.#held;
    if (!gate.isActive || !pending.has(index)) return;
    pending.remove(index);
    this.#options.idle.codeRuns();
    this.#options.idle.end();
    // The code's clock never goes back, even if the clock of this machine does or the run changes machines.
    const at = Math.max(state.completions.at(-1)?.at ?? execution.epoch, this.#held.now());
    this.#held.record({ type: 'call.completed', index, deliveredAt: at, result });
    try {
      this.#held.requireJournalSpace();
    } catch (error) {
      this.#held.fail(error);
    }
    // The next holder of the run delivers the result from the journal.
    if (gate.isLeaving) return;
    complete({ index, at, result });
    // The result of a call that must not be repeated should not be lost.
    if (state.calls[index]?.decided?.repeatable === false) journal.hurry();
  }

  #context(): CallContext {
    const { catalog, validator, clock, policies, artifacts, workspaces } = this.#options.deps;
    const { execution, state, gate } = this.#held;
    const { workspaceId, actorId, clientId } = execution;
    const withRetry: CallContext['withRetry'] = (work) => this.#held.withRetry(work);
    return {
      executionId: execution.id,
      caller: { workspaceId, actorId, ...(clientId !== null && { clientId }) },
      state,
      catalog: {
        find: (...tool) => catalog.find(...tool),
        seek: (...tool) => withRetry(() => catalog.seek(...tool)),
      },
      descriptions: { nearest: (...tool) => withRetry(() => this.#descriptions.nearest(...tool)) },
      policies: {
        decide: (...call) => withRetry(() => policies.decide(...call)),
        ruleToRemember: (...call) => withRetry(() => policies.ruleToRemember(...call)),
      },
      validator,
      clock,
      signal: gate.signal,
      withRetry,
      record: (event) => {
        this.#requireActive();
        this.#held.record(event);
      },
      mayStart: () => this.#mayStart(),
      commit: (callMs) => this.#commit(callMs),
      answerUntil: () => withRetry(() => workspaces.answerUntil(workspaceId)),
      ask: (call, past, question) => {
        this.#requireActive();
        return this.#ask(call, past, question);
      },
      answerTo: async (index, asked, options) => {
        this.#requireActive();
        return this.#answerTo(index, asked, options?.pinned ?? false);
      },
      withdraw: (index, { id: interactionId }, reason) => {
        this.#requireActive();
        const settle = [{ id: interactionId, status: 'withdrawn' as const, at: clock.now() }];
        this.#held.record({ type: 'interaction.withdrawn', index, interactionId, reason }, { settle });
      },
      putArtifact: (artifact, name) => withRetry(() => artifacts.put(execution, artifact, name)),
      hasArtifact: (id) => withRetry(() => artifacts.has(execution, id)),
      readArtifact: (id) => withRetry(() => artifacts.readWhole(execution, id)),
    };
  }

  /** A call whose run has ended or has left this process must not do anything more. */
  #requireActive(): void {
    this.#held.gate.signal.throwIfAborted();
  }

  /** A run that is about to leave this process starts no call that must not be repeated. */
  async #mayStart(): Promise<void> {
    const { signal, isLeaving } = this.#held.gate;
    if (isLeaving && !signal.aborted) await once(signal, 'abort');
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
    const answer = await answered;
    idle.end();
    return answer;
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

/** When a timer is due. A time beyond the last date counts as the last date. */
function dueAt(now: number, input: string): number {
  const ms = (JSON.parse(input) as { ms?: unknown } | null)?.ms;
  return Math.min(now + (typeof ms === 'number' ? Math.max(0, ms) : 0), lastDate);
}

/** The end of the year 9999, which every clock and database can represent. */
const lastDate = 253_402_300_799_999;
