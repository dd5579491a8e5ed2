import { once } from 'node:events';
import { type CallResult, type Completion, type SandboxCall, sleepPath } from '../ports/sandbox.ts';
import { BoundedHints } from './bounded-hints.ts';
import type { CallContext, NewQuestion, PersonAnswer } from './call-context.ts';
import type { Hold } from './hold.ts';
import type { News } from './news.ts';
import { performCall } from './perform-call.ts';
import { questionOf } from './question.ts';
import type { Rest } from './rest.ts';
import type { RunDependencies } from './run-dependencies.ts';
import type { AskedState, CallState } from './run-state.ts';

type Complete = (completion: Completion) => void;

interface RunCallsOptions {
  hold: Hold;
  rest: Rest;
  news: Pick<News, 'catchUp'>;
  deps: RunDependencies;
  /** Now; or, while it is not known whether the run was given back, once it is known that it was not. */
  unlessReleasing(act: () => void): void;
  /** A call of a run that is about to leave this process has its answer. */
  onAnswered(): void;
}

/** A lease outlasts a call by this, so that its answer can still be written. */
const marginMs = 5_000;

/** The calls that the code of a held run makes: tools, timers, and the questions that they lead to. */
export class RunCalls {
  readonly #options: RunCallsOptions;
  readonly #hold: Hold;
  readonly #descriptions: CallContext['descriptions'];

  constructor(options: RunCallsOptions) {
    this.#options = options;
    this.#hold = options.hold;
    this.#descriptions = new BoundedHints(options.deps.descriptions);
  }

  /** The code makes a call, for the first time or again after a rebuild. */
  begin(call: SandboxCall, complete: Complete): void {
    this.#options.rest.codeGoesOn();
    const known = this.#hold.state.calls[call.index];
    if (call.path === sleepPath) {
      this.#sleep(call, known, complete);
      return;
    }
    if (known === undefined) {
      const { index, path, input, inputHash } = call;
      this.#hold.record({ type: 'call.requested', index, path, input, inputHash });
    }
    this.#hold.outstanding.work(call.index);
    const past = this.#hold.state.calls[call.index] as CallState;
    performCall(call, past, this.#context()).then(
      (result) => this.#complete(call.index, result, complete),
      (error) => this.#hold.break(error),
    );
  }

  /** The calls on their way that must not be made twice. */
  get uncertain(): CallState[] {
    const { state, outstanding } = this.#hold;
    return state.calls.filter(
      ({ index, attempts, completed }) => attempts > 0 && !completed && outstanding.isWorking(index),
    );
  }

  #sleep(call: SandboxCall, known: CallState | undefined, complete: Complete): void {
    const { index, inputHash } = call;
    const until = known?.until ?? dueAt(this.#hold.now(), call.input);
    if (known === undefined) this.#hold.record({ type: 'timer.set', index, inputHash, until });
    this.#hold.outstanding.waitUntil(index, until, () => {
      this.#complete(index, { type: 'value', json: 'null' }, complete);
    });
  }

  #complete(index: number, result: CallResult, complete: Complete): void {
    this.#options.unlessReleasing(() => this.#deliver(index, result, complete));
  }

  /** What comes back is journaled and delivered in the same order. */
  #deliver(index: number, result: CallResult, complete: Complete): void {
    const { outstanding, journal, state, execution } = this.#hold;
    if (!this.#hold.isGoing || !outstanding.has(index)) return;
    outstanding.remove(index);
    this.#options.rest.codeGoesOn();
    this.#options.rest.stir();
    // The code's time never goes back, also where the clock was set back, here or between two processes.
    const at = Math.max(state.completions.at(-1)?.at ?? execution.epoch, this.#hold.now());
    this.#hold.record({ type: 'call.completed', index, deliveredAt: at, result });
    try {
      this.#hold.requireRoom();
    } catch (error) {
      this.#hold.break(error);
    }
    if (this.#hold.leaving) {
      // It is in the journal, and whoever takes the run up gives it to the code.
      this.#options.onAnswered();
      return;
    }
    complete({ index, at, result });
    // The answer of a call that must not be made twice should not be lost.
    if (state.calls[index]?.decided?.repeatable === false) journal.hurry();
  }

  #context(): CallContext {
    const { catalog, validator, clock, policies, artifacts, workspaces } = this.#options.deps;
    const { execution, state, signal } = this.#hold;
    const { workspaceId, actorId, clientId } = execution;
    const patiently: CallContext['patiently'] = (work) => this.#hold.patiently(work);
    return {
      executionId: execution.id,
      caller: { workspaceId, actorId, ...(clientId !== null && { clientId }) },
      state,
      catalog: {
        find: (...tool) => catalog.find(...tool),
        seek: (...tool) => patiently(() => catalog.seek(...tool)),
      },
      descriptions: { nearest: (...tool) => patiently(() => this.#descriptions.nearest(...tool)) },
      policies: {
        decide: (...call) => patiently(() => policies.decide(...call)),
        ruleToRemember: (...call) => patiently(() => policies.ruleToRemember(...call)),
      },
      validator,
      clock,
      signal,
      patiently,
      record: (event) => {
        this.#requireGoing();
        this.#hold.record(event);
      },
      mayBegin: () => this.#mayBegin(),
      commit: (callMs) => this.#commit(callMs),
      answerUntil: () => patiently(() => workspaces.answerUntil(workspaceId)),
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
        const settle = [{ id: interactionId, status: 'withdrawn' as const, at: clock.now() }];
        this.#hold.record({ type: 'interaction.withdrawn', index, interactionId, reason }, { settle });
      },
      putArtifact: (artifact, name) => patiently(() => artifacts.put(execution, artifact, name)),
      hasArtifact: (id) => patiently(() => artifacts.has(execution, id)),
      readArtifact: (id) => patiently(() => artifacts.readWhole(execution, id)),
    };
  }

  /** A call whose run has ended, or is somebody else's, has nothing more to say. */
  #requireGoing(): void {
    this.#hold.signal.throwIfAborted();
  }

  /** A run that is about to leave this process begins nothing that must not be made twice. */
  async #mayBegin(): Promise<void> {
    const { signal, leaving } = this.#hold;
    if (leaving && !signal.aborted) await once(signal, 'abort');
    this.#requireGoing();
  }

  /** A process that slept must not act on a lease that has passed to somebody else meanwhile, or will before the call has ended. */
  async #commit(callMs: number): Promise<void> {
    const { clock } = this.#options.deps;
    for (;;) {
      const began = { at: this.#hold.now(), elapsed: clock.elapsed() };
      await this.#hold.journal.flush(callMs + marginMs);
      this.#requireGoing();
      // A machine that slept tells it by the time of day alone, a clock that was set back by the running time alone.
      const tookMs = Math.max(this.#hold.now() - began.at, clock.elapsed() - began.elapsed);
      if (tookMs < marginMs) return;
    }
  }

  #ask(call: SandboxCall, past: CallState, question: NewQuestion): AskedState {
    const place = { ordinal: past.asked.length, at: this.#options.deps.clock.now() };
    const { row, event } = questionOf(this.#hold.execution, call, question, place);
    this.#hold.record(event, { ask: [row] });
    this.#hold.journal.flush().catch(() => {});
    return past.asked.at(-1) as AskedState;
  }

  #answerTo(index: number, asked: AskedState, pinned: boolean): Promise<PersonAnswer> {
    if (asked.answer) return Promise.resolve({ type: 'answered', event: asked.answer });
    if (asked.gone === 'expired') return Promise.resolve({ type: 'expired' });
    const { outstanding } = this.#hold;
    const { rest } = this.#options;
    return new Promise((resolve) => {
      const settle = (answer: PersonAnswer) => {
        outstanding.work(index);
        rest.stir();
        resolve(answer);
      };
      const expire = () => void this.#expire(index, asked, settle).catch((error) => this.#hold.break(error));
      outstanding.waitForPerson(index, { asked, pinned }, { resolve: settle, expire });
      rest.consider();
    });
  }

  /** An answer may have been in time, and not have been heard of: what comes first in the journal counts. */
  async #expire(index: number, asked: AskedState, settle: (answer: PersonAnswer) => void): Promise<void> {
    const { news, deps } = this.#options;
    await news.catchUp();
    if (asked.answer || this.#hold.signal.aborted) return;
    const { id: interactionId } = asked;
    const at = deps.clock.now();
    this.#hold.record(
      { type: 'interaction.expired', index, interactionId },
      { settle: [{ id: interactionId, status: 'expired', at }] },
    );
    await this.#hold.journal.flush();
    await news.catchUp();
    if (!asked.answer && !this.#hold.signal.aborted) settle({ type: 'expired' });
  }
}

/** When a timer is due. What is beyond all dates is as good as the last of them. */
function dueAt(now: number, input: string): number {
  const ms = (JSON.parse(input) as { ms?: unknown } | null)?.ms;
  return Math.min(now + (typeof ms === 'number' ? Math.max(0, ms) : 0), lastDate);
}

/** The end of the year 9999: what every clock and database can tell. */
const lastDate = 253_402_300_799_999;
