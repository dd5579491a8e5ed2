/** Longer words and candidates are skipped. */
const maxLength = 100;
/** A word with more wrong letters is another word, however long it is. */
const maxWrong = 5;
/** The maximum number of letter pairs to compare: about ten milliseconds. */
const maxWork = 3_000_000;

/** The work that is left for a search. */
export interface SearchBudget {
  pairs: number;
}

/**
 * The candidate that was probably meant, if one is close: at most a third of its letters are wrong. The cost is bounded, however long the
 * word and however many candidates there are.
 */
export function nearest(
  word: string,
  candidates: readonly string[],
  budget: SearchBudget = { pairs: maxWork },
): string | undefined {
  if (word.length > maxLength) return undefined;
  const wanted = word.toLowerCase();
  const plainWanted = plain(wanted);
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    if (best?.distance === 0 || budget.pairs <= 0) break;
    const allowed = Math.min(allowedFor(candidate), best ? best.distance - 1 : maxWrong);
    if (candidate.length > maxLength || Math.abs(candidate.length - word.length) > allowed + 2) continue;
    const lower = candidate.toLowerCase();
    const distance = plain(lower) === plainWanted ? 0 : editDistance(wanted, lower, allowed, budget);
    if (distance <= allowed) best = { candidate, distance };
  }
  return best?.candidate;
}

function allowedFor(candidate: string): number {
  return Math.max(1, Math.floor(candidate.length / 3));
}

/** `user_id`, `userId` and `User-ID` are the same word. */
function plain(word: string): string {
  return word.replace(/[-_. ]/g, '');
}

/**
 * The number of letters that were removed, added, changed or swapped with their neighbour; `limit + 1` if there are more than `limit`.
 * Skips shared beginnings and ends, and cells that are further than `limit` from the diagonal.
 */
function editDistance(one: string, other: string, limit: number, budget: SearchBudget): number {
  const far = limit + 1;
  if (Math.abs(one.length - other.length) > limit) return far;
  const [a, b] = withoutSharedEnds(one, other);
  let [beforeLast, last, current] = scratch;
  for (let column = 0; column <= b.length; column++) last[column] = Math.min(column, far);
  for (let row = 1; row <= a.length; row++) {
    const from = Math.max(1, row - limit);
    const to = Math.min(b.length, row + limit);
    let smallest = from === 1 ? Math.min(row, far) : far;
    current[from - 1] = smallest;
    for (let column = from; column <= to; column++) {
      const isSame = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      let distance = Math.min(
        at(last, column - 1) + (isSame ? 0 : 1),
        at(last, column) + 1,
        at(current, column - 1) + 1,
        far,
      );
      if (!isSame && isSwapped(a, row, b, column))
        distance = Math.min(distance, at(beforeLast, column - 2) + 1);
      current[column] = distance;
      if (distance < smallest) smallest = distance;
    }
    current[to + 1] = far;
    budget.pairs -= to - from + 1;
    if (smallest > limit) return far;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return at(last, b.length);
}

/** Rows of distances. Every search reuses them, because nothing here is asynchronous. */
const scratch: [Uint8Array, Uint8Array, Uint8Array] = [
  new Uint8Array(maxLength + 2),
  new Uint8Array(maxLength + 2),
  new Uint8Array(maxLength + 2),
];

function at(row: Uint8Array, column: number): number {
  return row[column] as number;
}

function isSwapped(a: string, row: number, b: string, column: number): boolean {
  return (
    row > 1 &&
    column > 1 &&
    a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
    a.charCodeAt(row - 2) === b.charCodeAt(column - 1)
  );
}

function withoutSharedEnds(a: string, b: string): [string, string] {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  let end = 0;
  while (end < shorter - start && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end))
    end++;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}
