import type { Clock } from '../clock.ts';

/** Where many times come close together, one look is enough for them. */
const minMs = 20;

/** When a worker looks for runs again by itself: at a time of day that was named to it, and after a while whatever the clock says. */
export class NextLook {
  readonly #clock: Clock;
  readonly #look: () => void;
  #time = Number.POSITIVE_INFINITY;
  #callOffTime = () => {};
  #callOffWhile = () => {};

  constructor(clock: Clock, look: () => void) {
    this.#clock = clock;
    this.#look = look;
  }

  /** At that time, or before. */
  by(time: number): void {
    if (time >= this.#time) return;
    this.#callOffTime();
    this.#time = time;
    const soonest = this.#clock.now().getTime() + minMs;
    this.#callOffTime = this.#clock.at(Math.max(time, soonest), () => {
      this.#time = Number.POSITIVE_INFINITY;
      this.#look();
    });
  }

  after(ms: number): void {
    this.#callOffWhile();
    this.#callOffWhile = this.#clock.after(ms, this.#look);
  }

  callOff(): void {
    this.#callOffTime();
    this.#callOffWhile();
    this.#time = Number.POSITIVE_INFINITY;
  }
}
