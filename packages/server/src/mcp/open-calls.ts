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
const mostKeyCharacters = 400;
const mostEarly = 1_000;

/** The calls that a client may cancel, by a notification that comes in another request. */
export class OpenCalls {
  readonly #open = new Map<string, Set<OpenCall>>();
  /** Notifications that overtook what they cancel. */
  readonly #early = new Set<string>();

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

  /** Where two clients without a session use the same id, which of them is meant cannot be known: none is cancelled. */
  cancel(place: CallPlace): void {
    const key = keyOf(place);
    const calls = this.#open.get(key);
    if (calls === undefined) this.#keepEarly(place, key);
    else if (calls.size === 1) for (const call of calls) call.cancel();
  }

  /** Within a session an id is used once, so that what came too early cannot be mistaken for another one. */
  #keepEarly({ sessionId }: CallPlace, key: string): void {
    if (sessionId === '' || key.length > mostKeyCharacters) return;
    this.#early.add(key);
    if (this.#early.size > mostEarly) this.#early.delete(this.#early.values().next().value as string);
  }
}

function keyOf({ ownerId, sessionId, requestId }: CallPlace): string {
  return JSON.stringify([ownerId, sessionId, requestId]);
}
