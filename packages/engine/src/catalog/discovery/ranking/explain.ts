import { type FieldName, fieldsIn } from '../index/fields.ts';
import type { SearchedSource, SourceIndex } from '../index/source-index.ts';
import type { Concept, Request, Variant } from '../request/concepts.ts';
import type { Need } from '../request/needs.ts';
import type { CatalogView } from './catalog-view.ts';
import type { PickedTool } from './compose.ts';
import { type Hits, scoreOf } from './score.ts';
import { type Sign, signsOf, wantedActions } from './signs.ts';

/** Why a tool was found. */
export interface Why {
  words: MatchedWord[];
  /** Words of the request, or of the answered part, that the tool does not have. */
  missing: string[];
  /** The part of the request that the tool answers, if the request has several. */
  need?: string;
  signs: (Sign | 'called' | 'anything')[];
  score: number;
}

interface MatchedWord {
  /** The word in the request. */
  word: string;
  /** The matching term of the tool. */
  as: string;
  via: Variant['via'] | 'source';
  in: FieldName[];
  /** Its part of the score. */
  worth: number;
}

interface Context {
  request: Request;
  /** The tools that match each concept. */
  hits: Hits[];
  need: Need;
}

/** Explains the rank of a tool. */
export function explain(
  view: CatalogView,
  { request, hits, need }: Context,
  { tool, score, isNamed }: PickedTool,
): Why {
  const source = view.sourceOf(tool);
  const { index, terms } = view.sources[source] as SearchedSource;
  const local = tool - view.offsetOf(source);
  const matched = request.concepts.map((concept, position): MatchedWord | undefined => {
    const worth = hundredths(scoreOf(hits[position] as Hits, tool));
    const found = bestVariant(index, local, concept);
    if (found) return { word: concept.text, ...found, worth };
    const sourceTerm = [...concept.variants.keys()].find((term) => terms.has(term));
    if (sourceTerm === undefined) return undefined;
    return { word: concept.text, as: sourceTerm, via: 'source', in: [], worth };
  });
  const isMissing = (concept: Concept) => concept.weight > 0.5 && !concept.isValue && need.includes(concept);
  const missing = [
    ...request.concepts.filter((concept, position) => matched[position] === undefined && isMissing(concept)),
    ...request.unknown.filter(isMissing),
  ];
  return {
    words: matched.filter((word) => word !== undefined),
    missing: [...new Set(missing.map(({ text }) => text))],
    ...((need.part === 'clause' || need.part === 'segment') && { need: textOf(need, request) }),
    signs: isNamed
      ? ['called']
      : // The ranking by words alone ignores signs.
        need.part === 'plain'
        ? []
        : signsOf({ index, tool: local }, wantedActions(need, request), request),
    score: hundredths(score),
  };
}

/** Explains a tool that searches for anything. */
export function explainLastResort({ concepts, unknown }: Request): Why {
  const missing = [...concepts, ...unknown].filter(({ weight, isValue }) => weight > 0.5 && !isValue);
  return { words: [], missing: missing.map(({ text }) => text), signs: ['anything'], score: 0 };
}

function textOf({ concepts }: Need, request: Request): string {
  return [...new Set(concepts.map((concept) => request.concepts[concept]?.text))].join(' ');
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
    const number = index.termNumber(as);
    const posting = number === undefined ? undefined : index.posting(number, tool);
    if (posting === undefined || (best && best.weight >= weight)) continue;
    best = { weight, found: { as, via, in: fieldsIn(index.data.masks[posting] as number) } };
  }
  return best?.found;
}
