import type { RequestId } from '@modelcontextprotocol/server';

/** Whose request it is. Ids of requests are a client's own: without its session, two clients of one key could have the same. */
export interface CallPlace {
  ownerId: string;
  sessionId: string;
  requestId: RequestId;
}

/** A call of `execute` that is being answered. */
export class OpenCall {
  readonly #cancel: (executionId: string) => void;
  #executionId: string | undefined;
  #isCancelled = false;

  constructor(cancel: (executionId: string) => void) {
    this.#cancel = cancel;
  }

  began(executionId: string): void {
    this.#executionId = executionId;
    if (this.#isCancelled) this.#cancel(executionId);
  }

  cancel(): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    if (this.#executionId !== undefined) this.#cancel(this.#executionId);
  }
}

/** What clients call things is theirs to choose, and kept here only while it is short. */
const maxKeyCharacters = 400;
const maxEarly = 1_000;
/** Longer than any request is answered in. */
const rememberedMs = 10 * 60_000;
const maxRemembered = 10_000;

/**
 * The calls that a client may cancel, by a notification that comes in another request. Since 2026-07-28 there is nothing in a request that
 * tells two clients of one key apart, and each numbers its requests by itself: what cancels the one's may be meant for the other's, also
 * where that was answered already, or was no call at all. So without a session an id counts only where it was used once in a while.
 */
export class OpenCalls {
  readonly #open = new Map<string, Set<OpenCall>>();
  /** Notifications that overtook what they cancel. */
  readonly #early = new Set<string>();
  /** Requests without a session: when there last was one by that id, and whether there were others shortly before. */
  readonly #seen = new Map<string, { at: number; isRepeated: boolean }>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Takes note of every request, whatever it asks for. */
  saw(place: CallPlace): void {
    const key = keyOf(place);
    if (place.sessionId !== '' || key.length > maxKeyCharacters) return;
    const at = this.#now();
    const before = this.#seen.get(key);
    this.#seen.delete(key);
    this.#seen.set(key, { at, isRepeated: before !== undefined && at - before.at < rememberedMs });
    if (this.#seen.size > maxRemembered) this.#seen.delete(this.#seen.keys().next().value as string);
  }

  /** Answers with how to forget it. */
  add(place: CallPlace, call: OpenCall): () => void {
    const key = keyOf(place);
    const calls = this.#open.get(key) ?? new Set();
    this.#open.set(key, calls.add(call));
    if (this.#early.delete(key)) call.cancel();
    return () => {
      calls.delete(call);
      if (calls.size === 0 && this.#open.get(key) === calls) this.#open.delete(key);
    };
  }

  /** Where it cannot be known which of two clients is meant, none is cancelled. */
  cancel(place: CallPlace): void {
    const key = keyOf(place);
    const calls = this.#open.get(key);
    if (calls === undefined) this.#keepEarly(place, key);
    const isMeant = place.sessionId !== '' || this.#seen.get(key)?.isRepeated === false;
    if (calls?.size === 1 && isMeant) for (const call of calls) call.cancel();
  }

  /** Within a session an id is used once, so that what came too early cannot be mistaken for another one. */
  #keepEarly({ sessionId }: CallPlace, key: string): void {
    if (sessionId === '' || key.length > maxKeyCharacters) return;
    this.#early.add(key);
    if (this.#early.size > maxEarly) this.#early.delete(this.#early.values().next().value as string);
  }
}

function keyOf({ ownerId, sessionId, requestId }: CallPlace): string {
  return JSON.stringify([ownerId, sessionId, requestId]);
}
