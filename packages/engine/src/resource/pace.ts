import { setImmediate } from 'node:timers/promises';
import type { Meter } from '../ports/meter.ts';
import { CpuMeter } from './cpu-meter.ts';

/** Long work on the server's thread lets other work pass after this time. */
const turnMs = 10;

/** Divides long work into short turns, and counts its time. */
export class Pace {
  readonly #meter: Meter;
  #startedAt = performance.now();

  constructor(meter: Meter = new CpuMeter()) {
    this.#meter = meter;
  }

  /** Whether other work has waited for long enough. */
  get isDue(): boolean {
    return performance.now() - this.#startedAt >= turnMs;
  }

  /** Lets other work pass. */
  async rest(): Promise<void> {
    this.end();
    await setImmediate();
    this.#startedAt = performance.now();
  }

  /** The work is done, or waits for something. */
  end(): void {
    this.#meter.add(performance.now() - this.#startedAt);
    this.#startedAt = performance.now();
  }

  /** Takes the steps of a computation one by one. */
  async take<Result>(steps: Iterator<unknown, Result>): Promise<Result> {
    for (;;) {
      const step = steps.next();
      if (step.done) {
        this.end();
        return step.value;
      }
      if (this.isDue) await this.rest();
    }
  }
}
