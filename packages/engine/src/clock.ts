/**
 * Time, as the engine knows it. Passed in, so that a simulation can have its own.
 *
 * There are two kinds. What was promised to somebody (timers of code, when a question expires) is due at a time of day, whatever the
 * clock was set to meanwhile. What only has to last (heartbeats, deadlines of calls, the next look) is running time: a clock that is set
 * back must not make it last longer.
 */
export interface Clock {
  now(): Date;
  /** Milliseconds of running time since some moment. Never goes back. */
  elapsed(): number;
  /** Calls back once that time has come, in milliseconds since 1970; answers how to call it off. */
  at(time: number, callback: () => void): () => void;
  /** Calls back when that much running time has passed; answers how to call it off. */
  after(ms: number, callback: () => void): () => void;
  /** Calls back when what is under way now has had its turn. */
  soon(callback: () => void): void;
}

/** Timers count running time, clocks may jump and laptops sleep: a long wait looks at the clock in between. */
const longestStepMs = 30_000;

export const systemClock: Clock = {
  now: () => new Date(),
  elapsed: () => performance.now(),
  at(time, callback) {
    let timer: NodeJS.Timeout;
    const wait = () => {
      timer = setTimeout(step, Math.max(0, Math.min(time - Date.now(), longestStepMs)));
    };
    // A process that was stopped may come back long after: then it is due now, before anything else goes on.
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
