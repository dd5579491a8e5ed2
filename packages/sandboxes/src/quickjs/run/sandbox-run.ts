import {
  type LogLine,
  noUsage,
  type SandboxHooks,
  type SandboxLimits,
  type SandboxOutcome,
  type SandboxRequest,
  type SandboxUsage,
} from '@executor/engine';
import { resolveLimits, tooLong, vmLimits } from '../limits.ts';
import { costOfLine, noticeBytes } from '../messages/log-budget.ts';
import type { FromLane, RawUnawaited, ToLane, VmState } from '../messages/messages.ts';
import { CallLedger, lengthWithin } from './call-ledger.ts';
import { type Ending, outOfMemory, replayTimedOut, timedOut } from './ending.ts';
import { guardHooks } from './guard-hooks.ts';
import { locateCall } from './locate-call.ts';
import { locateError } from './locate-error.ts';
import { delivered, isReplay, type KeptVm, type LiveVm, type RunVm, resultText } from './run-vm.ts';

/*
 * One run of code, as the server sees it. Invariants:
 *
 * - The call ledger is the run's complete history. A VM is only a cache of the state that the code reached. It may be lost at any time.
 * - A completion enters the ledger before the code sees it.
 * - A rebuilt VM receives exactly the completions of the ledger, in the same order.
 *
 * The pool asks a run for its next turn, gives the turn to a lane, and passes the lane's messages back to `receive`.
 */

/** A message exists several times in memory, here and in the lane. */
const maxDeliveryBytes = 4 * 1024 * 1024;

/** Checking a longer result would hold up the server. The engine does that on another thread. */
const maxCheckedBytes = 1024 * 1024;

/** One message to a lane. The lane is busy with it until it answers. */
export interface Turn {
  message: ToLane;
  body?: string | Uint8Array;
  /** CPU time after which the lane must have stopped by itself. Undefined for turns that run no code. */
  cpuMs?: number;
  /** A rebuild is not the code's fault, so a lane that replays is never treated as hot. */
  replay?: boolean;
}

export interface SandboxRunEvents {
  /** The run needs a turn. */
  onWork(run: SandboxRun): void;
  onFinish(run: SandboxRun, outcome: SandboxOutcome): void;
  /** A hook threw, or the engine's request is invalid. */
  onFail(run: SandboxRun, error: unknown): void;
  onBytes(change: number): void;
}

export class SandboxRun {
  vm: RunVm = { type: 'none' };
  /** When the run began to wait for calls. Undefined while it has work, also after a VM was lost in the middle of a turn. */
  waitingSince: number | undefined;
  /** The pool has asked for the VM's memory. */
  evicting = false;
  /** Lanes that ended during this run's turns for no known reason, since its last progress. */
  crashes = 0;
  finished = false;
  readonly #limits: SandboxLimits;
  readonly #hooks: Required<SandboxHooks>;
  readonly #ledger: CallLedger;
  readonly #usage: SandboxUsage = { ...noUsage };
  /** The part of the CPU time that calls used. */
  #callMs = 0;
  /** The engine knows that the code has returned. */
  #hasReturned = false;
  #logLines: number;
  #logCost = 0;
  /**
   * What the code has done in slices that ended: whether it began, and how many completions it got. Doing that again is a replay. A slice
   * that was cut off is done anew, at the code's expense.
   */
  readonly #done: { begun: boolean; completions: number };
  /** The memory of the VM after its last slice. */
  #vmBytes = 0;
  /** CPU time of the current rebuild. */
  #rebuildMs = 0;
  readonly #request: SandboxRequest;
  readonly #events: SandboxRunEvents;

  constructor(
    readonly id: number,
    request: SandboxRequest,
    hooks: SandboxHooks,
    events: SandboxRunEvents,
  ) {
    this.#request = request;
    this.#events = events;
    this.#limits = resolveLimits(request.limits);
    this.#logLines = request.history?.logLines ?? 0;
    const completions = request.history?.completions.length ?? 0;
    this.#done = { begun: completions > 0, completions };
    this.#hooks = guardHooks(hooks, (error) => this.fail(error));
    this.#ledger = new CallLedger(request.history, this.#hooks, this.#limits, {
      onAnswer: ({ cpuMs = 0 }) => this.#chargeCall(cpuMs),
      onBytes: (change) => events.onBytes(change),
    });
  }

  get owner(): string {
    return this.#request.owner ?? '';
  }

  get vmBytes(): number {
    return this.vm.type === 'live' ? this.#vmBytes : 0;
  }

  get hasWork(): boolean {
    if (this.finished) return false;
    if (this.vm.type !== 'live') return this.waitingSince === undefined || this.#ledger.waiting > 0;
    return !this.vm.started || this.#unseen(this.vm) > 0;
  }

  /** Finishes the run with an error if its source is too long. */
  checkSource(): void {
    const error = tooLong(this.#request.program.source, this.#limits.sourceBytes);
    if (error) this.finish({ type: 'threw', error });
  }

  /** The next message for the lane that holds the VM, or will hold it. */
  nextTurn(build: string): Turn | undefined {
    const turn = this.#chooseTurn(build);
    if (turn) this.waitingSince = undefined;
    return turn;
  }

  /** The lane ended, or is too busy to wait for. */
  loseVm(): void {
    this.evicting = false;
    if (this.vm.type === 'live') this.vm = this.vm.saved ?? { type: 'none' };
  }

  /** A lane ended during this run's turn, after using `cpuMs` on it. `weight` says how much that counts against the run. */
  crash(weight: number, cpuMs: number): void {
    this.crashes += weight;
    if (this.vm.type === 'live') this.#charge(cpuMs, isReplay(this.vm));
  }

  /** Drops the kept memory. The completions remain. */
  dropPages(): void {
    if (this.vm.type === 'kept') this.vm = { type: 'none' };
  }

  /** Throws if the message is impossible: the lane then ends. */
  receive(message: FromLane, body: Buffer): void {
    if (this.finished || message.type === 'ready') return;
    const { vm } = this;
    if (vm.type !== 'live') throw new RangeError(`Run ${this.id} has no VM that could send this.`);
    if (message.type === 'call') this.#receiveCall(vm, message, body);
    else if (message.type === 'abandon') this.#ledger.abandon(message.index);
    else if (message.type === 'log') this.#receiveLog({ ...message, text: body.toString() });
    else if (message.type === 'slice') this.#endSlice(vm, message, body);
    else if (message.type === 'pages') this.#keep(message, body);
    else if (message.type === 'unkept') this.#forget();
    else this.#endRestore(vm, message.ok);
  }

  finish(ending: Ending): void {
    if (this.finished) return;
    this.finished = true;
    this.#ledger.close();
    this.#events.onFinish(this, { ...ending, usage: { ...this.#usage, calls: this.#ledger.count } });
  }

  /** Reports a mistake of the caller to that caller only. */
  fail(error: unknown): void {
    if (this.finished) return;
    this.finished = true;
    this.#ledger.close();
    this.#events.onFail(this, error);
  }

  /** The run exceeded its CPU time. The lane stopped it, or was killed for it. */
  timeOut(): void {
    if (this.vm.type === 'live' && isReplay(this.vm)) {
      this.finish(replayTimedOut(this.#usage, this.#limits));
      return;
    }
    this.#usage.cpuMs = Math.max(this.#usage.cpuMs, this.#cpuMs);
    this.#finishLate();
  }

  /** The CPU time left for this process: an earlier process may have used some of it. */
  get #cpuMs(): number {
    return Math.max(1, this.#limits.cpuMs - (this.#request.history?.cpuMs ?? 0));
  }

  #chooseTurn(build: string): Turn | undefined {
    const { vm } = this;
    if (vm.type === 'kept' && vm.build === build) return this.#restoreTurn(vm);
    if (vm.type !== 'live') return this.#startTurn();
    if (!vm.started) return undefined;
    if (this.#unseen(vm) > 0) {
      this.evicting = false;
      return this.#deliverTurn(vm);
    }
    return this.evicting ? { message: { type: 'evict', run: this.id } } : undefined;
  }

  #unseen({ delivered }: LiveVm): number {
    return this.#ledger.completions.length - delivered + this.#ledger.waiting;
  }

  #startTurn(): Turn {
    const { begun: rebuilt, completions: replayed } = this.#done;
    this.#rebuildMs = 0;
    this.vm = { type: 'live', started: false, rebuilt, delivered: 0, replayed, made: 0 };
    const { seed, epoch, program } = this.#request;
    const { cpuMs, slice } = this.#slice(rebuilt);
    const message = {
      type: 'start',
      run: this.id,
      seed,
      epoch,
      head: program.head,
      ...(program.drains && { drains: true }),
      limits: vmLimits(this.#limits),
      slice,
    } as const;
    return { message, body: program.code, cpuMs, replay: rebuilt };
  }

  /** The pages are kept until the lane confirms them: it may end before that. */
  #restoreTurn(saved: KeptVm): Turn {
    const { pages, registers, build } = saved;
    this.vm = {
      type: 'live',
      started: false,
      rebuilt: true,
      delivered: this.#done.completions,
      replayed: 0,
      made: registers.calls,
      saved,
    };
    const limits = vmLimits(this.#limits);
    return { message: { type: 'restore', run: this.id, vm: registers, limits, build }, body: pages };
  }

  /** Delivers waiting completions in one slice: first the replayed ones, then the new ones. */
  #deliverTurn(vm: LiveVm): Turn {
    const replay = vm.delivered < vm.replayed;
    if (!replay && this.#ledger.completions.length === vm.delivered) this.#ledger.accept(maxDeliveryBytes);
    const known = this.#ledger.completions.slice(vm.delivered, replay ? vm.replayed : undefined);
    const batch = known.slice(0, lengthWithin(known, maxDeliveryBytes));
    vm.delivered += batch.length;
    const items = batch.map(delivered);
    const { cpuMs, slice } = this.#slice(replay);
    return {
      message: { type: 'deliver', run: this.id, items, slice },
      body: batch.map(resultText).join(''),
      cpuMs,
      replay,
    };
  }

  /** The remaining CPU time. */
  #slice(replay: boolean): { cpuMs: number; slice: { cpuUs: number } } {
    const left = replay ? this.#limits.replayCpuMs - this.#rebuildMs : this.#cpuMs - this.#usage.cpuMs;
    const cpuMs = Math.max(0, left);
    return { cpuMs, slice: { cpuUs: Math.ceil(cpuMs * 1000) } };
  }

  #receiveCall(vm: LiveVm, { index, path }: FromLane & { type: 'call' }, body: Buffer): void {
    if (index !== vm.made) throw new RangeError(`Call ${index} is out of order.`);
    vm.made += 1;
    const ending = this.#ledger.make(index, path, body);
    if (ending) this.finish(ending);
  }

  /** A rebuilt VM repeats lines that were already logged, here or in an earlier process. Those are ignored. */
  #receiveLog({ index, level, at, text }: LogLine): void {
    if (index < this.#logLines) return;
    if (index > this.#logLines) throw new RangeError(`Log line ${index} is out of order.`);
    const bytes = Buffer.byteLength(text);
    this.#logCost += costOfLine(bytes);
    if (this.#logCost > this.#limits.logBytes + noticeBytes) throw new RangeError('The log is too long.');
    this.#logLines = index + 1;
    this.#usage.logBytes += bytes;
    this.#hooks.onLog({ index, level, at, text });
  }

  #endSlice(vm: LiveVm, { cpuUs, memoryBytes, state }: FromLane & { type: 'slice' }, body: Buffer): void {
    const replay = isReplay(vm);
    this.#charge(cpuUs / 1000, replay);
    vm.started = true;
    this.#done.begun = true;
    this.#done.completions = Math.max(this.#done.completions, vm.delivered);
    this.#vmBytes = memoryBytes;
    this.#usage.memoryBytes = Math.max(this.#usage.memoryBytes, memoryBytes);
    const waits = state.type === 'waiting' || state.type === 'draining';
    if (waits && this.#unseen(vm) === 0 && !this.#ledger.isAwaited)
      throw new RangeError('The lane reports that the code waits, but no call is open.');
    if (!replay && waits) this.crashes = 0;
    if (state.type === 'draining') this.#noteReturn();
    if (waits) this.#continueOrWait();
    else if (state.type === 'unmade') this.finish(this.#ledger.unmade(state.index));
    else this.#finishWith(state, body, this.#ledger.findMissing(vm.made));
  }

  #charge(ms: number, replay: boolean): void {
    if (!replay) this.#usage.cpuMs += ms;
    else {
      this.#rebuildMs += ms;
      this.#usage.replayCpuMs += ms;
    }
  }

  /** The lane would not notice that no time is left: a short turn ends before its first check. */
  #chargeCall(ms: number): void {
    this.#callMs += ms;
    this.#usage.cpuMs += ms;
    if (ms > 0 && this.#usage.cpuMs >= this.#cpuMs) this.#finishLate();
    else this.#events.onWork(this);
  }

  #finishLate(): void {
    const used = this.#usage.cpuMs + this.#limits.cpuMs - this.#cpuMs;
    this.finish(timedOut(used, this.#callMs, this.#limits));
  }

  #finishWith(state: VmState, body: Buffer, divergence: Ending | undefined): void {
    const error =
      'error' in state && state.error ? locateError(state.error, this.#request.program) : undefined;
    // Code that was stopped did not reach its end: it might still have made the missing calls.
    const ended = state.type === 'returned' || state.type === 'threw';
    if (divergence && ended) this.finish(divergence);
    else if (state.type === 'timedOut') this.timeOut();
    else if (state.type === 'outOfMemory') this.finish(outOfMemory(this.#usage, this.#limits, error));
    else if (state.type === 'trapped') this.finish({ type: 'crashed', message: state.message });
    else if (error) this.finish({ type: 'threw', error });
    else this.#finishReturned(body, state.type === 'returned' ? state.unawaited : undefined);
  }

  #noteReturn(): void {
    if (!this.#hasReturned) this.#hooks.onReturn();
    this.#hasReturned = true;
  }

  #finishReturned(body: Buffer, unawaited: RawUnawaited[] | undefined): void {
    const json = body.toString();
    if (body.length > this.#limits.resultBytes)
      throw new RangeError('The result exceeds the limit of the run.');
    if (body.length <= maxCheckedBytes) JSON.parse(json);
    this.#usage.resultBytes = body.length;
    const { program } = this.#request;
    const calls = unawaited?.map((call) => locateCall(call, program));
    this.finish({ type: 'returned', json, ...(calls && { unawaited: calls }) });
  }

  #keep({ vm: registers, build }: FromLane & { type: 'pages' }, body: Buffer): void {
    this.evicting = false;
    this.vm = { type: 'kept', registers, pages: Buffer.from(body), build };
    this.#continueOrWait();
  }

  #forget(): void {
    this.evicting = false;
    this.vm = { type: 'none' };
    this.#continueOrWait();
  }

  #endRestore(vm: LiveVm, ok: boolean): void {
    delete vm.saved;
    if (ok) vm.started = true;
    else this.vm = { type: 'none' };
    this.#events.onWork(this);
  }

  #continueOrWait(): void {
    const more = this.vm.type === 'live' ? this.#unseen(this.vm) : this.#ledger.waiting;
    if (more > 0) {
      this.#events.onWork(this);
      return;
    }
    this.waitingSince = performance.now();
    if (this.vm.type === 'live') this.#hooks.onRest({ ...this.#usage, calls: this.#ledger.count });
  }
}
