import type { Completion } from '../../src/ports/sandbox.ts';

/** What the code of one run has seen in one process. The invariants compare it with the journal. */
export interface Seen {
  readonly delivered: readonly Completion[];
  /** The number of deliveries before each call, by its index. */
  readonly deliveredBefore: readonly number[];
}

/** The started machines, by process and run. */
export class MachineWatch {
  readonly #seen = new Map<string, Seen>();

  started(owner: string, runKey: string, seen: Seen): void {
    this.#seen.set(`${owner} ${runKey}`, seen);
  }

  of(owner: string, runKey: string): Seen | undefined {
    return this.#seen.get(`${owner} ${runKey}`);
  }
}
