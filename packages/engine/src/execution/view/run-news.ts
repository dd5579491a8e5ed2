import { type Execution, isFinished } from '@executor/protocol';
import { interactionIdOf } from '../../interaction/interaction-view.ts';

/** How long a run that has news may continue before its caller is told. */
const continueMs = 2_000;

/**
 * Returns a function that says whether there is news for a caller who waits since `run` and was shown the questions `shown`: the run has
 * finished, or its open questions are others than those, or it continues after an answer. It may continue for a moment, because it
 * usually finishes or asks more.
 */
export function newsSince(
  { interactions }: Pick<Execution, 'interactions'>,
  shown: readonly string[],
): (run: Execution) => boolean {
  const open = interactions.map(interactionIdOf);
  let newsAt: number | undefined;
  return ({ status, interactions: pending }) => {
    if (isFinished(status)) return true;
    const ids = pending.map(interactionIdOf);
    const isNew = !isWithin(ids, shown);
    if (status === 'waiting' && ids.length > 0) return isNew || !isWithin(shown, ids);
    if (!isNew && isWithin(open, ids)) return false;
    newsAt ??= performance.now();
    return performance.now() - newsAt >= continueMs;
  };
}

function isWithin(some: readonly string[], all: readonly string[]): boolean {
  return some.every((one) => all.includes(one));
}
