/** A call that its client has left ends soon after. */
const maxWaitMs = 2_000;

/**
 * The calls that their clients have cancelled or left, until it is noted that their answers are lost. A client that gives up may repeat
 * its call at once.
 */
export class LeavingCalls {
  readonly #owners = new Map<string, Set<Promise<unknown>>>();

  follow(ownerId: string, left: AbortSignal, call: Promise<unknown>): void {
    const onLeave = () => {
      const calls = this.#owners.get(ownerId) ?? new Set();
      this.#owners.set(ownerId, calls.add(call));
    };
    if (left.aborted) onLeave();
    else left.addEventListener('abort', onLeave, { once: true });
    const end = () => {
      left.removeEventListener('abort', onLeave);
      const calls = this.#owners.get(ownerId);
      calls?.delete(call);
      if (calls?.size === 0) this.#owners.delete(ownerId);
    };
    call.then(end, end);
  }

  /** Resolves when the calls of this owner that are leaving now have ended. */
  async ended(ownerId: string): Promise<void> {
    const calls = this.#owners.get(ownerId);
    if (calls === undefined) return;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise((resolve) => {
      timer = setTimeout(resolve, maxWaitMs);
    });
    await Promise.race([Promise.allSettled(calls), timeout]);
    clearTimeout(timer);
  }
}
