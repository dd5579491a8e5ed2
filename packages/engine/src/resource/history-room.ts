import type { Account } from './account.ts';
import type { HeldResource, Hold } from './held-resource.ts';

/** The code always gets values of this size, so that it can finish. */
const freeBytes = 1024;

/**
 * The memory of the results that a run in this process keeps, so that its code can be run again if its sandbox is lost. A run takes
 * memory for a new result only if it is free, and never waits for it. So a run that is rebuilt can wait for the others to end.
 */
export class HistoryRoom {
  readonly #resource: HeldResource;
  readonly #account: Account;
  readonly #holds: Hold[] = [];

  constructor(resource: HeldResource, account: Account) {
    this.#resource = resource;
    this.#account = account;
  }

  /** Takes memory for a new result. False if none is free. */
  tryKeep(bytes: number): boolean {
    const hold =
      bytes <= freeBytes
        ? this.#resource.takeAnyway(this.#account, bytes)
        : this.#resource.tryTake(this.#account, bytes);
    if (hold) this.#holds.push(hold);
    return hold !== undefined;
  }

  /** Waits for the memory of the results of a run that is rebuilt, at most this much. */
  async reserve(maxBytes: number, signal: AbortSignal): Promise<void> {
    const amount = Math.min(maxBytes, this.#resource.maxFor(this.#account));
    this.#holds.push(await this.#resource.take(this.#account, amount, signal));
  }

  /** The results have this size. */
  settle(bytes: number): void {
    if (this.#holds.length === 0) this.#holds.push(this.#resource.takeAnyway(this.#account, bytes));
    this.#holds[0]?.shrinkTo(bytes);
  }

  release(): void {
    for (const hold of this.#holds.splice(0)) hold.release();
  }
}
