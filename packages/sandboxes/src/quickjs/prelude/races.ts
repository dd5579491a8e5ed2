import { lose, openCallOf } from './calls.ts';
import { defineOwn, NativePromise } from './host.ts';

type Settle = (this: unknown, values: unknown) => Promise<unknown>;

const { race, any, resolve } = NativePromise as unknown as Record<'race' | 'any' | 'resolve', Settle>;
const { then: follow } = NativePromise.prototype;

/**
 * Replaces `Promise.race` and `Promise.any`, so that a run does not wait for the calls that lost. Otherwise a timeout written as a race would
 * have no effect once the code has returned.
 */
export function observeRaces(): void {
  for (const [name, settle] of [['race', race] as const, ['any', any] as const]) {
    const observed = observing(settle);
    defineOwn(observed, 'name', name);
    defineOwn(NativePromise, name, observed);
  }
}

function observing(settle: Settle) {
  return function observed(this: unknown, values: Iterable<unknown>): unknown {
    const entries: Promise<unknown>[] = [];
    try {
      // A thenable is resolved once, although two races follow it.
      for (const value of values) entries[entries.length] = resolve.call(NativePromise, value);
    } catch (error) {
      return settle.call(this, unreadable(error));
    }
    const result = settle.call(this, entries);
    observe(settle, entries);
    return result;
  };
}

/** Follows the race with one of its own. A handler on the first would hide a rejection that the code does not handle. */
function observe(settle: Settle, entries: Promise<unknown>[]): void {
  const calls = entries.flatMap((promise) => openCallOf(promise) ?? []);
  if (calls.length === 0) return;
  const end = () => {
    for (const call of calls) lose(call);
  };
  follow.call(settle.call(NativePromise, entries), end, end);
}

/** A list for which the built-in method rejects with this error. */
function unreadable(error: unknown): object {
  return {
    [Symbol.iterator]() {
      throw error;
    },
  };
}
