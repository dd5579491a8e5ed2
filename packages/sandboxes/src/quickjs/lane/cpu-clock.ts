/**
 * Measures the CPU time of slices. Asking the system costs up to a tenth of a short slice. So a slice that ends within a millisecond is
 * charged its wall time, which no thread can exceed. A longer slice is charged the CPU time of this process since the last query, but at
 * most its wall time.
 */
const shortMs = 1;
/** A query older than this would charge a slice for earlier slices. */
const freshMs = 5;

export class CpuClock {
  #begunAt = 0;
  #askedAt = Number.NEGATIVE_INFINITY;
  #usedWhenAsked = 0;

  begin(): void {
    this.#begunAt = performance.now();
    if (this.#begunAt - this.#askedAt < freshMs) return;
    this.#askedAt = this.#begunAt;
    this.#usedWhenAsked = processUs();
  }

  /** Microseconds since the slice began. */
  used(): number {
    const passedUs = Math.round((performance.now() - this.#begunAt) * 1000);
    if (passedUs < shortMs * 1000) return passedUs;
    return Math.min(passedUs, processUs() - this.#usedWhenAsked);
  }
}

function processUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
