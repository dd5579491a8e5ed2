import type { MatchedWord, Why } from '@executor/engine';
import { fieldsIn } from '../index/fields.ts';
import type { OpenIndex, SearchedSource } from '../index/open-index.ts';
import type { Concept, Request } from '../request/concepts.ts';
import type { Need } from '../request/needs.ts';
import type { CatalogView } from './catalog-view.ts';
import type { PickedTool } from './cover.ts';
import type { Ranking } from './rank-need.ts';
import { type Hits, scoreOf } from './score.ts';
import { type Sign, signsOf, wantedActions } from './signs.ts';

const signTexts: Record<Sign, string> = {
  agree: 'does the kind of action that the request asks for',
  conflict: 'does another kind of action than the request asks for',
  deprecated: 'is deprecated',
};

interface Context {
  request: Request;
  /** The tools that match each concept. */
  hits: Hits[];
  ranking: Ranking;
}

/** Explains the rank of a tool. */
export function explain(
  view: CatalogView,
  { request, hits, ranking: { need, meanings } }: Context,
  { tool, score }: PickedTool,
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
  const signs = signsOf(index.data.flags[local] as number, wantedActions(need, request));
  return {
    words: matched.filter((word) => word !== undefined),
    missing: [...new Set(missing.map(({ text }) => text))],
    ...(need.part !== 'whole' && { need: textOf(need, request) }),
    signs: signs.map((sign) => signTexts[sign]),
    ...(meanings && { meaning: hundredths(Math.max(0, meanings.similarities[tool] as number)) }),
    ...(meanings?.byModel && index.modelVectors && { meaningBy: 'model' as const }),
    score: hundredths(score),
  };
}

/** Explains a tool that searches for anything. */
export function explainLastResort({ concepts, unknown }: Request): Why {
  const missing = [...concepts, ...unknown].filter(({ weight, isValue }) => weight > 0.5 && !isValue);
  return { words: [], missing: missing.map(({ text }) => text), signs: ['searches for anything'], score: 0 };
}

export function textOf({ concepts }: Need, request: Request): string {
  return [...new Set(concepts.map((concept) => request.concepts[concept]?.text))].join(' ');
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}

function bestVariant(
  index: OpenIndex,
  tool: number,
  { variants, text }: Concept,
): Omit<MatchedWord, 'word' | 'worth'> | undefined {
  let best: { weight: number; found: Omit<MatchedWord, 'word' | 'worth'> } | undefined;
  for (const [term, { weight, via }] of variants) {
    const number = index.termNumber(term);
    const posting = number === undefined ? undefined : index.posting(number, tool);
    if (number === undefined || posting === undefined || (best && best.weight >= weight)) continue;
    const as = index.data.written[number] as string;
    const how = via === 'itself' && as !== text ? 'inflection' : via;
    best = { weight, found: { as, via: how, in: fieldsIn(index.data.masks[posting] as number) } };
  }
  return best?.found;
}
