/** Counts the time that Executor computes for a caller. Waiting is free. */
export interface Meter {
  readonly ms: number;
  /** Adds the time of work that another thread did. */
  add(ms: number): void;
  measure<Result>(work: () => Result): Result;
}
