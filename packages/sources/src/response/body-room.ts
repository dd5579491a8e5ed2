import { type Invocation, mediumAnswerBytes, smallAnswerBytes } from '@executor/engine';

/** Asks for memory as a body arrives. While it waits, nothing more is read from the connection. */
export class BodyRoom {
  #allowed = smallAnswerBytes;
  readonly #allow: Invocation['allowAnswer'];
  readonly #expected: number | undefined;

  constructor(allow: Invocation['allowAnswer'], expected: number | undefined) {
    this.#allow = allow;
    this.#expected = expected;
  }

  /** Resolves when a body of this size may be in memory. `limit` is the largest one that the caller reads. */
  async grow(bytes: number, limit: number): Promise<void> {
    if (bytes <= this.#allowed || bytes > limit) return;
    const next = Math.min(limit, this.#next(bytes));
    await this.#allow(next);
    this.#allowed = next;
  }

  #next(bytes: number): number {
    if (this.#expected !== undefined && bytes <= this.#expected) return this.#expected;
    return bytes <= mediumAnswerBytes ? mediumAnswerBytes : Number.POSITIVE_INFINITY;
  }
}
