import { describe, expect, test } from 'vitest';
import { ownSets, unanswerable } from '../../../bench/discovery/own-sets.ts';
import { type ExpectedTools, qualityOf } from '../../../bench/discovery/quality.ts';
import { readTools } from '../../../bench/discovery/searched-set.ts';
import { search, searchedPack } from '../../../bench/discovery/searching.ts';
import { prepare } from '../../../bench/discovery/unseen.ts';
import { unseenQuality } from '../../../bench/discovery/unseen-quality.ts';

/**
 * The minimum quality for each kind of request. Sentences and mixed sets get a margin below the measured quality, so
 * that a changed word in a document does not fail the test.
 */
const floors = {
  short: { first: 0.75, firstFive: 0.92 },
  sentence: { first: 0.4, firstFive: 0.6 },
  mixed: { first: 0.75, firstFive: 0.9 },
};

const mistakes: Record<string, (word: string) => string> = {
  'two letters swapped': (word) => `${word.slice(0, 2)}${word[3]}${word[2]}${word.slice(4)}`,
  'the first two letters swapped': (word) => `${word[1]}${word[0]}${word.slice(2)}`,
  'a letter left out': (word) => word.slice(0, 2) + word.slice(3),
  'another first letter': (word) => `x${word.slice(1)}`,
};

const sets = await Promise.all(
  ownSets.map(async (set) => {
    const tools = await readTools(set.document);
    return { ...set, tools, sources: await Promise.all(tools.sources.map(searchedPack)) };
  }),
);

describe.each(sets)('requests to $name', ({ tools, sources, queries }) => {
  const { keyOf } = tools;
  const pathsFor = (query: string) => search(sources, query, { limit: 10 }).found.map(({ path }) => path);

  test('expect operations that exist', () => {
    const known = new Set(tools.sources.flatMap(({ pack }) => [...pack.paths()].map(keyOf)));
    expect(queries.flatMap(({ expected }) => expected).filter((key) => !known.has(key))).toEqual([]);
  });

  test.each(kindsIn(queries))('find the right operation: %s requests', (kind) => {
    const ofKind = queries.filter((query) => kindOf(query) === kind);
    const { hit, empty } = qualityOf(ofKind, (query) => pathsFor(query).map(keyOf));
    expect(hit[1]).toBeGreaterThanOrEqual(floors[kind].first);
    expect(hit[5]).toBeGreaterThanOrEqual(floors[kind].firstFive);
    expect(empty).toBe(0);
  });

  test.each(Object.entries(mistakes))('find it despite a typing mistake: %s', (_, misspell) => {
    const wrong = queries
      .filter(({ kind }) => kind !== 'sentence')
      .map(({ query, expected }) => ({ query: withMistake(query, misspell), expected }));
    const { hit, empty } = qualityOf(wrong, (query) => pathsFor(query).map(keyOf));
    expect(hit[5]).toBeGreaterThanOrEqual(0.8);
    expect(empty).toBeLessThanOrEqual(0.04);
  });

  test('get the same decision whether anything fits, for every limit', () => {
    const requests = [...ownSets.flatMap((set) => set.queries), ...unanswerable].map(({ query }) => query);
    const decision = (query: string, limit: number) => {
      const { found: results, isLastResort } = search(sources, query, { limit });
      return { query, isAnswered: results.length > 0, isLastResort };
    };
    const expected = requests.map((query) => decision(query, 10));
    for (const limit of [1, 3, 200])
      expect(requests.map((query) => decision(query, limit))).toEqual(expected);
  });

  test('get no answer if nothing fits', () => {
    const answered = unanswerable.filter(({ query }) => pathsFor(query).length > 0);
    expect(answered.length, JSON.stringify(answered)).toBeLessThanOrEqual(unanswerable.length / 4);
  });
});

test('requests to unseen services find their tools', async () => {
  const quality = await unseenQuality('report', prepare);
  expect(quality.alone).toBeGreaterThanOrEqual(0.63);
  expect(quality.together).toBeGreaterThanOrEqual(0.57);
  expect(quality.ofNamed).toBeGreaterThanOrEqual(0.85);
});

test.each([
  ['create a branch, commit a file, open a PR', ['create branch', 'create commit file', 'open pr']],
  ['open an issue and assign it to me', ['open issue', 'assign']],
])('each task of a request has a tool: %s', (query, needs) => {
  const github = sets.find(({ name }) => name === 'GitHub')?.sources ?? [];
  const { found } = search(github, query, { limit: 6, explain: true });
  expect(found.map(({ why }) => why?.need)).toEqual(expect.arrayContaining(needs));
});

/** The kinds that a set has, so that each listed test measures something. */
function kindsIn(queries: ExpectedTools[]): (keyof typeof floors)[] {
  return [...new Set(queries.map(kindOf))];
}

function kindOf({ kind }: ExpectedTools): keyof typeof floors {
  return kind ?? 'mixed';
}

/** Misspells the longest word of a request. */
function withMistake(query: string, misspell: (word: string) => string): string {
  const words = query.split(' ');
  const longest = words.reduce((one, other) => (other.length > one.length ? other : one));
  return words.map((word) => (word === longest ? misspell(word) : word)).join(' ');
}
