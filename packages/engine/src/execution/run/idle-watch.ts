import type { Clock } from '../../clock.ts';
import type { SandboxUsage } from '../../ports/sandbox.ts';
import type { HeldRun } from './held-run.ts';

interface Options {
  clock: Clock;
  /** A run that has been idle for this long is released. */
  evictAfterMs: number;
  /** The run is idle. Its slot may be needed. */
  onIdle(): void;
  /** The run continues, if it was idle. */
  onBusy(): void;
  /** The run has been idle for long enough. */
  onEvict(): void;
}

/** Watches whether a held run is idle: its code waits, and every pending call waits for a reviewer or a timer. */
export class IdleWatch {
  readonly #held: HeldRun;
  readonly #options: Options;
  #codeWaits = false;
  /** Whether the journal says that the run waits. */
  #announced = false;
  #cpuMs = 0;
  #cancelTimer = () => {};

  constructor(held: HeldRun, options: Options) {
    this.#held = held;
    this.#options = options;
  }

  /** Whether nothing is lost if the run is released now. */
  get isReleasable(): boolean {
    const { gate, pending } = this.#held;
    return this.#codeWaits && gate.isActive && pending.allRebuildable;
  }

  /** Whether the run is idle but cannot be released, because a call waits for a reviewer in the middle of its work. */
  get isPinned(): boolean {
    const { gate, pending } = this.#held;
    return this.#codeWaits && gate.isActive && !pending.allRebuildable && pending.noneWorks;
  }

  codeWaits({ cpuMs }: SandboxUsage): void {
    this.#cpuMs = cpuMs;
    this.#codeWaits = true;
    this.check();
  }

  codeRuns(): void {
    this.#codeWaits = false;
    this.#options.onBusy();
  }

  /** The code or a call continues. */
  end(): void {
    this.cancelTimer();
    this.#options.onBusy();
    if (!this.#announced) return;
    this.#announced = false;
    this.#held.record({ type: 'execution.resumed' }, { status: 'running' });
  }

  /** If the run is idle: announces that it waits, and starts the timer after which it is released. */
  check(): void {
    const { clock, evictAfterMs, onIdle, onEvict } = this.#options;
    const { pending } = this.#held;
    if (this.isPinned) onIdle();
    if (!this.isReleasable) return;
    const next = pending.nextTime();
    const endsSoon = next !== undefined && next - clock.now().getTime() < evictAfterMs;
    if (pending.anyNeedsReviewer || !endsSoon) this.announce();
    if (endsSoon) return;
    this.cancelTimer();
    this.#cancelTimer = clock.after(evictAfterMs, onEvict);
    onIdle();
  }

  /** Writes to the journal that the run waits, with the CPU time it has used. */
  announce(): void {
    if (this.#announced) return;
    this.#announced = true;
    const { gate, journal, state } = this.#held;
    // Not folded into the state: `state.cpuMs` counts what the run used in earlier processes.
    const waiting = { type: 'execution.waiting', cpuMs: this.#cpuMs + state.cpuMs } as const;
    if (gate.isHeld) journal.append(waiting, { status: 'waiting' });
    journal.flush().catch(() => {});
  }

  cancelTimer(): void {
    this.#cancelTimer();
    this.#cancelTimer = () => {};
  }
}
