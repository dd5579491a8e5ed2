import { FairQueue } from '@executor/engine';
import type { SandboxRun } from '../run/sandbox-run.ts';

export interface HeavyLimits {
  /** Maximum number of heavy turns at once. */
  max: number;
  perOwner: number;
}

/**
 * Turns that keep a lane busy for long. Only a few of them run at once, each in a lane with a low priority. The others wait without a
 * lane, so that they take neither memory nor lanes from other runs. Only one heavy turn may use much memory. Owners take turns.
 */
export class HeavyTurns {
  readonly #limits: HeavyLimits;
  readonly #running = new Set<SandboxRun>();
  readonly #waiting = new FairQueue<SandboxRun>();
  /** Runs whose heavy turn used much memory when it lost its lane. */
  readonly #large = new WeakSet<SandboxRun>();
  /** The running turn that may use much memory. */
  #largest: SandboxRun | undefined;

  constructor(limits: HeavyLimits) {
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Whether the run may go on with a turn that has become heavy. */
  admit(run: SandboxRun): boolean {
    if (!this.#running.has(run) && !this.#hasRoomFor(run)) return false;
    this.#running.add(run);
    return true;
  }

  /** Whether the run may go on with a heavy turn that uses much memory. */
  admitLarge(run: SandboxRun): boolean {
    this.#large.add(run);
    this.#largest ??= run;
    return this.#largest === run;
  }

  wait(run: SandboxRun): void {
    this.#waiting.add(run.owner, run);
  }

  isWaiting(run: SandboxRun): boolean {
    return this.#waiting.includes(run.owner, run);
  }

  /** The turn has ended, or nobody waits for the run any more. */
  end(run: SandboxRun): void {
    this.#running.delete(run);
    if (this.#largest === run) this.#largest = undefined;
    this.#waiting.remove(run.owner, run);
  }

  /** The next run that may begin its heavy turn again. */
  next(): SandboxRun | undefined {
    const next = this.#waiting.next((run) => this.#hasRoomFor(run));
    if (next === undefined) return undefined;
    this.#waiting.remove(next.owner, next);
    this.#running.add(next);
    if (this.#large.has(next)) this.#largest = next;
    return next;
  }

  #hasRoomFor(run: SandboxRun): boolean {
    const { max, perOwner } = this.#limits;
    if (this.#largest !== undefined && this.#large.has(run)) return false;
    const own = [...this.#running].filter(({ owner }) => owner === run.owner).length;
    return this.#running.size < max && own < perOwner;
  }
}
