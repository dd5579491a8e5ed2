/**
 * The CPU time of one slice after another. Asking the system costs as much as a tenth of a short slice, so one that is over within
 * a millisecond is charged what passed on the wall clock: no thread uses more. A longer one is charged what this process
 * used since it was last asked, but not more than passed.
 */
const shortMs = 1;
/** What was asked longer ago than this would charge the slice for others before it. */
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
