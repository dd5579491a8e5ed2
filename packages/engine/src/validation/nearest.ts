const longest = 60;
const most = 1_000;

/** The candidate that was most likely meant, if any is near enough. Long words and long lists are not searched: it is only a hint. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > longest) return undefined;
  const wanted = plain(word);
  const allowed = Math.max(1, Math.floor(word.length / 3));
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates.slice(0, most)) {
    if (candidate.length > longest || Math.abs(candidate.length - word.length) > allowed + 2) continue;
    const distance = plain(candidate) === wanted ? 0 : editDistance(word, candidate);
    if (distance <= allowed && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) {
      best = { candidate, distance };
    }
  }
  return best?.candidate;
}

/** `user_id`, `userId` and `User-ID` are the same word. */
function plain(word: string): string {
  return word.replace(/[-_. ]/g, '').toLowerCase();
}

/** How many letters to insert, remove, change or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(change, at(last, j) + 1, at(row, j - 1) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        row[j] = Math.min(at(row, j), at(beforeLast, j - 2) + 1);
      }
    }
    [beforeLast, last] = [last, row];
  }
  return at(last, b.length);
}

function at(row: number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
