import type { SearchOptions, SearchOutcome, TextVector } from '@executor/engine';
import type { SearchedSource } from './index/open-index.ts';
import { flag } from './index/tool-flags.ts';
import { isWord } from './lexicon/lexicon.ts';
import { nearness } from './meaning/meanings.ts';
import type { WordVectors } from './meaning/word-vectors.ts';
import { CatalogView } from './ranking/catalog-view.ts';
import { cover, type PickedTool } from './ranking/cover.ts';
import { explain, explainLastResort, textOf } from './ranking/explain.ts';
import { wordFit } from './ranking/fit.ts';
import { NeedRanker, type Ranking } from './ranking/rank-need.ts';
import { Scorer } from './ranking/score.ts';
import { tuning } from './ranking/tuning.ts';
import { meaningOf, type ReadRequest, type Request } from './request/concepts.ts';
import { mentionedTools } from './request/mentioned-tools.ts';
import { needsOf } from './request/needs.ts';
import { readQuery } from './request/query.ts';
import { Spelling } from './request/spelling.ts';
import { Vocabulary } from './request/vocabulary.ts';
import { stem } from './text/stem.ts';

/*
 * A search finds the tools for a request in plain language. It uses no network, and the same tools and the same request
 * always give the same results. The stages:
 *
 * 1. Indexing (index/). Before any search, each source gets an index: for each term (a word stem) the tools that have
 *    it, and in which fields. It also has a vector for the meaning of each tool (meaning/).
 * 2. Reading the request (request/). Text becomes words in clauses (query.ts), then concepts with corrected spelling
 *    and verbs of the same meaning (concepts.ts), then needs, one for each task of the request (needs.ts).
 *    mentioned-tools.ts finds tools that the request names.
 * 3. Ranking (ranking/). Each tool gets a score for each concept (score.ts) and each need (rank-need.ts), which also
 *    compares meanings. cover.ts picks tools one by one, so that every need is covered.
 * 4. Deciding whether anything fits (ranking/fit.ts). If nothing does, tools that search for anything, such as the web,
 *    may be the last resort.
 *
 * lexicon/ knows English: stop words, verbs and their intents, abbreviations. text/ cuts text into words and stems.
 */

/**
 * Results of a search without a limit. They also decide whether anything fits, so that no limit changes that decision.
 */
const usualLimit = 10;

/** Finds the tools for a request, the best first, in steps of some milliseconds. */
export function* searchSteps(
  sources: readonly SearchedSource[],
  text: string,
  options: SearchOptions,
  vectors: WordVectors | undefined,
): Generator<undefined, SearchOutcome> {
  const view = new CatalogView(sources);
  const vocabulary = new Vocabulary(sources);
  const request: Request = {
    ...readRequest(sources, vocabulary, text),
    isVisible: visibility(view, options),
  };
  yield;
  const mentioned = mentionedTools(view, text, request);
  yield;
  const scorer = new Scorer(sources, vocabulary);
  const hits = yield* each(request.concepts, (concept) => scorer.hits(concept));
  const ranker = new NeedRanker(view, request, {
    hits,
    vectors: { words: vectors, texts: options.vectors ?? noVectors },
  });
  const rankings = yield* each(needsOf(request), (need) => ranker.rank(need));
  const usual = cover(rankings, usualLimit);
  const { minFit: minFitOfAll } = rankings.some(({ meanings }) => meanings?.byModel) ? tuning.model : tuning;
  const minFit = minFitOfAll + tuning.nearWord - nearnessOf(view, request, vectors);
  yield;
  if (mentioned.length === 0 && !anyFits(view, usual, { rankings, request, minFit }))
    return lastResort(view, request, options);
  yield;
  const picked = options.limit <= usualLimit ? usual : cover(rankings, options.limit);
  const others = picked.filter(({ tool }) => !mentioned.includes(tool));
  const named = mentioned.map((tool): PickedTool => ({ tool, score: picked[0]?.score ?? 0, need: 0 }));
  return {
    found: [...named, ...others].slice(0, options.limit).map((one) => {
      const ranking = rankings[one.need] as Ranking;
      const { part } = ranking.need;
      const why = options.explain && explain(view, { request, hits, ranking }, one);
      return {
        source: view.sourceOf(one.tool),
        path: view.pathOf(one.tool),
        score: one.score,
        ...(part !== 'whole' && { need: textOf(ranking.need, request) }),
        ...(why && { why: mentioned.includes(one.tool) ? { ...why, signs: ['the request names it'] } : why }),
      };
    }),
    total: Math.max(named.length, countOf(rankings)),
    unknown: request.unknown.map((word) => word.text),
    ...(mentioned.length === 0 && isUnsure(view, picked, rankings, request) && { isUnsure: true }),
  };
}

const noVectors: ReadonlyMap<string, TextVector> = new Map();

/** The texts whose meanings a search compares. */
export function requestTexts(sources: readonly SearchedSource[], text: string): string[] {
  const request = readRequest(sources, new Vocabulary(sources), text);
  return needsOf(request).flatMap((need) => (need.text === '' ? [] : [need.text]));
}

function readRequest(sources: readonly SearchedSource[], vocabulary: Vocabulary, text: string): ReadRequest {
  const query = readQuery(text, (word) => vocabulary.isSourceName(stem(word.toLowerCase())));
  return { query, ...meaningOf(query, vocabulary, new Spelling(sources, vocabulary)) };
}

function* each<Item, Result>(items: Item[], work: (item: Item) => Result): Generator<undefined, Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(work(item));
    yield;
  }
  return results;
}

function anyFits(
  view: CatalogView,
  picked: PickedTool[],
  { rankings, request, minFit }: { rankings: Ranking[]; request: Request; minFit: number },
): boolean {
  return picked.some(({ tool }) =>
    rankings.some((ranking) => fitness(view, tool, ranking, request) >= minFit),
  );
}

/** How near the unknown words of the request are to words of the tools. The farthest one counts, unless it is a mistake. */
function nearnessOf(view: CatalogView, { unknown }: Request, vectors: WordVectors | undefined): number {
  const near = unknown
    .filter(({ text }) => isWord(text))
    .slice(0, maxUnknown)
    .map(({ text }) => (vectors ? nearness(view, text, vectors) : tuning.usualNearness));
  return Math.min(tuning.nearWord, ...near);
}

/** Each unknown word is compared with all words of tools. */
const maxUnknown = 6;

/** How well a tool fits a need, by its words and by its meaning. */
function fitness(
  view: CatalogView,
  tool: number,
  { need, meanings }: Pick<Ranking, 'need' | 'meanings'>,
  request: Request,
): number {
  const { meaningFit, minFitMeaning } = meanings?.byModel
    ? tuning.model
    : { ...tuning, minFitMeaning: tuning.minMeaning };
  const similarity = meanings?.similarities[tool] ?? 0;
  return wordFit(view, tool, need, request) + meaningFit * Math.max(0, similarity - minFitMeaning);
}

/** The first result hardly fits, or several others are nearly as good. Then it is right half as often. */
function isUnsure(
  view: CatalogView,
  [first, ...others]: PickedTool[],
  rankings: Ranking[],
  request: Request,
): boolean {
  if (first === undefined) return false;
  const ranking = rankings[first.need] as Ranking;
  if (fitness(view, first.tool, ranking, request) < tuning.sureFit) return true;
  const near = others.filter(({ need, tool }) => {
    const { scores } = rankings[need] as Ranking;
    return need === first.need && (scores.get(tool) ?? 0) >= (scores.get(first.tool) ?? 0) * nearShare;
  });
  return near.length >= maxNear;
}

/** A score of this share of the best is nearly as good. */
const nearShare = 0.85;
const maxNear = 2;

const maxLastResorts = 3;

/** For a question that no tool fits, the tools that search for anything may find the answer. */
function lastResort(
  view: CatalogView,
  request: Request,
  { limit, explain: isExplained }: SearchOptions,
): SearchOutcome {
  const found = (isQuestion(request) ? toolsForAnything(view) : [])
    .filter((tool) => request.isVisible(tool))
    .slice(0, Math.min(limit, maxLastResorts))
    .map((tool) => ({
      source: view.sourceOf(tool),
      path: view.pathOf(tool),
      score: 0,
      ...(isExplained && { why: explainLastResort(request) }),
    }));
  return {
    found,
    total: found.length,
    unknown: request.unknown.map((word) => word.text),
    ...(found.length > 0 && { isLastResort: true }),
  };
}

/** `how tall is Mount Everest` and `find the latest news` ask for information; `thanks` and `order a pizza` do not. */
function isQuestion({ concepts, unknown, query }: Request): boolean {
  const all = [...concepts, ...unknown];
  const intents = new Set(all.flatMap((concept) => concept.intents));
  const wants = intents.size > 0 ? intents.has('read') : query.asking.size > 0;
  return wants && all.some(({ weight, isValue, isVerb }) => weight > 0.5 && !isValue && !isVerb);
}

/** Tools that search for anything, shortest names first. */
function toolsForAnything(view: CatalogView): number[] {
  return view.sources
    .flatMap(({ index: { data } }, source) =>
      [...data.flags.keys()]
        .filter((tool) => (data.flags[tool] as number) & flag.anything)
        .map((tool) => ({
          tool: view.offsetOf(source) + tool,
          words: (data.names.starts[tool + 1] as number) - (data.names.starts[tool] as number),
        })),
    )
    .sort((one, other) => one.words - other.words || one.tool - other.tool)
    .map(({ tool }) => tool);
}

/** Asks the caller's function once for each tool. */
function visibility(view: CatalogView, { isVisible }: SearchOptions): Request['isVisible'] {
  if (isVisible === undefined) return () => true;
  const cache = new Map<number, boolean>();
  return (tool) => {
    const cached = cache.get(tool);
    if (cached !== undefined) return cached;
    const result = isVisible(view.sourceOf(tool), view.pathOf(tool));
    cache.set(tool, result);
    return result;
  };
}

/** The number of tools with at least half of the best score for a need. */
function countOf(rankings: Ranking[]): number {
  const near = new Set<number>();
  for (const { scores } of rankings) {
    const minScore = Math.max(...scores.values()) / 2;
    for (const [tool, score] of scores) if (score >= minScore) near.add(tool);
  }
  return near.size;
}
