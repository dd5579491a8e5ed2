import type { Clock } from '../../clock.ts';

/** If several times are close together, one sweep is enough. */
const minMs = 20;

/** Starts the next sweep of a worker: at a time of day, and after a period of running time whatever the clock says. */
export class SweepTimer {
  readonly #clock: Clock;
  readonly #sweep: () => void;
  #time = Number.POSITIVE_INFINITY;
  #cancelTime = () => {};
  #cancelPeriod = () => {};

  constructor(clock: Clock, sweep: () => void) {
    this.#clock = clock;
    this.#sweep = sweep;
  }

  /** At that time or earlier. */
  by(time: number): void {
    if (time >= this.#time) return;
    this.#cancelTime();
    this.#time = time;
    const soonest = this.#clock.now().getTime() + minMs;
    this.#cancelTime = this.#clock.at(Math.max(time, soonest), () => {
      this.#time = Number.POSITIVE_INFINITY;
      this.#sweep();
    });
  }

  after(ms: number): void {
    this.#cancelPeriod();
    this.#cancelPeriod = this.#clock.after(ms, this.#sweep);
  }

  cancel(): void {
    this.#cancelTime();
    this.#cancelPeriod();
    this.#time = Number.POSITIVE_INFINITY;
  }
}
