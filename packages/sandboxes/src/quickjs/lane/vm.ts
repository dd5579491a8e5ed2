import type { DeliveredItem, RawError, VmLimits, VmRegisters, VmState } from '../messages/messages.ts';
import { codeFile, indescribable, outOfMemory, thrownNull } from '../prelude/contract.ts';
import type { CpuClock } from './cpu-clock.ts';
import { answerHostCall, type BridgedVm, type VmEvents } from './host-methods.ts';
import { type Image, pageBytes } from './image.ts';
import { type HostArguments, type Machine, MachineFull, type MachineHost, type Value } from './machine.ts';
import { parseRawError } from './raw-error.ts';
import { parseUnawaited } from './raw-unawaited.ts';

/** How often running code is checked against its CPU limit. Reading the CPU clock has a cost. */
const cpuCheckMs = 1;
const maxKeptResult = 64 * 1024;

/**
 * One run inside a lane. Its whole state is the machine's memory and `registers`, so another process can continue it. After each completion
 * all jobs run before the next completion is delivered. Otherwise the code could see two completions in another order.
 */
export class Vm implements MachineHost, BridgedVm {
  /** The machine trapped or was stopped in the middle. It must not be used again. */
  broken = false;
  settled: { type: 'returned'; json: string } | { type: 'threw'; error: RawError } | undefined;
  readonly outstanding = new Map<number, number>();
  outstandingBytes = 0;
  calls = 0;
  logs = 0;
  logBytes = 0;
  omittedLines = 0;
  #clock = 0;
  #timedOut = false;
  /** Whether the run goes on after its code has returned, until the calls that the code did not await have settled. */
  #drains = false;
  #isDraining = false;
  #cpuLimitUs = 0;
  #cpuCheckedAt = 0;
  readonly #rejections = new Map<number, Rejection>();
  readonly #image: Image;
  readonly #cpuClock: CpuClock;

  constructor(
    readonly machine: Machine,
    image: Image,
    readonly limits: VmLimits,
    readonly events: VmEvents,
    cpuClock: CpuClock,
  ) {
    this.#image = image;
    this.#cpuClock = cpuClock;
    machine.host = this;
  }

  start({ code, head, drains }: VmProgram, seed: string, epoch: number): VmState {
    this.#clock = epoch;
    this.#drains = drains;
    return this.#attempt(() => {
      this.machine.free(this.machine.invoke(this.#image.entries.seed, this.machine.newString(seed)));
      const main = this.machine.evaluate(code, codeFile);
      if (this.machine.isException(main)) return this.#fail(this.machine.takeException(), 'syntax');
      const { start } = this.#image.entries;
      const started = this.machine.invoke(
        start,
        main,
        ...[head, Number(drains)].map((n) => this.machine.newNumber(n)),
      );
      if (this.machine.isException(started)) return this.#fail(this.machine.takeException(), 'thrown');
      this.machine.free(started);
      return this.#settle();
    });
  }

  deliver(item: DeliveredItem, json: string): VmState {
    if (item.index >= this.calls) return { type: 'unmade', index: item.index };
    this.#clock = Math.max(this.#clock, item.at);
    this.outstandingBytes -= this.outstanding.get(item.index) ?? 0;
    this.outstanding.delete(item.index);
    return this.#attempt(() => {
      const { machine } = this;
      const values = [machine.newNumber(item.index), machine.newString(json)];
      if (item.error) values.push(machine.newString(item.error.name), machine.newString(item.error.message));
      const delivered = machine.invoke(this.#image.entries.deliver, ...values);
      if (machine.isException(delivered)) {
        const failure = this.#fault(machine.takeException(), 'thrown');
        if (failure) return failure;
      } else machine.free(delivered);
      return this.#settle();
    });
  }

  /** Starts to measure the CPU time of a slice. */
  allow(cpuUs: number): void {
    this.#cpuClock.begin();
    this.#cpuLimitUs = cpuUs;
    this.#cpuCheckedAt = performance.now();
  }

  /** Adds a last line if the log became full. */
  endLog(): void {
    if (this.omittedLines === 0) return;
    const lines = this.omittedLines === 1 ? '1 line is' : `${this.omittedLines} lines are`;
    this.events.log(this.logs++, 'warn', `The log was full: ${lines} left out.`);
  }

  cpuUs(): number {
    return this.#cpuClock.used();
  }

  /** A large result is outside of the machine's memory. Such a VM is rebuilt instead. */
  get isKeepable(): boolean {
    return this.settled?.type !== 'returned' || this.settled.json.length <= maxKeptResult;
  }

  get registers(): VmRegisters {
    return {
      stackPointer: this.machine.stackPointer,
      memoryBytes: this.machine.memory.buffer.byteLength,
      clock: this.#clock,
      calls: this.calls,
      logs: this.logs,
      logBytes: this.logBytes,
      omittedLines: this.omittedLines,
      outstanding: [...this.outstanding],
      ...(this.#drains && { drains: true }),
      ...(this.settled?.type === 'returned' && { returned: this.settled.json }),
    };
  }

  set registers(registers: VmRegisters) {
    this.machine.stackPointer = registers.stackPointer;
    this.#clock = registers.clock;
    this.calls = registers.calls;
    this.logs = registers.logs;
    this.logBytes = registers.logBytes;
    this.omittedLines = registers.omittedLines;
    this.#drains = registers.drains === true;
    this.#isDraining = registers.returned !== undefined;
    if (registers.returned !== undefined) this.settled = { type: 'returned', json: registers.returned };
    for (const [index, bytes] of registers.outstanding) {
      this.outstanding.set(index, bytes);
      this.outstandingBytes += bytes;
    }
  }

  call(method: number, args: HostArguments): Value {
    return answerHostCall(this, method, args);
  }

  now(): number {
    return this.#clock;
  }

  interrupt(): boolean {
    if (this.#timedOut) return true;
    const now = performance.now();
    if (now - this.#cpuCheckedAt < cpuCheckMs) return false;
    this.#cpuCheckedAt = now;
    this.#timedOut = this.cpuUs() > this.#cpuLimitUs;
    return this.#timedOut;
  }

  rejection(promise: Value, reason: Value, handled: boolean): void {
    const identity = this.machine.identity(promise);
    const earlier = this.#rejections.get(identity);
    this.#rejections.delete(identity);
    if (!handled) this.#rejections.set(identity, { promise, reason, isLate: this.#hasReturned });
    const unused = handled ? [promise, reason] : [];
    for (const value of earlier ? [...unused, earlier.promise, earlier.reason] : unused)
      this.machine.free(value);
  }

  /** Runs a step that may trap. */
  #attempt(step: () => VmState): VmState {
    try {
      const state = step();
      if (!this.#timedOut) return state;
    } catch (error) {
      this.broken = true;
      if (error instanceof MachineFull) return { type: 'outOfMemory' };
      if (!this.#timedOut) return { type: 'trapped', message: trapMessage(error) };
    }
    this.broken = true;
    return { type: 'timedOut' };
  }

  #settle(): VmState {
    const failure = this.#runJobs();
    if (failure) return failure;
    if (this.settled?.type === 'returned') return this.#drain();
    if (this.settled) return this.#asFailure(this.settled.error);
    if (this.outstanding.size > 0) return { type: 'waiting' };
    return { type: 'threw', error: neverSettles };
  }

  /** Runs jobs until none is left and no rejection is unhandled. Returns how the run failed, if it did. */
  #runJobs(): VmState | undefined {
    for (;;) {
      let step = this.machine.step();
      while (!this.#timedOut && step === 'ran') step = this.machine.step();
      if (this.#timedOut) return { type: 'timedOut' };
      const [rejection] = this.#rejections.values();
      if (step !== 'threw' && !rejection) return undefined;
      const failure =
        step === 'threw' ? this.#fault(this.machine.takeException(), 'unhandled') : this.#reject(rejection);
      if (failure) return failure;
    }
  }

  /** Nothing handles this rejection. */
  #reject(rejection: Rejection | undefined): VmState | undefined {
    if (!rejection) return undefined;
    const { promise, reason, isLate } = rejection;
    if (!isLate) return this.#fail(reason, 'unhandled');
    this.#rejections.delete(this.machine.identity(promise));
    this.machine.free(promise);
    return this.#fault(reason, 'unhandled');
  }

  /** An error that nothing caught. The run fails, unless its code has returned: then its status is fixed, and the error is logged. */
  #fault(thrown: Value, reason: RawError['reason']): VmState | undefined {
    if (!this.#hasReturned) return this.#fail(thrown, reason);
    const copy = this.machine.duplicate(thrown);
    const state = this.#fail(thrown, reason);
    if (state.type !== 'threw') return state;
    this.machine.free(this.machine.invoke(this.#image.entries.noteError, copy));
    return undefined;
  }

  /** Whether the status of the run is fixed, although it goes on. */
  get #hasReturned(): boolean {
    return this.#drains && this.settled?.type === 'returned';
  }

  #drain(): VmState {
    if (!this.#drains || (this.outstanding.size === 0 && !this.#isDraining)) return { type: 'returned' };
    const { machine } = this;
    const drained = machine.invoke(this.#image.entries.drain);
    if (machine.isException(drained)) return this.#fail(machine.takeException(), 'thrown');
    if (this.#timedOut) return { type: 'timedOut' };
    this.#isDraining = true;
    const list = machine.isString(drained) ? machine.readString(drained) : undefined;
    machine.free(drained);
    if (list === undefined) return { type: 'draining' };
    const unawaited = parseUnawaited(list);
    return unawaited.length > 0 ? { type: 'returned', unawaited } : { type: 'returned' };
  }

  #fail(thrown: Value, reason: RawError['reason']): VmState {
    if (this.#timedOut) return { type: 'timedOut' };
    const described = this.machine.invoke(this.#image.entries.describeError, thrown);
    if (!this.machine.isString(described)) return { type: 'outOfMemory' };
    return this.#asFailure({ ...parseRawError(this.machine.readString(described)), reason });
  }

  /** Recognises a failed allocation that nothing caught. The engine gives no other sign of it than these errors. */
  #asFailure(error: RawError): VmState {
    if (error.name === 'InternalError' && error.message === outOfMemory)
      return { type: 'outOfMemory', error };
    const full = this.machine.memory.buffer.byteLength >= this.limits.memoryPages * pageBytes;
    const isSign = error.message === thrownNull || error.message === indescribable;
    return full && isSign ? { type: 'outOfMemory' } : { type: 'threw', error };
  }
}

interface VmProgram {
  code: string;
  head: number;
  drains: boolean;
}

interface Rejection {
  promise: Value;
  reason: Value;
  /** It happened after the code had returned. */
  isLate: boolean;
}

const neverSettles: RawError = {
  name: 'UnsettledError',
  message:
    'The code waits for a promise that nothing can settle: no call and no timer is open. Look for a promise whose resolve function is never called.',
  stack: '',
  reason: 'unsettled',
};

function trapMessage(error: unknown): string {
  if (error instanceof RangeError) return 'The engine ran out of stack.';
  return 'The engine stopped on an error of its own.';
}
