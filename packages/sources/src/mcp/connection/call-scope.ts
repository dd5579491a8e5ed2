import { AsyncLocalStorage } from 'node:async_hooks';
import type { Invocation } from '@executor/engine';

/**
 * A request in flight. Messages of the server that arrive on its own response stream belong to it. The storage below finds it from there,
 * because the SDK does not say which request a message belongs to.
 */
export interface CallScope {
  /** Absent for a request that is not a call of a run. */
  invocation?: Invocation;
  /** Ends the request with an error that the SDK would not report. */
  fail(error: Error): void;
}

const storage = new AsyncLocalStorage<CallScope>();

export function currentScope(): CallScope | undefined {
  return storage.getStore();
}

export function withScope<Result>(scope: CallScope, work: () => Promise<Result>): Promise<Result> {
  return storage.run(scope, work);
}

/** Connections belong to no call, although a call opens them. */
export function withoutScope<Result>(work: () => Result): Result {
  return storage.exit(work);
}
