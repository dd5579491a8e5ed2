import { ExecutorError } from '@executor/protocol';

/** How long to wait, from `--timeout SECONDS`; for ever, unless told. */
export function patienceOf(timeout: string | undefined): number {
  if (timeout === undefined) return Number.POSITIVE_INFINITY;
  const seconds = Number(timeout);
  if (timeout.trim() !== '' && Number.isFinite(seconds) && seconds >= 0) return seconds * 1_000;
  throw new ExecutorError('usage', `--timeout takes seconds, got "${timeout}".`);
}
