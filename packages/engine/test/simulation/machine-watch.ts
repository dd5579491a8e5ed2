import type { Completion } from '../../src/ports/sandbox.ts';

/** What the code of one run has seen in one process, for the invariants to compare with the journal. */
export interface Seen {
  readonly delivered: readonly Completion[];
  /** How much had been delivered when each call was made, by its index. */
  readonly deliveredBefore: readonly number[];
}

/** The machines that were started, by the process and the run. */
export class MachineWatch {
  readonly #seen = new Map<string, Seen>();

  started(owner: string, runKey: string, seen: Seen): void {
    this.#seen.set(`${owner} ${runKey}`, seen);
  }

  of(owner: string, runKey: string): Seen | undefined {
    return this.#seen.get(`${owner} ${runKey}`);
  }
}
