import { indexTools, type SearchedSource, SourceIndex, search, searchedSource } from '@executor/engine';
import { describe, expect, test } from 'vitest';
import { ownSets, unanswerable } from '../../../../bench/discovery/own-sets.ts';
import { qualityOf } from '../../../../bench/discovery/quality.ts';
import { readTools } from '../../../../bench/discovery/searched-set.ts';

/** What must be reached: a little less than what is, so that a change of words in a document decides nothing. */
const floors: Record<string, { first: number; firstFive: number }> = {
  GitHub: { first: 0.75, firstFive: 0.9 },
  Okta: { first: 0.74, firstFive: 0.9 },
  GitBook: { first: 0.74, firstFive: 0.9 },
};

describe.each(ownSets)('requests to $name', async ({ name, document, queries }) => {
  const { sources: found, keyOf } = await readTools(document);
  const sources = await Promise.all(
    found.map(
      async ({ namespace, name: title, packed }): Promise<SearchedSource> =>
        searchedSource({ namespace, name: title, index: new SourceIndex(await indexTools(packed)) }),
    ),
  );
  const pathsFor = (query: string) => search(sources, query, { limit: 10 }).found.map(({ path }) => path);

  test('expect operations that there are', () => {
    const known = new Set(found.flatMap(({ pack }) => [...pack.paths()].map(keyOf)));
    expect(queries.flatMap(({ expected }) => expected).filter((key) => !known.has(key))).toEqual([]);
  });

  test('find the right operation', () => {
    const { hit, empty } = qualityOf(queries, (query) => pathsFor(query).map(keyOf));
    const { first = 1, firstFive = 1 } = floors[name] ?? {};
    expect(hit[1]).toBeGreaterThanOrEqual(first);
    expect(hit[5]).toBeGreaterThanOrEqual(firstFive);
    expect(empty).toBe(0);
  });

  test('get no answer where nothing fits', () => {
    const answered = unanswerable.filter(({ query }) => pathsFor(query).length > 0);
    expect(answered.length, JSON.stringify(answered)).toBeLessThanOrEqual(unanswerable.length / 4);
  });
});
