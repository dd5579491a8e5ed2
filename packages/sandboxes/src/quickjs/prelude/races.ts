import { enterCombinator, leaveCombinator, type OpenCall, openCallOf } from './calls.ts';
import { defineOwn, NativePromise } from './host.ts';

type Settle = (this: unknown, values: unknown) => Promise<unknown>;

const { race, any, all, allSettled, resolve } = NativePromise as unknown as Record<
  'race' | 'any' | 'all' | 'allSettled' | 'resolve',
  Settle
>;
const { then: follow } = NativePromise.prototype;

/**
 * Replaces the combinators of `Promise`, so that a run does not wait for calls that lost a race. Otherwise a timeout written as a race would
 * have no effect once the code has returned. A call counts while another combinator has it.
 */
export function observeRaces(): void {
  replace('race', race, observe);
  replace('any', any, observe);
  replace('all', all, () => {});
  replace('allSettled', allSettled, () => {});
}

type Observe = (settle: Settle, calls: OpenCall[], entries: Promise<unknown>[]) => void;

function replace(name: string, settle: Settle, observeCalls: Observe): void {
  const observed = function observed(this: unknown, values: Iterable<unknown>): unknown {
    const entries: Promise<unknown>[] = [];
    try {
      // A thenable is resolved once, although two races follow it.
      for (const value of values) entries[entries.length] = resolve.call(NativePromise, value);
    } catch (error) {
      return settle.call(this, unreadable(error));
    }
    const calls = entries.flatMap((promise) => openCallOf(promise) ?? []);
    for (const call of calls) enterCombinator(call);
    const result = settle.call(this, entries);
    if (calls.length > 0) observeCalls(settle, calls, entries);
    return result;
  };
  defineOwn(observed, 'name', name);
  defineOwn(NativePromise, name, observed);
}

/** Follows the race with one of its own. A handler on the first would hide a rejection that the code does not handle. */
function observe(settle: Settle, calls: OpenCall[], entries: Promise<unknown>[]): void {
  const end = () => {
    for (const call of calls) leaveCombinator(call);
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
