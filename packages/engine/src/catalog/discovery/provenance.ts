import { anyIntent, flag } from './index-data.ts';
import { relativesOf } from './lexicon/lexicon.ts';
import type { Request } from './request.ts';
import type { SourceIndex } from './searched-source.ts';

export interface Provider {
  tool: number;
  /** The term of what it knows; none where it finds whatever has a name. */
  thing?: string;
  /** How well it fits this request, up to 1. */
  fitness: number;
}

const mostPerThing = 2;

/**
 * The tools of a source that know what one of its tools needs: who asks for `playlist_id` is helped by what lists playlists. Whoever names something
 * (`Taylor Swift`) needs a search for it, whoever speaks of his own needs what lists that.
 */
export function providersOf(
  index: SourceIndex,
  tool: number,
  { request, relevance }: { request: Request; relevance(tool: number): number },
): Provider[] {
  const { needs, terms } = index.data;
  const { hasNames: names, query } = request;
  const found: Provider[] = [];
  const wanted = listOf(needs, tool).filter((term) => !isEverywhere(index, term));
  for (const term of wanted) {
    const able = ableTo(index, term, tool)
      .map((provider) => ({
        tool: provider,
        thing: terms[term] as string,
        fitness:
          fitness(index, provider, { names, isMine: query.isMine }) *
          (names ? 0.65 + 0.35 * relevance(provider) : 0.4 + 0.6 * relevance(provider)),
      }))
      .sort((a, b) => b.fitness - a.fitness || a.tool - b.tool);
    found.push(...able.slice(0, mostPerThing));
  }
  if (names) {
    const searching = index.searching
      .filter((provider) => provider !== tool)
      .map((provider) => ({ tool: provider, fitness: 0.4 + 0.6 * relevance(provider) }))
      .sort((a, b) => b.fitness - a.fitness || a.tool - b.tool);
    found.push(...searching.slice(0, 1));
  }
  return found;
}

/** Those that tell of the thing without having to be told it. */
function ableTo(index: SourceIndex, term: number, asking: number): number[] {
  const { flags, needs, terms } = index.data;
  const found = new Set(index.giving(term));
  for (const { terms: other } of relativesOf(terms[term] as string)) {
    const place = other.length === 1 ? index.place(other[0] as string) : undefined;
    if (place !== undefined) for (const tool of index.giving(place)) found.add(tool);
  }
  for (const tool of index.searching) if (index.posting(term, tool) !== undefined) found.add(tool);
  return [...found].filter(
    (tool) => tool !== asking && mayRead(flags[tool] as number) && !listOf(needs, tool).includes(term),
  );
}

function mayRead(flags: number): boolean {
  return (flags & flag.read) !== 0 || (flags & anyIntent) === 0;
}

function fitness(
  index: SourceIndex,
  tool: number,
  { names, isMine }: { names: boolean; isMine: boolean },
): number {
  const flags = index.data.flags[tool] as number;
  let fit = 0.4;
  // What makes an id or a place of a name needs to be told nothing else.
  if (names && (flags & flag.search || (!(flags & (flag.list | flag.mine)) && needCount(index, tool) === 0)))
    fit = 1;
  else if (isMine && flags & flag.mine) fit = 1;
  else if (flags & (flag.list | flag.search)) fit = 0.55;
  return fit * 0.6 ** needCount(index, tool);
}

/** Whoever works with a system knows what nearly all of its tools ask for. */
function isEverywhere(index: SourceIndex, term: number): boolean {
  return index.size > 20 && index.needing(term) > index.size * 0.3;
}

function needCount({ data: { needs } }: SourceIndex, tool: number): number {
  return (needs.starts[tool + 1] as number) - (needs.starts[tool] as number);
}

function listOf({ starts, terms }: SourceIndex['data']['needs'], tool: number): number[] {
  return [...terms.subarray(starts[tool], starts[tool + 1])];
}
