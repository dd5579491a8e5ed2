import { type FieldName, fieldsIn } from '../index/fields.ts';
import type { SearchedSource, SourceIndex } from '../index/source-index.ts';
import type { Concept, Request, Variant } from '../request/concepts.ts';
import type { Need } from '../request/needs.ts';
import type { CatalogView } from './catalog-view.ts';
import type { Found } from './compose.ts';
import { type Hits, scoreOf } from './score.ts';
import { type Sign, signsOf, wantedActions } from './signs.ts';

/** Why a tool was found. */
export interface Why {
  words: MatchedWord[];
  /** Words of the request, or of the part that it is for, that it has not. */
  missing: string[];
  /** The part of the request that it is for, where there are several. */
  need?: string;
  signs: (Sign | 'called' | 'anything')[];
  score: number;
}

interface MatchedWord {
  /** As it was asked for. */
  word: string;
  /** What stands for it in the tool. */
  as: string;
  via: Variant['via'] | 'source';
  in: FieldName[];
  /** How much it counts. */
  worth: number;
}

interface Asked {
  request: Request;
  /** The tools that have each concept. */
  hits: Hits[];
  need: Need;
}

/** Says of a tool what its place comes from. */
export function explain(
  view: CatalogView,
  { request, hits, need }: Asked,
  { tool, score, isCalled }: Found,
): Why {
  const source = view.sourceOf(tool);
  const { index, terms } = view.sources[source] as SearchedSource;
  const local = tool - view.offsetOf(source);
  const matched = request.concepts.map((concept, place): MatchedWord | undefined => {
    const worth = hundredths(scoreOf(hits[place] as Hits, tool));
    const found = bestVariant(index, local, concept);
    if (found) return { word: concept.text, ...found, worth };
    const named = [...concept.variants.keys()].find((term) => terms.has(term));
    return named === undefined ? undefined : { word: concept.text, as: named, via: 'source', in: [], worth };
  });
  const isMissing = (concept: Concept) => concept.weight > 0.5 && !concept.isValue && need.includes(concept);
  const missing = [
    ...request.concepts.filter((concept, place) => matched[place] === undefined && isMissing(concept)),
    ...request.unknown.filter(isMissing),
  ];
  return {
    words: matched.filter((word) => word !== undefined),
    missing: [...new Set(missing.map(({ text }) => text))],
    ...((need.part === 'clause' || need.part === 'segment') && { need: textOf(need, request) }),
    signs: isCalled
      ? ['called']
      : // By its words alone: nothing else was counted.
        need.part === 'plain'
        ? []
        : signsOf({ index, tool: local }, wantedActions(need, request), request),
    score: hundredths(score),
  };
}

/** Of what is not made for the request, and searches for anything. */
export function lastReason({ concepts, unknown }: Request): Why {
  const missing = [...concepts, ...unknown].filter(({ weight, isValue }) => weight > 0.5 && !isValue);
  return { words: [], missing: missing.map(({ text }) => text), signs: ['anything'], score: 0 };
}

function textOf({ concepts }: Need, request: Request): string {
  return [...new Set(concepts.map((place) => request.concepts[place]?.text))].join(' ');
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}

function bestVariant(
  index: SourceIndex,
  tool: number,
  { variants }: Concept,
): Omit<MatchedWord, 'word' | 'worth'> | undefined {
  let best: { weight: number; found: Omit<MatchedWord, 'word' | 'worth'> } | undefined;
  for (const [as, { weight, via }] of variants) {
    const place = index.termNumber(as);
    const posting = place === undefined ? undefined : index.posting(place, tool);
    if (posting === undefined || (best && best.weight >= weight)) continue;
    best = { weight, found: { as, via, in: fieldsIn(index.data.masks[posting] as number) } };
  }
  return best?.found;
}
