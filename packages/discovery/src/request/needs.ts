import type { Concept, ReadRequest } from './concepts.ts';

/** One task of a request. Its concepts are positions in the request's list. */
export interface Need {
  concepts: number[];
  part: 'whole' | 'clause';
  /** The words that its meaning follows from. */
  text: string;
  /** The sum of weight times rarity of its words. */
  mass: number;
  includes(concept: Pick<Concept, 'clauses'>): boolean;
}

const maxNeeds = 8;

/** The whole request, then each of its clauses. A clause that says the same as an earlier one is dropped. */
export function needsOf({ concepts, unknown, meant, query, unknownRarity }: ReadRequest): [Need, ...Need[]] {
  const need = (part: Need['part'], clause?: number): Need => {
    const includes: Need['includes'] = ({ clauses }) => clause === undefined || clauses.has(clause);
    const own = [...concepts.keys()].filter((position) => {
      const concept = concepts[position] as Concept;
      return includes(concept) && !(part === 'clause' && concept.isValue);
    });
    const known = own.map((position) => concepts[position] as Concept);
    const missing = unknown.filter(includes).reduce((sum, { weight }) => sum + weight * unknownRarity, 0);
    return {
      concepts: own,
      part,
      text: meant
        .filter((word) => clause === undefined || word.clause === clause)
        .map(({ text }) => text)
        .join(' '),
      mass: known.reduce((sum, { weight, rarity }) => sum + weight * rarity, missing),
      includes,
    };
  };
  const needs: [Need, ...Need[]] = [need('whole')];
  for (let clause = 0; query.clauses > 1 && clause < query.clauses; clause++) {
    const part = need('clause', clause);
    const isTask = [
      ...part.concepts.map((position) => concepts[position] as Concept),
      ...unknown.filter(part.includes),
    ].some(isDistinctive);
    if (isTask && needs.length < maxNeeds && needs.every(({ text }) => text !== part.text)) needs.push(part);
  }
  return needs;
}

/** Filler words and verbs such as `get` and `make` are too general to search for. `refund` is not. */
function isDistinctive({ weight, isVerb, intents }: Concept): boolean {
  return weight > 0.5 && !(isVerb && intents.length > 0);
}
