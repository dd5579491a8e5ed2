/** A request, and the tools that it takes. */
export interface ExpectedTools {
  query: string;
  expected: string[];
  /** Few words, or a sentence. */
  kind?: 'short' | 'sentence';
}

export interface Quality {
  queries: number;
  /** How much of what was expected is among the first so many. */
  recall: Record<1 | 5 | 10, number>;
  /** How often any of it is: for requests that one of several tools is enough for. */
  hit: Record<1 | 5, number>;
  ndcg: number;
  /** The share of requests that nothing was found for. */
  empty: number;
}

/** Scores what a search finds. */
export function qualityOf(queries: ExpectedTools[], find: (query: string) => string[]): Quality {
  const results = queries.map(({ query, expected }) => ({ found: find(query), expected }));
  const mean = (score: (found: string[], expected: string[]) => number) =>
    results.reduce((sum, { found, expected }) => sum + score(found, expected), 0) /
    Math.max(1, queries.length);
  const recall = (most: number) => mean((found, expected) => recallOf(found.slice(0, most), expected));
  const hit = (most: number) =>
    mean((found, expected) => Math.ceil(recallOf(found.slice(0, most), expected)));
  return {
    queries: queries.length,
    recall: { 1: recall(1), 5: recall(5), 10: recall(10) },
    hit: { 1: hit(1), 5: hit(5) },
    ndcg: mean(ndcgOf),
    empty: mean((found) => (found.length === 0 ? 1 : 0)),
  };
}

function recallOf(found: string[], expected: string[]): number {
  const hits = found.filter((key) => expected.includes(key)).length;
  return hits / Math.max(1, expected.length);
}

function ndcgOf(found: string[], expected: string[]): number {
  const gain = (place: number) => 1 / Math.log2(place + 2);
  const sum = (gains: number[]) => gains.reduce((all, one) => all + one, 0);
  const reached = sum(found.slice(0, 10).map((key, place) => (expected.includes(key) ? gain(place) : 0)));
  const best = sum(expected.slice(0, 10).map((_, place) => gain(place)));
  return best === 0 ? 0 : reached / best;
}
