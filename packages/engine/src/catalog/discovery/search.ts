import type { SearchedSource } from './index/source-index.ts';
import { flag } from './index/tool-flags.ts';
import { CatalogView } from './ranking/catalog-view.ts';
import { compose, type PickedTool } from './ranking/compose.ts';
import { explain, explainLastResort, type Why } from './ranking/explain.ts';
import { fits } from './ranking/fit.ts';
import { NeedRanker, type Ranking } from './ranking/rank-need.ts';
import { Scorer } from './ranking/score.ts';
import { meaningOf, type Request } from './request/concepts.ts';
import { mentionedTools } from './request/mentioned-tools.ts';
import { needsOf } from './request/needs.ts';
import { readQuery } from './request/query.ts';
import { Spelling } from './request/spelling.ts';
import { Vocabulary } from './request/vocabulary.ts';
import { stem } from './text/stem.ts';

/*
 * A search finds the tools for a request in plain language. It uses no network and no model, and the same tools and the
 * same request always give the same results. The stages:
 *
 * 1. Indexing (index/, words/). Before any search, each source gets an index: for each term (a word stem) the tools
 *    that have it, and in which fields. It also knows which ids a tool needs and which tools return them. The words
 *    come from words/, which extracts them when a document is read.
 * 2. Reading the request (request/). Text becomes words in clauses (query.ts), then concepts with corrected spelling
 *    and synonyms (concepts.ts), then needs, one for each task of the request (needs.ts). mentioned-tools.ts finds
 *    tools that the request names.
 * 3. Ranking (ranking/). Each tool gets a score for each concept (score.ts) and each need (rank-need.ts). compose.ts
 *    picks tools one by one, so that every need is covered, and adds tools that return the ids that others need
 *    (providers.ts).
 * 4. Deciding whether anything fits (ranking/fit.ts). If nothing does, tools that search for anything, such as the web,
 *    may be the last resort.
 *
 * lexicon/ knows English: stop words, verbs and their intents, synonyms, abbreviations. text/ cuts text into words and
 * stems.
 */

interface SearchResult {
  /** The position of its source. */
  source: number;
  path: string;
  score: number;
  /**
   * Set for a tool that returns a resource whose id the tool `to` needs. Without `resource`, it searches by any name.
   */
  provides?: { resource?: string; to: string };
  why?: Why;
}

export interface SearchOutcome {
  found: SearchResult[];
  /** The number of tools that fit about as well as the found ones. */
  total: number;
  /** Words of the request that no tool has. */
  unknown: string[];
  /** No tool fits; the found ones search for anything. */
  isLastResort?: true;
}

export interface SearchOptions {
  limit: number;
  explain?: boolean;
  /** Whether the caller may see a tool. */
  isVisible?(source: number, path: string): boolean;
}

/**
 * Results of a search without a limit. They also decide whether anything fits, so that no limit changes that decision.
 */
export const defaultLimit = 10;

/**
 * Finds the tools for a request, the best first. The order in which tools were added to a source does not change the
 * answer.
 */
export function search(
  sources: readonly SearchedSource[],
  text: string,
  options: SearchOptions,
): SearchOutcome {
  const steps = searchSteps(sources, text, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same in steps of some milliseconds, so that a long request does not block the process. */
export function* searchSteps(
  sources: readonly SearchedSource[],
  text: string,
  options: SearchOptions,
): Generator<undefined, SearchOutcome> {
  const view = new CatalogView(sources);
  const vocabulary = new Vocabulary(sources);
  const query = readQuery(text, (word) => vocabulary.isSourceName(stem(word.toLowerCase())));
  const request: Request = {
    query,
    ...meaningOf(query, vocabulary, new Spelling(sources, vocabulary)),
    isVisible: visibility(view, options),
  };
  yield;
  const mentioned = mentionedTools(view, text, request);
  yield;
  if (request.concepts.length === 0 && mentioned.length === 0) return lastResort(view, request, options);
  const scorer = new Scorer(sources, vocabulary);
  const hits = yield* each(request.concepts, (concept) => scorer.hits(concept));
  const ranker = new NeedRanker(view, request, hits);
  const rankings = yield* each(needsOf(request.concepts, query), (need) => ranker.rank(need));
  const usual = compose(view, rankings, request, defaultLimit);
  yield;
  if (mentioned.length === 0 && !anyFits(view, usual, rankings, request))
    return lastResort(view, request, options);
  const { limit } = options;
  const best = limit === defaultLimit ? usual : compose(view, rankings, request, limit);
  yield;
  const found = withMentioned(mentioned, best, limit);
  return {
    found: found.map((one) => ({
      source: view.sourceOf(one.tool),
      path: view.pathOf(one.tool),
      score: one.score,
      ...(one.provides && { provides: { ...one.provides, to: view.pathOf(one.provides.to) } }),
      ...(options.explain && {
        why: explain(view, { request, hits, need: (rankings[one.need] as Ranking).need }, one),
      }),
    })),
    total: Math.max(found.length, countOf(rankings)),
    unknown: unknownIn(request),
  };
}

function* each<Item, Result>(items: Item[], work: (item: Item) => Result): Generator<undefined, Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(work(item));
    yield;
  }
  return results;
}

/** Tools that the request names are the first results. */
function withMentioned(mentioned: number[], picked: PickedTool[], limit: number): PickedTool[] {
  const score = picked[0]?.score ?? 0;
  const first = mentioned.map((tool): PickedTool => ({ tool, score, need: 0, isNamed: true }));
  return [...first, ...picked.filter(({ tool }) => !mentioned.includes(tool))].slice(0, limit);
}

function unknownIn({ unknown }: Request): string[] {
  return unknown.map((word) => word.text);
}

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
    unknown: unknownIn(request),
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

function anyFits(view: CatalogView, picked: PickedTool[], rankings: Ranking[], request: Request): boolean {
  return picked.some(({ tool }) => rankings.some(({ need }) => fits(view, tool, need, request)));
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
