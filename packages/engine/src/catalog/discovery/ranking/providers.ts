import type { SourceIndex } from '../index/source-index.ts';
import { anyIntent, flag } from '../index/tool-flags.ts';
import { relativesOf } from '../lexicon/lexicon.ts';
import type { Request } from '../request/concepts.ts';

export interface Provider {
  tool: number;
  /** The term of what it knows; none where it finds whatever has a name. */
  thing?: string;
  /** How well it fits this request, up to 1. */
  fitness: number;
}

interface Asked {
  request: Request;
  relevance(tool: number): number;
}

const maxPerThing = 2;
/** What the HTTP path says is surer than what words say. */
const lists = 0.9;

/**
 * The tools of a source that know what one of its tools needs: who asks for `playlist_id` is helped by what lists playlists. Whoever names something
 * (`Taylor Swift`) needs a search for it, whoever speaks of his own needs what lists that.
 */
export function providersOf(index: SourceIndex, tool: number, asked: Asked): Provider[] {
  const found: Provider[] = [];
  for (const need of index.requiredResources(tool))
    if (!isEverywhere(index, need.term)) found.push(...providersFor(index, tool, need, asked));
  if (asked.request.hasNames) {
    const searching = index.searchTools
      .filter((provider) => provider !== tool)
      .map((provider) => ({ tool: provider, fitness: 0.4 + 0.6 * asked.relevance(provider) }))
      .sort(byFitness);
    found.push(...searching.slice(0, 1));
  }
  return found;
}

/** For what nearly all tools of a source need, one for each: whoever works with the system knows it as a rule, but not from the start. */
export function commonProvidersOf(index: SourceIndex, tool: number): Provider[] {
  const found: Provider[] = [];
  for (const need of index.requiredResources(tool)) {
    if (!isEverywhere(index, need.term)) continue;
    const able = ableTo(index, tool, need).filter(
      (provider) => index.requiredResources(provider).length === 0,
    );
    able.sort((one, other) => plainness(index, one) - plainness(index, other) || one - other);
    if (able[0] !== undefined)
      found.push({ tool: able[0], thing: index.data.terms[need.term] as string, fitness: 0 });
  }
  return found;
}

/** What is one's own comes first, and then what is called by the fewest words. */
function plainness({ data: { flags, names } }: SourceIndex, tool: number): number {
  const words = (names.starts[tool + 1] as number) - (names.starts[tool] as number);
  return words + ((flags[tool] as number) & flag.mine ? 0 : 100);
}

interface NeededTerm {
  term: number;
  lister: number | undefined;
}

function providersFor(index: SourceIndex, asking: number, need: NeededTerm, asked: Asked): Provider[] {
  const thing = index.data.terms[need.term] as string;
  const { hasNames: names, query } = asked.request;
  const needed = new Set(index.requiredResources(asking).map(({ term }) => term));
  return ableTo(index, asking, need)
    .map((tool) => {
      const fit = fitness(index, tool, { names, isMine: query.isMine, isLister: tool === need.lister });
      const relevance = asked.relevance(tool);
      const more = index.requiredResources(tool).filter(({ term }) => !needed.has(term)).length;
      return {
        tool,
        thing,
        fitness: fit * 0.6 ** more * (names ? 0.65 + 0.35 * relevance : 0.4 + 0.6 * relevance),
      };
    })
    .sort(byFitness)
    .slice(0, maxPerThing);
}

/** Those that tell of the thing without having to be told it; those that tell of something like it only where there is none. */
function ableTo(index: SourceIndex, asking: number, { term, lister }: NeededTerm): number[] {
  const isAble = (tool: number) =>
    tool !== asking &&
    mayRead(index.data.flags[tool] as number) &&
    !index.requiredResources(tool).some((need) => need.term === term);
  const found = new Set(index.toolsReturning(term));
  for (const tool of index.searchTools) if (index.posting(term, tool) !== undefined) found.add(tool);
  if (lister !== undefined) found.add(lister);
  const able = [...found].filter(isAble);
  return able.length > 0 ? able : likeIt(index, term).filter(isAble);
}

function likeIt(index: SourceIndex, term: number): number[] {
  const found = new Set<number>();
  for (const { terms, kind } of relativesOf(index.data.terms[term] as string)) {
    const place = terms.length === 1 && kind === 'synonym' ? index.termNumber(terms[0] as string) : undefined;
    if (place !== undefined) for (const tool of index.toolsReturning(place)) found.add(tool);
  }
  return [...found];
}

function mayRead(flags: number): boolean {
  return (flags & flag.read) !== 0 || (flags & anyIntent) === 0;
}

function fitness(
  index: SourceIndex,
  tool: number,
  { names, isMine, isLister }: { names: boolean; isMine: boolean; isLister: boolean },
): number {
  const flags = index.data.flags[tool] as number;
  // What makes an id or a place of a name needs to be told nothing else.
  const isDirect =
    flags & flag.search || (!(flags & (flag.list | flag.mine)) && index.requiredResources(tool).length === 0);
  if ((names && isDirect) || (isMine && flags & flag.mine)) return 1;
  if (isLister) return lists;
  return flags & (flag.list | flag.search) ? 0.55 : 0.4;
}

/** Whoever works with a system knows what nearly all of its tools ask for. */
function isEverywhere(index: SourceIndex, term: number): boolean {
  return index.size > 20 && index.needCount(term) > index.size * 0.3;
}

function byFitness(one: Provider, other: Provider): number {
  return other.fitness - one.fitness || one.tool - other.tool;
}
