import { createHash } from 'node:crypto';
import type { CallKey } from '@executor/engine';
import type { RequestId } from '@modelcontextprotocol/server';

/** Identifies a request. Clients choose request ids themselves, so two clients of one key can use the same id in different sessions. */
interface CallIdentity {
  ownerId: string;
  sessionId: string;
  requestId: RequestId;
}

/** A hash, because ids that clients choose may be long. */
export function callKey({ ownerId, sessionId, requestId }: CallIdentity): CallKey {
  const text = JSON.stringify([ownerId, sessionId, requestId]);
  return {
    scope: sessionId === '' ? 'owner' : 'session',
    hash: createHash('sha256').update(text).digest('base64url'),
  };
}

const maxEarly = 1_000;
/** Longer than any request takes. */
const rememberedMs = 10 * 60_000;
const maxRemembered = 10_000;

/**
 * The open calls of clients, which a client may cancel by a notification in another request. A cancelled call is not waited for any more;
 * its run continues. Since 2026-07-28 requests carry no session, so two clients of one key may use the same request id, and a cancellation
 * could hit the wrong client. Without a session, Executor therefore accepts a cancellation only for an id that was used once in the last
 * minutes, on whichever server.
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
  saw({ scope, hash }: CallKey): void {
    if (scope === 'session') return;
    const at = this.#now();
    const before = this.#seen.get(hash);
    this.#seen.delete(hash);
    this.#seen.set(hash, { at, isRepeated: before !== undefined && at - before.at < rememberedMs });
    if (this.#seen.size > maxRemembered) this.#seen.delete(this.#seen.keys().next().value as string);
  }

  /** `call` aborts when the client cancels. Returns a function that removes the call. */
  add({ hash }: CallKey, call: AbortController): () => void {
    const calls = this.#open.get(hash) ?? new Set();
    this.#open.set(hash, calls.add(call));
    if (this.#early.delete(hash)) call.abort();
    return () => {
      calls.delete(call);
      if (calls.size === 0 && this.#open.get(hash) === calls) this.#open.delete(hash);
    };
  }

  /** Cancels nothing if the notification could be from another client. */
  cancel({ scope, hash }: CallKey): void {
    const calls = this.#open.get(hash);
    if (calls === undefined && scope === 'session') this.#keepEarly(hash);
    const isMeant = scope === 'session' || this.#seen.get(hash)?.isRepeated === false;
    if (calls?.size === 1 && isMeant) for (const call of calls) call.abort();
  }

  /** Within a session each id is used once, so an early cancellation can only mean the request that follows. */
  #keepEarly(hash: string): void {
    this.#early.add(hash);
    if (this.#early.size > maxEarly) this.#early.delete(this.#early.values().next().value as string);
  }
}
