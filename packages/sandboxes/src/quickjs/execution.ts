import type {
  Completion,
  LogLine,
  SandboxHooks,
  SandboxLimits,
  SandboxOutcome,
  SandboxRequest,
  SandboxUsage,
} from '@executor/engine';
import { CallLedger } from './call-ledger.ts';
import { type Ending, outOfMemory, replayTimedOut, timedOut } from './ending.ts';
import { guardHooks } from './guard-hooks.ts';
import { resolveLimits, tooLong, vmLimits } from './limits.ts';
import { locate } from './locate.ts';
import { costOfLine, noticeBytes } from './log-budget.ts';
import type { DeliveredItem, FromLane, VmRegisters, VmState } from './messages.ts';
import type { Turn } from './turn.ts';

/**
 * One run, from the server's side. The ledger is its whole past: a VM is only a cache of what the code made of it, and may be lost
 * at any time. A completion enters the ledger before the code sees it, and a rebuilt VM is sent exactly those, in their order.
 */
export type VmPlace =
  | { type: 'none' }
  /** It was sent `delivered` completions, of which it only catches up on the first `replayed`, and made `made` calls. */
  | {
      type: 'live';
      started: boolean;
      rebuilt: boolean;
      delivered: number;
      replayed: number;
      made: number;
      saved?: KeptVm;
    }
  | KeptVm;

interface KeptVm {
  type: 'kept';
  pages: Buffer;
  registers: VmRegisters;
  build: string;
}

type LiveVm = VmPlace & { type: 'live' };

export interface ExecutionEvents {
  /** There is something to do for it. */
  onWork(execution: Execution): void;
  onFinish(execution: Execution, outcome: SandboxOutcome): void;
  /** A hook threw, or what the engine gave makes no sense. */
  onFail(execution: Execution, error: unknown): void;
  onBytes(change: number): void;
}

export class Execution {
  place: VmPlace = { type: 'none' };
  /** Since when it has nothing to do but wait; undefined while it has, also when a VM was lost in the middle of it. */
  waitingSince: number | undefined;
  /** Its memory has been asked for. */
  evicting = false;
  /** Lanes that ended under it for no known reason, since it last got anywhere. */
  crashes = 0;
  finished = false;
  private readonly limits: SandboxLimits;
  private readonly hooks: Required<SandboxHooks>;
  private readonly ledger: CallLedger;
  private readonly usage: SandboxUsage = {
    cpuMs: 0,
    replayCpuMs: 0,
    memoryBytes: 0,
    calls: 0,
    logBytes: 0,
    resultBytes: 0,
  };
  private logLines: number;
  private logCost = 0;
  private begun = false;
  /** CPU of the rebuild that is under way. */
  private rebuildMs = 0;

  constructor(
    readonly id: number,
    private readonly request: SandboxRequest,
    hooks: SandboxHooks,
    private readonly events: ExecutionEvents,
  ) {
    this.limits = resolveLimits(request.limits);
    this.logLines = request.history?.logLines ?? 0;
    this.hooks = guardHooks(hooks, (error) => this.fail(error));
    this.ledger = new CallLedger(request.history, this.hooks, this.limits, {
      onAnswer: () => events.onWork(this),
      onBytes: (change) => events.onBytes(change),
    });
  }

  get hasWork(): boolean {
    if (this.finished) return false;
    if (this.place.type !== 'live') return this.waitingSince === undefined || this.ledger.waiting > 0;
    return !this.place.started || this.unseen(this.place) > 0;
  }

  /** Ends a run that must not begin. */
  refuse(): void {
    const error = tooLong(this.request.program.source, this.limits.sourceBytes);
    if (error) this.finish({ type: 'threw', error });
  }

  /** What to ask of the lane that holds, or shall hold, the VM. */
  nextTurn(build: string): Turn | undefined {
    const turn = this.chooseTurn(build);
    if (turn) this.waitingSince = undefined;
    return turn;
  }

  /** The lane is gone, or too busy to wait for. */
  loseVm(): void {
    this.evicting = false;
    if (this.place.type === 'live') this.place = this.place.saved ?? { type: 'none' };
  }

  /** A lane ended under it, having used so much CPU on its turn. */
  crash(share: number, cpuMs: number): void {
    this.crashes += share;
    if (this.place.type === 'live') this.charge(cpuMs, isReplay(this.place));
  }

  /** Gives up the kept memory; the completions remain. */
  dropPages(): void {
    if (this.place.type === 'kept') this.place = { type: 'none' };
  }

  /** Throws when the lane says what cannot be. */
  receive(message: FromLane, body: Buffer): void {
    if (this.finished || message.type === 'ready') return;
    const { place } = this;
    if (place.type !== 'live') throw new RangeError(`Run ${this.id} has no VM that could say this.`);
    if (message.type === 'call') this.receiveCall(place, message, body);
    else if (message.type === 'abandon') this.ledger.abandon(message.index);
    else if (message.type === 'log') this.receiveLog({ ...message, text: body.toString() });
    else if (message.type === 'slice') this.endSlice(place, message, body);
    else if (message.type === 'pages') this.keep(message, body);
    else if (message.type === 'unkept') this.forget();
    else this.endRestore(place, message.ok);
  }

  finish(ending: Ending): void {
    if (this.finished) return;
    this.finished = true;
    this.ledger.close();
    this.events.onFinish(this, { ...ending, usage: { ...this.usage, calls: this.ledger.count } });
  }

  /** Whoever started the run must hear of their own mistake, and nobody else. */
  fail(error: unknown): void {
    if (this.finished) return;
    this.finished = true;
    this.ledger.close();
    this.events.onFail(this, error);
  }

  /** It ran on past what it may use; the lane was killed for it, or noticed. */
  timeOut(): void {
    if (this.place.type === 'live' && isReplay(this.place)) {
      this.finish(replayTimedOut(this.usage, this.limits));
      return;
    }
    this.usage.cpuMs = Math.max(this.usage.cpuMs, this.cpuMs);
    const used = this.usage.cpuMs + this.limits.cpuMs - this.cpuMs;
    this.finish(timedOut(used, this.limits));
  }

  /** What the run may use here: some of it may have been used before. */
  private get cpuMs(): number {
    return Math.max(1, this.limits.cpuMs - (this.request.history?.cpuMs ?? 0));
  }

  private chooseTurn(build: string): Turn | undefined {
    const { place } = this;
    if (place.type === 'kept' && place.build === build) return this.restoreTurn(place);
    if (place.type !== 'live') return this.startTurn();
    if (!place.started) return undefined;
    if (this.unseen(place) > 0) {
      this.evicting = false;
      return this.deliverTurn(place);
    }
    return this.evicting ? { message: { type: 'evict', run: this.id } } : undefined;
  }

  private unseen({ delivered }: LiveVm): number {
    return this.ledger.completions.length - delivered + this.ledger.waiting;
  }

  private startTurn(): Turn {
    const replayed = this.ledger.completions.length;
    const rebuilt = this.begun || replayed > 0;
    this.begun = true;
    this.rebuildMs = 0;
    this.place = { type: 'live', started: false, rebuilt, delivered: 0, replayed, made: 0 };
    const { seed, epoch, program } = this.request;
    const { cpuMs, slice } = this.slice(rebuilt);
    const message = {
      type: 'start',
      run: this.id,
      seed,
      epoch,
      head: program.head,
      limits: vmLimits(this.limits),
      slice,
    } as const;
    return { message, body: program.code, cpuMs, replay: rebuilt };
  }

  /** The pages are kept until the lane has them: it may end before. */
  private restoreTurn(saved: KeptVm): Turn {
    const { pages, registers, build } = saved;
    const delivered = this.ledger.completions.length;
    this.place = {
      type: 'live',
      started: false,
      rebuilt: true,
      delivered,
      replayed: 0,
      made: registers.calls,
      saved,
    };
    const limits = vmLimits(this.limits);
    return { message: { type: 'restore', run: this.id, vm: registers, limits, build }, body: pages };
  }

  /** All that waits, in one slice: first what the VM only catches up on, then what is new. */
  private deliverTurn(place: LiveVm): Turn {
    const replay = place.delivered < place.replayed;
    if (!replay) this.ledger.accept();
    const batch = this.ledger.completions.slice(place.delivered, replay ? place.replayed : undefined);
    place.delivered += batch.length;
    const items = batch.map(delivered);
    const { cpuMs, slice } = this.slice(replay);
    return {
      message: { type: 'deliver', run: this.id, items, slice },
      body: batch.map(resultText).join(''),
      cpuMs,
      replay,
    };
  }

  /** What is left of the CPU time. */
  private slice(replay: boolean): { cpuMs: number; slice: { cpuUs: number } } {
    const left = replay ? this.limits.replayCpuMs - this.rebuildMs : this.cpuMs - this.usage.cpuMs;
    const cpuMs = Math.max(0, left);
    return { cpuMs, slice: { cpuUs: Math.ceil(cpuMs * 1000) } };
  }

  private receiveCall(place: LiveVm, { index, path }: FromLane & { type: 'call' }, body: Buffer): void {
    if (index !== place.made) throw new RangeError(`Call ${index} is out of order.`);
    place.made += 1;
    const ending = this.ledger.make(index, path, body);
    if (ending) this.finish(ending);
  }

  /** A rebuilt VM says again what was said before, here or in an earlier process. */
  private receiveLog({ index, level, at, text }: LogLine): void {
    if (index < this.logLines) return;
    if (index > this.logLines) throw new RangeError(`Line ${index} of the log is out of order.`);
    const bytes = Buffer.byteLength(text);
    this.logCost += costOfLine(bytes);
    if (this.logCost > this.limits.logBytes + noticeBytes) throw new RangeError('The log is too long.');
    this.logLines = index + 1;
    this.usage.logBytes += bytes;
    this.hooks.onLog({ index, level, at, text });
  }

  private endSlice(
    place: LiveVm,
    { cpuUs, memoryBytes, state }: FromLane & { type: 'slice' },
    body: Buffer,
  ): void {
    const replay = isReplay(place);
    this.charge(cpuUs / 1000, replay);
    place.started = true;
    this.usage.memoryBytes = Math.max(this.usage.memoryBytes, memoryBytes);
    if (state.type === 'waiting' && this.unseen(place) === 0 && !this.ledger.isAwaited)
      throw new RangeError('The lane says that the code waits, and there is nothing to wait for.');
    if (!replay && state.type === 'waiting') this.crashes = 0;
    if (state.type === 'waiting') this.rest();
    else if (state.type === 'unmade') this.finish(this.ledger.unmade(state.index));
    else this.finishWith(state, body, this.ledger.findMissing(place.made));
  }

  private charge(ms: number, replay: boolean): void {
    if (!replay) this.usage.cpuMs += ms;
    else {
      this.rebuildMs += ms;
      this.usage.replayCpuMs += ms;
    }
  }

  private finishWith(state: VmState, body: Buffer, divergence: Ending | undefined): void {
    const error = 'error' in state && state.error ? locate(state.error, this.request.program) : undefined;
    // Code that was stopped has not come to its end: it may have made the calls that it owes.
    const ended = state.type === 'returned' || state.type === 'threw';
    if (divergence && ended) this.finish(divergence);
    else if (state.type === 'timedOut') this.timeOut();
    else if (state.type === 'outOfMemory') this.finish(outOfMemory(this.usage, this.limits, error));
    else if (state.type === 'trapped') this.finish({ type: 'crashed', message: state.message });
    else if (error) this.finish({ type: 'threw', error });
    else this.finishReturned(body);
  }

  private finishReturned(body: Buffer): void {
    const json = body.toString();
    if (body.length > this.limits.resultBytes)
      throw new RangeError('The result is beyond the limit of the run.');
    JSON.parse(json);
    this.usage.resultBytes = body.length;
    this.finish({ type: 'returned', json });
  }

  private keep({ vm: registers, build }: FromLane & { type: 'pages' }, body: Buffer): void {
    this.evicting = false;
    this.place = { type: 'kept', registers, pages: Buffer.from(body), build };
    this.rest();
  }

  private forget(): void {
    this.evicting = false;
    this.place = { type: 'none' };
    this.rest();
  }

  private endRestore(place: LiveVm, ok: boolean): void {
    delete place.saved;
    if (ok) place.started = true;
    else this.place = { type: 'none' };
    this.events.onWork(this);
  }

  private rest(): void {
    const more = this.place.type === 'live' ? this.unseen(this.place) : this.ledger.waiting;
    if (more > 0) {
      this.events.onWork(this);
      return;
    }
    this.waitingSince = performance.now();
    if (this.place.type === 'live') this.hooks.onRest({ ...this.usage, calls: this.ledger.count });
  }
}

/** Whether the slice that runs, or ran last, only repeated what was done and paid for before. */
function isReplay({ started, rebuilt, delivered, replayed }: LiveVm): boolean {
  return started ? replayed > 0 && delivered <= replayed : rebuilt;
}

function delivered({ index, at, result }: Completion): DeliveredItem {
  const { length } = resultText({ result });
  if (result.type === 'value') return { index, at, length };
  return { index, at, length, error: { name: result.name, message: result.message } };
}

function resultText({ result }: Pick<Completion, 'result'>): string {
  return result.type === 'value' ? result.json : (result.details ?? '');
}
