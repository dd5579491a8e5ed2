/**
 * The engine's clock. It is passed in, so that a simulation can replace it.
 *
 * There are two kinds of time. Timers of code and the expiry of questions are due at a time of day, even if the clock was changed
 * meanwhile. Heartbeats, deadlines of calls and polling use running time, so that a clock that is set back does not delay them.
 */
export interface Clock {
  now(): Date;
  /** Monotonic running time in milliseconds, from an arbitrary start. */
  elapsed(): number;
  /** Calls back at a time in milliseconds since 1970. Returns a function that cancels. */
  at(time: number, callback: () => void): () => void;
  /** Calls back after that much running time. Returns a function that cancels. */
  after(ms: number, callback: () => void): () => void;
  /** Calls back after the current turn of the event loop. */
  soon(callback: () => void): void;
}

/** A long wait checks the clock in between, because timers count running time, clocks jump and laptops sleep. */
const maxStepMs = 30_000;

export const systemClock: Clock = {
  now: () => new Date(),
  elapsed: () => performance.now(),
  at(time, callback) {
    let timer: NodeJS.Timeout;
    const wait = () => {
      timer = setTimeout(step, Math.max(0, Math.min(time - Date.now(), maxStepMs)));
    };
    // If the process was suspended past the time, the callback is due now, before anything else continues.
    const step = () => (Date.now() < time ? wait() : callback());
    wait();
    return () => clearTimeout(timer);
  },
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
  soon: (callback) => void setImmediate(callback),
};
