import { ExecutorError } from '@executor/protocol';

/** How long to wait, from `--timeout SECONDS`. The default is forever. */
export function timeoutMsOf(timeout: string | undefined): number {
  if (timeout === undefined) return Number.POSITIVE_INFINITY;
  const seconds = Number(timeout);
  if (timeout.trim() !== '' && Number.isFinite(seconds) && seconds >= 0) return seconds * 1_000;
  throw new ExecutorError('usage', `--timeout must be a number of seconds, got "${timeout}".`);
}
