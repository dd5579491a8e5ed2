import type { SourceIndex } from '../index/source-index.ts';
import { anyIntent, flag } from '../index/tool-flags.ts';
import { relativesOf } from '../lexicon/lexicon.ts';
import type { Request } from '../request/concepts.ts';

/** A tool that returns a resource whose id another tool needs. */
export interface Provider {
  tool: number;
  /** The term of the resource; undefined for a tool that searches by any name. */
  resource?: string;
  /** How well it fits this request, from 0 to 1. */
  fitness: number;
}

interface Context {
  request: Request;
  relevance(tool: number): number;
}

const maxPerResource = 2;
/** The fitness of the tool that lists the resource by its HTTP path, which is surer than words. */
const listerFitness = 0.9;

/**
 * The tools of a source that return what one of its tools needs: a tool with the parameter `playlist_id` needs a tool
 * that lists playlists. A request with a name (`Taylor Swift`) needs a search for the name. A request about the
 * caller's own resources needs a tool that lists them.
 */
export function providersOf(index: SourceIndex, tool: number, context: Context): Provider[] {
  const found: Provider[] = [];
  for (const need of index.requiredResources(tool))
    if (!isNeededByMost(index, need.term)) found.push(...providersFor(index, tool, need, context));
  if (context.request.hasNames) {
    const searchTools = index.searchTools
      .filter((provider) => provider !== tool)
      .map((provider) => ({ tool: provider, fitness: 0.4 + 0.6 * context.relevance(provider) }))
      .sort(byFitness);
    found.push(...searchTools.slice(0, 1));
  }
  return found;
}

/**
 * One provider for each resource that nearly all tools of a source need. Callers usually know these ids, but not at the
 * start.
 */
export function commonProvidersOf(index: SourceIndex, tool: number): Provider[] {
  const found: Provider[] = [];
  for (const need of index.requiredResources(tool)) {
    if (!isNeededByMost(index, need.term)) continue;
    const able = toolsProviding(index, tool, need).filter(
      (provider) => index.requiredResources(provider).length === 0,
    );
    able.sort((one, other) => plainness(index, one) - plainness(index, other) || one - other);
    if (able[0] !== undefined)
      found.push({ tool: able[0], resource: index.data.terms[need.term] as string, fitness: 0 });
  }
  return found;
}

/** Sorts tools about the caller first, then tools with short names. */
function plainness({ data: { flags, names } }: SourceIndex, tool: number): number {
  const words = (names.starts[tool + 1] as number) - (names.starts[tool] as number);
  return words + ((flags[tool] as number) & flag.mine ? 0 : 100);
}

interface RequiredResource {
  term: number;
  lister: number | undefined;
}

function providersFor(
  index: SourceIndex,
  consumer: number,
  need: RequiredResource,
  context: Context,
): Provider[] {
  const resource = index.data.terms[need.term] as string;
  const { hasNames, query } = context.request;
  const needed = new Set(index.requiredResources(consumer).map(({ term }) => term));
  return toolsProviding(index, consumer, need)
    .map((tool) => {
      const fit = fitness(index, tool, { hasNames, isMine: query.isMine, isLister: tool === need.lister });
      const relevance = context.relevance(tool);
      const otherNeeds = index.requiredResources(tool).filter(({ term }) => !needed.has(term)).length;
      return {
        tool,
        resource,
        fitness: fit * 0.6 ** otherNeeds * (hasNames ? 0.65 + 0.35 * relevance : 0.4 + 0.6 * relevance),
      };
    })
    .sort(byFitness)
    .slice(0, maxPerResource);
}

/** Tools that return the resource without needing its id. If there are none, tools that return a synonym of it. */
function toolsProviding(index: SourceIndex, consumer: number, { term, lister }: RequiredResource): number[] {
  const isAble = (tool: number) =>
    tool !== consumer &&
    mayRead(index.data.flags[tool] as number) &&
    !index.requiredResources(tool).some((need) => need.term === term);
  const found = new Set(index.toolsReturning(term));
  for (const tool of index.searchTools) if (index.posting(term, tool) !== undefined) found.add(tool);
  if (lister !== undefined) found.add(lister);
  const able = [...found].filter(isAble);
  return able.length > 0 ? able : toolsReturningSynonym(index, term).filter(isAble);
}

function toolsReturningSynonym(index: SourceIndex, term: number): number[] {
  const found = new Set<number>();
  for (const { terms, kind } of relativesOf(index.data.terms[term] as string)) {
    const synonym =
      terms.length === 1 && kind === 'synonym' ? index.termNumber(terms[0] as string) : undefined;
    if (synonym !== undefined) for (const tool of index.toolsReturning(synonym)) found.add(tool);
  }
  return [...found];
}

function mayRead(flags: number): boolean {
  return (flags & flag.read) !== 0 || (flags & anyIntent) === 0;
}

function fitness(
  index: SourceIndex,
  tool: number,
  { hasNames, isMine, isLister }: { hasNames: boolean; isMine: boolean; isLister: boolean },
): number {
  const flags = index.data.flags[tool] as number;
  // A tool that turns a name into an id or a location needs nothing else.
  const isDirect =
    flags & flag.search || (!(flags & (flag.list | flag.mine)) && index.requiredResources(tool).length === 0);
  if ((hasNames && isDirect) || (isMine && flags & flag.mine)) return 1;
  if (isLister) return listerFitness;
  return flags & (flag.list | flag.search) ? 0.55 : 0.4;
}

/** Callers of a system usually know the ids that most of its tools need. */
function isNeededByMost(index: SourceIndex, term: number): boolean {
  return index.size > 20 && index.needCount(term) > index.size * 0.3;
}

function byFitness(one: Provider, other: Provider): number {
  return other.fitness - one.fitness || one.tool - other.tool;
}
