import type { Clock } from '../../clock.ts';

/** The timeout of a call, without the time that reviewers take. */
export class Deadline {
  readonly #own = new AbortController();
  /** Rejects when the time is up or the run ends. */
  readonly end: Promise<never>;
  readonly #ms: number;
  readonly #maxMs: number;
  /** When the whole time began, and when progress last prolonged it. */
  #beganAt: number;
  #prolongedAt: number;
  /** The time that is left, as of `#startedAt`. */
  #leftMs: number;
  #startedAt = 0;
  readonly #clock: Clock;
  readonly #outer: AbortSignal;
  readonly #follow = () => this.#own.abort(this.#outer.reason);
  #cancelTimer = () => {};
  /** How many questions have no answer yet, or how often the call waits for memory. */
  #paused = 0;
  #over = false;
  /** Whether the maximum ends the call, in spite of progress. */
  #isLast = false;
  passed = false;

  constructor(
    ms: number,
    { signal: outer, clock, maxMs = ms }: { signal: AbortSignal; clock: Clock; maxMs?: number },
  ) {
    this.#ms = ms;
    this.#maxMs = maxMs;
    this.#beganAt = this.#prolongedAt = clock.elapsed();
    this.#leftMs = ms;
    this.#clock = clock;
    this.#outer = outer;
    this.end = new Promise((_, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true });
    });
    this.end.catch(() => {});
    // AbortSignal.any costs as much as the rest of a call, so the signal is followed by hand.
    if (outer.aborted) this.#follow();
    else outer.addEventListener('abort', this.#follow, { once: true });
    this.#start();
  }

  get signal(): AbortSignal {
    return this.#own.signal;
  }

  pause(): void {
    if (this.#paused === 0) this.#leftMs -= this.#clock.elapsed() - this.#startedAt;
    this.#paused += 1;
    this.#cancelTimer();
  }

  /** Continues with the time that was left. */
  resume(): void {
    this.#paused -= 1;
    if (this.#paused === 0 && !this.#over) this.#start();
  }

  /** Continues with the whole time. */
  restart(): void {
    this.#leftMs = this.#ms;
    this.#beganAt = this.#clock.elapsed();
    this.#isLast = false;
    this.resume();
  }

  /** Continues with the whole time after progress, up to the maximum. */
  prolong(): void {
    if (this.#over || this.passed) return;
    const now = this.#clock.elapsed();
    const untilMax = Math.max(0, this.#beganAt + this.#maxMs - now);
    this.#isLast = untilMax < this.#ms;
    this.#leftMs = Math.min(this.#ms, untilMax);
    this.#prolongedAt = now;
    if (this.#paused > 0) return;
    this.#cancelTimer();
    this.#start();
  }

  /** Whether it was not prolonged in this time. From then on it counts as prolonged. */
  startsProlonging(withinMs: number): boolean {
    const now = this.#clock.elapsed();
    if (now - this.#prolongedAt < withinMs) return false;
    this.#prolongedAt = now;
    return true;
  }

  /** The time that has passed in vain: the timeout, or the maximum in spite of progress. */
  get allowedMs(): number {
    return this.#isLast ? this.#maxMs : this.#ms;
  }

  get isOver(): boolean {
    return this.#over;
  }

  clear(): void {
    this.#over = true;
    this.#cancelTimer();
    this.#outer.removeEventListener('abort', this.#follow);
  }

  #start(): void {
    this.#startedAt = this.#clock.elapsed();
    this.#cancelTimer = this.#clock.after(Math.max(0, this.#leftMs), () => {
      this.passed = true;
      this.#own.abort(new Error('The call took too long.'));
    });
  }
}
