import type { Clock } from '../clock.ts';
import type { SandboxUsage } from '../ports/sandbox.ts';
import type { Outstanding } from './outstanding.ts';

interface RestOptions {
  clock: Clock;
  outstanding: Outstanding;
  /** A run that has only waited for this long is dropped. */
  evictAfterMs: number;
  /** Whether the run is still to go on, here. */
  isGoing(): boolean;
  /** Everybody shall know that it waits, with the CPU time it used in this process. */
  onWaiting(cpuMs: number): void;
  onResumed(): void;
  onDue(): void;
  /** Its place may be wanted. */
  onIdle(): void;
}

/** Whether a run does anything, as opposed to waiting for people and times; and when it has waited long enough to be dropped. */
export class Rest {
  readonly #options: RestOptions;
  #codeRests = false;
  #told = false;
  #cpuMs = 0;
  #callOff = () => {};

  constructor(options: RestOptions) {
    this.#options = options;
  }

  /** Whether nothing is lost by dropping the run now. */
  get isComplete(): boolean {
    return this.#codeRests && this.#options.isGoing() && this.#options.outstanding.allWait;
  }

  /** Whether it only waits and cannot be dropped: a call of it waits for a person in the middle of what it does. */
  get isPinned(): boolean {
    const { outstanding, isGoing } = this.#options;
    return this.#codeRests && isGoing() && !outstanding.allWait && outstanding.nothingWorks;
  }

  codeRests({ cpuMs }: SandboxUsage): void {
    this.#cpuMs = cpuMs;
    this.#codeRests = true;
    this.consider();
  }

  codeGoesOn(): void {
    this.#codeRests = false;
  }

  /** Something goes on: the code, or a call while the code still rests. */
  stir(): void {
    this.callOff();
    if (!this.#told) return;
    this.#told = false;
    this.#options.onResumed();
  }

  /** Where the run only waits: says so, and drops it after a while. */
  consider(): void {
    const { outstanding, clock, evictAfterMs, onIdle, onDue } = this.#options;
    if (this.isPinned) onIdle();
    if (!this.isComplete) return;
    const next = outstanding.nextTime();
    const soon = next !== undefined && next - clock.now().getTime() < evictAfterMs;
    if (outstanding.hasPeople || !soon) this.tell();
    if (soon) return;
    this.callOff();
    this.#callOff = clock.after(evictAfterMs, onDue);
    onIdle();
  }

  tell(): void {
    if (this.#told) return;
    this.#told = true;
    this.#options.onWaiting(this.#cpuMs);
  }

  callOff(): void {
    this.#callOff();
    this.#callOff = () => {};
  }
}
