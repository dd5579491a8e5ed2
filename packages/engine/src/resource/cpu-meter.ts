import type { Meter } from '../ports/meter.ts';

/** The time that this process computes for one caller, so that it can be charged. */
export class CpuMeter implements Meter {
  #ms = 0;

  get ms(): number {
    return this.#ms;
  }

  add(ms: number): void {
    this.#ms += ms;
  }

  measure<Result>(work: () => Result): Result {
    const startedAt = performance.now();
    try {
      return work();
    } finally {
      this.#ms += performance.now() - startedAt;
    }
  }
}
