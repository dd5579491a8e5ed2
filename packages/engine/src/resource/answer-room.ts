import { ExecutorError } from '@executor/protocol';
import type { Clock } from '../clock.ts';
import type { Account } from './account.ts';
import type { HeldResource, Hold } from './held-resource.ts';

/** The memory of answers, by the size of the answer. */
export interface AnswerMemory {
  calls: HeldResource;
  answerBytes: HeldResource;
  largeAnswerBytes: HeldResource;
  historyBytes: HeldResource;
}

interface Options {
  memory: AnswerMemory;
  account: Account;
  clock: Pick<Clock, 'after'>;
  /** Aborted when the run ends or leaves this process. */
  signal: AbortSignal;
}

/** Every call may have an answer of this size. `calls` limits their number. */
export const smallAnswerBytes = 16 * 1024;
/** Answers up to this size share `answerBytes`. Larger ones are read as JSON on another thread. */
export const mediumAnswerBytes = 1024 * 1024;
/** An answer exists as bytes, as text, as an entry of the journal and as a message to the sandbox. */
const copies = 4;
const maxWaitMs = 5 * 60_000;

/**
 * The memory that the answer of one call holds, until the answer is journaled and the code has it.
 *
 * A call waits for memory with what it has, so a deadlock is possible only if two calls wait for each other. Therefore memory is taken in
 * a fixed order: a slot of `calls`, then `answerBytes`, then `largeAnswerBytes`, each of them once. Who holds the last one waits for no
 * other call.
 */
export class AnswerRoom {
  readonly #options: Options;
  /** Whether a call was sent that may have an effect. Its answer is recorded in any case. */
  isSent = false;
  /** Whether the call is in flight or has ended. */
  isOut = false;
  #slot: Hold | undefined;
  #bytes: { hold: Hold; allowed: number; large: boolean } | undefined;
  #released = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Waits until the call may be sent. */
  async open(): Promise<void> {
    this.#slot ??= await this.#take(this.#options.memory.calls, 1);
  }

  /** Waits until an answer of this size may be in memory. Throws `tooManyRequests` if that takes too long. */
  async allow(bytes: number): Promise<void> {
    if (bytes <= smallAnswerBytes || bytes <= (this.#bytes?.allowed ?? 0)) return;
    const { answerBytes, largeAnswerBytes } = this.#options.memory;
    const large = bytes > mediumAnswerBytes;
    const resource = large ? largeAnswerBytes : answerBytes;
    const amount = this.#amount(resource, bytes);
    const before = this.#bytes;
    // Waiting for more of the same resource could wait for a call that does the same.
    const hold =
      before?.large === large
        ? resource.takeAnyway(this.#options.account, amount)
        : await this.#take(resource, amount);
    before?.hold.release();
    if (this.#released) hold.release();
    this.#bytes = { hold, allowed: bytes, large };
  }

  /** The answer was lost, and the call is sent again. It may wait for a connection, so it must not keep memory for which others wait. */
  drop(): void {
    this.#bytes?.hold.release();
    this.#bytes = undefined;
  }

  /** The answer has this size. Gives back what it does not need. */
  settle(bytes: number): void {
    const held = this.#bytes;
    held?.hold.shrinkTo(this.#amount(this.#resourceOf(held.large), bytes));
  }

  release(): void {
    this.#released = true;
    this.#slot?.release();
    this.#bytes?.hold.release();
  }

  /** An answer that is larger than the share of its key takes the whole share. */
  #amount(resource: HeldResource, bytes: number): number {
    return Math.min(copies * bytes, resource.maxFor(this.#options.account));
  }

  #resourceOf(large: boolean): HeldResource {
    const { answerBytes, largeAnswerBytes } = this.#options.memory;
    return large ? largeAnswerBytes : answerBytes;
  }

  async #take(resource: HeldResource, amount: number): Promise<Hold> {
    const { account, clock, signal } = this.#options;
    if (!this.isSent) signal.throwIfAborted();
    const free = resource.tryTake(account, amount);
    if (free) return this.#used(free);
    if (signal.aborted) return this.#used(resource.takeAnyway(account, amount));
    const end = new AbortController();
    const follow = () => end.abort(signal.reason);
    signal.addEventListener('abort', follow, { once: true });
    const cancelTimer = clock.after(maxWaitMs, () => end.abort(waitedTooLong(resource)));
    try {
      return this.#used(await resource.take(account, amount, end.signal));
    } catch (error) {
      if (this.isSent) return this.#used(resource.takeAnyway(account, amount));
      throw error;
    } finally {
      cancelTimer();
      signal.removeEventListener('abort', follow);
    }
  }

  /** The call may have ended while it waited. */
  #used(hold: Hold): Hold {
    if (this.#released) hold.release();
    return hold;
  }
}

function waitedTooLong(resource: HeldResource): ExecutorError {
  const { perKey } = resource.limits;
  return new ExecutorError(
    'tooManyRequests',
    `No memory for answers was free within ${maxWaitMs / 60_000} minutes. The calls of this key may hold ${perKey} together. Make fewer calls at the same time.`,
    { details: { perKey, retryAfterSeconds: 1 } },
  );
}
