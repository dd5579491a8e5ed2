import { ExecutorError } from '@executor/protocol';
import type { Clock } from '../clock.ts';

const retryMs = { least: 50, most: 1_000 };

/**
 * Does something with the database, and does it again while the database is away, for as long as that takes. `requireUse` throws once
 * nobody waits for it any more.
 */
export async function persist<Result>(
  work: () => Promise<Result>,
  clock: Clock,
  requireUse: () => void,
): Promise<Result> {
  for (let wait = retryMs.least; ; wait = Math.min(wait * 2, retryMs.most)) {
    requireUse();
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
    await new Promise<void>((resolve) => clock.after(wait, resolve));
  }
}

/** It may work again later, without anyone doing anything about the run. */
function isPassing(error: unknown): boolean {
  return (
    error instanceof ExecutorError && ['databaseUnavailable', 'storageFull', 'timeout'].includes(error.code)
  );
}
