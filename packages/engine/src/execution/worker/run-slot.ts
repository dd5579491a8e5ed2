import type { Account } from '../../resource/account.ts';
import type { HeldResource, Hold } from '../../resource/held-resource.ts';

/** The slot of a held run. An idle run that cannot be released lends its slot to others until it continues. */
export class RunSlot {
  readonly #slots: HeldResource;
  readonly #account: Account;
  #hold: Hold | undefined;
  #ended = false;

  constructor(slots: HeldResource, account: Account, hold?: Hold) {
    this.#slots = slots;
    this.#account = account;
    // A run that was leased is held, so it counts even if its owner has no share left.
    this.#hold = hold ?? slots.takeAnyway(account);
  }

  lend(): void {
    this.#hold?.release();
    this.#hold = undefined;
  }

  resume(): void {
    if (!this.#ended) this.#hold ??= this.#slots.takeAnyway(this.#account);
  }

  end(): void {
    this.#ended = true;
    this.lend();
  }
}
