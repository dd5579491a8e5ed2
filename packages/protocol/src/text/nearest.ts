/** Longer words are not searched for, and longer candidates are passed over. */
const longest = 100;
/** However long a word is, whoever gets more of it wrong means another one. */
const maxWrong = 5;
/** How many pairs of letters are compared at most: some ten milliseconds. */
const maxWork = 3_000_000;

/** What is left of the work that a search may be. */
export interface SearchBudget {
  pairs: number;
}

/**
 * The candidate that was probably meant, if any is close: at most a third of its letters are wrong. It is only a hint, and costs no more
 * than a hint may, however long the word and however many the candidates are.
 */
export function nearest(
  word: string,
  candidates: readonly string[],
  budget: SearchBudget = { pairs: maxWork },
): string | undefined {
  if (word.length > longest) return undefined;
  const wanted = word.toLowerCase();
  const plainWanted = plain(wanted);
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    if (best?.distance === 0 || budget.pairs <= 0) break;
    const allowed = Math.min(allowedFor(candidate), best ? best.distance - 1 : maxWrong);
    if (candidate.length > longest || Math.abs(candidate.length - word.length) > allowed + 2) continue;
    const given = candidate.toLowerCase();
    const distance = plain(given) === plainWanted ? 0 : editDistance(wanted, given, allowed, budget);
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
 * How many letters were left out, added, changed or swapped with their neighbour; `limit + 1` where it is more than `limit`. What is
 * further than that from the diagonal is not looked at, nor what both begin or end with.
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
    let least = from === 1 ? Math.min(row, far) : far;
    current[from - 1] = least;
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
      if (distance < least) least = distance;
    }
    current[to + 1] = far;
    budget.pairs -= to - from + 1;
    if (least > limit) return far;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return at(last, b.length);
}

/** Rows of distances, one after the other; used again and again, as nothing here waits. */
const scratch: [Uint8Array, Uint8Array, Uint8Array] = [
  new Uint8Array(longest + 2),
  new Uint8Array(longest + 2),
  new Uint8Array(longest + 2),
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
