/** Time, as the engine knows it. Passed in, so that a simulation can have its own. */
export interface Clock {
  now(): Date;
  /** Calls back once that time has come, in milliseconds since 1970; answers how to call it off. */
  at(time: number, callback: () => void): () => void;
  /** Calls back when what is under way now has had its turn. */
  soon(callback: () => void): void;
}

/** Timers count running time, clocks may jump and laptops sleep: a long wait looks at the clock in between. */
const longestStepMs = 30_000;

export const systemClock: Clock = {
  now: () => new Date(),
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
  soon: (callback) => void setImmediate(callback),
};
