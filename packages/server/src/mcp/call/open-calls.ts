import type { RequestId } from '@modelcontextprotocol/server';

/** Identifies a request. Clients choose request ids themselves, so two clients of one key can use the same id in different sessions. */
export interface RequestKey {
  ownerId: string;
  sessionId: string;
  requestId: RequestId;
}

/** Clients choose their request ids. Longer ids are not remembered, so that they cannot fill the memory. */
const maxKeyCharacters = 400;
const maxEarly = 1_000;
/** Longer than any request takes. */
const rememberedMs = 10 * 60_000;
const maxRemembered = 10_000;

/**
 * The open calls of clients, which a client may cancel by a notification in another request. A cancelled call is not waited for any more;
 * its run continues. Since 2026-07-28 requests carry no session, so two clients of one key may use the same request id, and a cancellation
 * could hit the wrong client. Without a session, Executor therefore accepts a cancellation only for an id that was used once in the last
 * minutes.
 */
export class OpenCalls {
  readonly #open = new Map<string, Set<AbortController>>();
  /** Cancellations that arrived before their request. */
  readonly #early = new Set<string>();
  /** Requests without a session: when the id was last used, and whether it was also used shortly before that. */
  readonly #seen = new Map<string, { at: number; isRepeated: boolean }>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Remembers the id of every request, whatever its method. */
  saw(request: RequestKey): void {
    const key = keyOf(request);
    if (request.sessionId !== '' || key.length > maxKeyCharacters) return;
    const at = this.#now();
    const before = this.#seen.get(key);
    this.#seen.delete(key);
    this.#seen.set(key, { at, isRepeated: before !== undefined && at - before.at < rememberedMs });
    if (this.#seen.size > maxRemembered) this.#seen.delete(this.#seen.keys().next().value as string);
  }

  /** `call` aborts when the client cancels. Returns a function that removes the call. */
  add(request: RequestKey, call: AbortController): () => void {
    const key = keyOf(request);
    const calls = this.#open.get(key) ?? new Set();
    this.#open.set(key, calls.add(call));
    if (this.#early.delete(key)) call.abort();
    return () => {
      calls.delete(call);
      if (calls.size === 0 && this.#open.get(key) === calls) this.#open.delete(key);
    };
  }

  /** Cancels nothing if the notification could be from another client. */
  cancel(request: RequestKey): void {
    const key = keyOf(request);
    const calls = this.#open.get(key);
    if (calls === undefined) this.#keepEarly(request, key);
    const isMeant = request.sessionId !== '' || this.#seen.get(key)?.isRepeated === false;
    if (calls?.size === 1 && isMeant) for (const call of calls) call.abort();
  }

  /** Within a session each id is used once, so an early cancellation can only mean the request that follows. */
  #keepEarly({ sessionId }: RequestKey, key: string): void {
    if (sessionId === '' || key.length > maxKeyCharacters) return;
    this.#early.add(key);
    if (this.#early.size > maxEarly) this.#early.delete(this.#early.values().next().value as string);
  }
}

function keyOf({ ownerId, sessionId, requestId }: RequestKey): string {
  return JSON.stringify([ownerId, sessionId, requestId]);
}
