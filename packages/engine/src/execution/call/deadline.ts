import type { Clock } from '../../clock.ts';

/** The timeout of a call, without the time that reviewers take. */
export class Deadline {
  readonly #own = new AbortController();
  /** Rejects when the time is up or the run ends. */
  readonly end: Promise<never>;
  readonly #ms: number;
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
  passed = false;

  constructor(ms: number, { signal: outer, clock }: { signal: AbortSignal; clock: Clock }) {
    this.#ms = ms;
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
    this.resume();
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
