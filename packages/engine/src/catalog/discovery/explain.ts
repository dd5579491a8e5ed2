import type { CatalogView } from './catalog-view.ts';
import type { Found } from './compose.ts';
import type { Concept, Variant } from './concepts.ts';
import { type FieldName, fieldsIn } from './fields.ts';
import type { SearchedSource, SourceIndex } from './searched-source.ts';

/** Why a tool was found. */
export interface Why {
  words: MatchedWord[];
  score: number;
}

interface MatchedWord {
  /** As it was asked for. */
  word: string;
  /** What stands for it in the tool. */
  as: string;
  via: Variant['via'] | 'source';
  in: FieldName[];
}

export function explain(view: CatalogView, concepts: Concept[], { tool, score }: Found): Why {
  const source = view.sourceOf(tool);
  const { index, terms } = view.sources[source] as SearchedSource;
  const words = concepts.flatMap((concept): MatchedWord[] => {
    const found = bestVariant(index, tool - view.offsetOf(source), concept);
    if (found) return [{ word: concept.text, ...found }];
    const named = [...concept.variants.keys()].find((term) => terms.has(term));
    return named === undefined ? [] : [{ word: concept.text, as: named, via: 'source', in: [] }];
  });
  return {
    words,
    score: Math.round(score * 100) / 100,
  };
}

function bestVariant(
  index: SourceIndex,
  tool: number,
  { variants }: Concept,
): Omit<MatchedWord, 'word'> | undefined {
  let best: { weight: number; found: Omit<MatchedWord, 'word'> } | undefined;
  for (const [as, { weight, via }] of variants) {
    const place = index.place(as);
    const posting = place === undefined ? undefined : index.posting(place, tool);
    if (posting === undefined || (best && best.weight >= weight)) continue;
    best = { weight, found: { as, via, in: fieldsIn(index.data.masks[posting] as number) } };
  }
  return best?.found;
}
