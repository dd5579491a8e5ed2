import { ExecutorError } from '@executor/protocol';
import type { Clock } from '../../clock.ts';

const backoffMs = { min: 50, max: 1_000 };

/** Retries while the database is unavailable, without a limit. `requireUse` throws once nobody needs the result any more. */
export async function retryWhileUnavailable<Result>(
  work: () => Promise<Result>,
  clock: Clock,
  requireUse: () => void,
): Promise<Result> {
  for (let wait = backoffMs.min; ; wait = Math.min(wait * 2, backoffMs.max)) {
    requireUse();
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error)) throw error;
    }
    await new Promise<void>((resolve) => clock.after(wait, resolve));
  }
}

function isTransient(error: unknown): boolean {
  return (
    error instanceof ExecutorError && ['databaseUnavailable', 'storageFull', 'timeout'].includes(error.code)
  );
}
