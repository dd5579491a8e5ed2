import type { SearchedSource } from './index/source-index.ts';
import { flag } from './index/tool-flags.ts';
import { CatalogView } from './ranking/catalog-view.ts';
import { compose, type Found } from './ranking/compose.ts';
import { explain, lastReason, type Why } from './ranking/explain.ts';
import { fits } from './ranking/fit.ts';
import { NeedRanker, type Ranking } from './ranking/rank-need.ts';
import { Scorer } from './ranking/score.ts';
import type { Request } from './request/concepts.ts';
import { meaningOf } from './request/concepts.ts';
import { mentionedTools } from './request/mentioned-tools.ts';
import { needsOf } from './request/needs.ts';
import { readQuery } from './request/query.ts';
import { Spelling } from './request/spelling.ts';
import { Vocabulary } from './request/vocabulary.ts';
import { stem } from './text/stem.ts';

interface SearchResult {
  /** The place of its source. */
  source: number;
  path: string;
  score: number;
  /** It is there because another tool must be told of what it knows, by its term; none where it finds whatever has a name. */
  provides?: { thing?: string; to: string };
  why?: Why;
}

export interface SearchOutcome {
  found: SearchResult[];
  /** How many tools fit about as well as these, as far as it was counted. */
  total: number;
  /** Words of the request that no tool has. */
  unknown: string[];
  /** No tool is made for it; these look for anything. */
  isLastResort?: true;
}

export interface SearchOptions {
  limit: number;
  explain?: boolean;
  /** Whether whoever asks may know of a tool. */
  isVisible?(source: number, path: string): boolean;
}

/** Results of a search without a limit. They also decide whether anything fits, so that no limit changes that decision. */
export const defaultLimit = 10;

/** Finds the tools for a request, the best first. The same tools and the same request give the same answer, in whatever order they came. */
export function search(
  sources: readonly SearchedSource[],
  text: string,
  options: SearchOptions,
): SearchOutcome {
  const view = new CatalogView(sources);
  const vocabulary = new Vocabulary(sources);
  const query = readQuery(text, (word) => vocabulary.isSourceName(stem(word.toLowerCase())));
  const request: Request = {
    query,
    ...meaningOf(query, vocabulary, new Spelling(sources, vocabulary)),
    isVisible: seenBy(view, options),
  };
  const mentioned = mentionedTools(view, text, request);
  if (request.concepts.length === 0 && mentioned.length === 0) return lastResort(view, request, options);
  const scorer = new Scorer(sources, vocabulary);
  const hits = request.concepts.map((concept) => scorer.hits(concept));
  const ranker = new NeedRanker(view, request, hits);
  const rankings = needsOf(request.concepts, query).map((need) => ranker.rank(need));
  const usual = compose(view, rankings, request, defaultLimit);
  if (mentioned.length === 0 && !anyFits(view, usual, rankings, request))
    return lastResort(view, request, options);
  const { limit } = options;
  const best = limit === defaultLimit ? usual : compose(view, rankings, request, limit);
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

/** What is called by its name comes first. */
function withMentioned(mentioned: number[], found: Found[], limit: number): Found[] {
  const most = found[0]?.score ?? 0;
  const first = mentioned.map((tool): Found => ({ tool, score: most, need: 0, isCalled: true }));
  return [...first, ...found.filter(({ tool }) => !mentioned.includes(tool))].slice(0, limit);
}

function unknownIn({ unknown }: Request): string[] {
  return unknown.map((word) => word.text);
}

const maxResorts = 3;

/** Who wants to be told something that no tool is made for may still look for it where anything can be looked for. */
function lastResort(
  view: CatalogView,
  request: Request,
  { limit, explain: isExplained }: SearchOptions,
): SearchOutcome {
  const found = (asksForAnything(request) ? anythingSeekers(view) : [])
    .filter((tool) => request.isVisible(tool))
    .slice(0, Math.min(limit, maxResorts))
    .map((tool) => ({
      source: view.sourceOf(tool),
      path: view.pathOf(tool),
      score: 0,
      ...(isExplained && { why: lastReason(request) }),
    }));
  return {
    found,
    total: found.length,
    unknown: unknownIn(request),
    ...(found.length > 0 && { isLastResort: true }),
  };
}

/** `how tall is Mount Everest`, `find the latest news`; neither `thanks` nor `order a pizza`. */
function asksForAnything({ concepts, unknown, query }: Request): boolean {
  const all = [...concepts, ...unknown];
  const intents = new Set(all.flatMap((concept) => concept.intents));
  const wants = intents.size > 0 ? intents.has('read') : query.asking.size > 0;
  return wants && all.some(({ weight, isValue, isVerb }) => weight > 0.5 && !isValue && !isVerb);
}

/** The plainest ones first. */
function anythingSeekers(view: CatalogView): number[] {
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

function seenBy(view: CatalogView, { isVisible }: SearchOptions): Request['isVisible'] {
  if (isVisible === undefined) return () => true;
  const known = new Map<number, boolean>();
  return (tool) => {
    const before = known.get(tool);
    if (before !== undefined) return before;
    const seen = isVisible(view.sourceOf(tool), view.pathOf(tool));
    known.set(tool, seen);
    return seen;
  };
}

function anyFits(view: CatalogView, found: Found[], rankings: Ranking[], request: Request): boolean {
  return found.some(({ tool }) => rankings.some(({ need }) => fits(view, tool, need, request)));
}

/** Those that come near the best one. */
function countOf(rankings: Ranking[]): number {
  const near = new Set<number>();
  for (const { scores } of rankings) {
    const least = Math.max(...scores.values()) / 2;
    for (const [tool, score] of scores) if (score >= least) near.add(tool);
  }
  return near.size;
}
