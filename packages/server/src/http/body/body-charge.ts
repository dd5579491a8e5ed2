import type { Account, HeldResource } from '@executor/engine';
import type { Turn } from '../admission/turn.ts';

/** Whoever is charged for the body of a request, until its response was read. */
export interface BodyPayer {
  account: Account;
  turn: Turn;
  resource: HeldResource;
}

const stepBytes = 256 * 1024;
const patienceMs = 3_000;

/**
 * Charges a body as it arrives, so that announcing a large body takes nothing from others. Only the first step may wait for its turn:
 * bodies that wait while they hold something would wait for each other.
 */
export class BodyCharge {
  readonly #payer: BodyPayer;
  #charged = 0;

  constructor(payer: BodyPayer) {
    this.#payer = payer;
  }

  /** Throws `tooManyRequests` if there is no room for a body that has become this large. */
  async cover(bytes: number): Promise<void> {
    const { account, turn, resource } = this.#payer;
    while (this.#charged < bytes) {
      const step = this.#charged === 0 ? Math.min(bytes, stepBytes) : stepBytes;
      // Only people send documents that are larger than a share.
      const isOverShare = account.kind === 'person' && this.#charged + step > resource.limits.perKey;
      if (!isOverShare) {
        const isFirst = this.#charged === 0;
        turn.keep(
          isFirst ? await resource.takeWithin(patienceMs, account, step) : resource.require(account, step),
        );
      }
      this.#charged += step;
    }
  }
}
