/** A request, and the tools that answer it. */
export interface ExpectedTools {
  query: string;
  expected: string[];
  /** A few words, or a sentence. */
  kind?: 'short' | 'sentence';
}

export interface Quality {
  queries: number;
  /** The share of expected tools among the first 1, 5 or 10 results. */
  recall: Record<1 | 5 | 10, number>;
  /** The share of requests with any expected tool among the first 1 or 5 results. */
  hit: Record<1 | 5, number>;
  ndcg: number;
  /** The share of requests without results. */
  empty: number;
}

/** Scores the results of a search. */
export function qualityOf(queries: ExpectedTools[], find: (query: string) => string[]): Quality {
  const results = queries.map(({ query, expected }) => ({ found: find(query), expected }));
  const mean = (score: (found: string[], expected: string[]) => number) =>
    results.reduce((sum, { found, expected }) => sum + score(found, expected), 0) /
    Math.max(1, queries.length);
  const recall = (count: number) => mean((found, expected) => recallOf(found.slice(0, count), expected));
  const hit = (count: number) =>
    mean((found, expected) => Math.ceil(recallOf(found.slice(0, count), expected)));
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
  const gain = (rank: number) => 1 / Math.log2(rank + 2);
  const sum = (gains: number[]) => gains.reduce((all, one) => all + one, 0);
  const reached = sum(found.slice(0, 10).map((key, rank) => (expected.includes(key) ? gain(rank) : 0)));
  const best = sum(expected.slice(0, 10).map((_, rank) => gain(rank)));
  return best === 0 ? 0 : reached / best;
}
