import type { Concept } from './concepts.ts';
import type { Query } from './query.ts';

/** One thing that a request wants, by the places of its concepts. */
export interface Need {
  concepts: number[];
  /** `plain` is the whole once more, by nothing but its words: where it was cut wrongly, that still finds what it means. */
  part: 'whole' | 'clause' | 'segment' | 'plain';
  /** What its concepts weigh. */
  mass: number;
  isIn(concept: Pick<Concept, 'clauses' | 'segments'>): boolean;
}

const maxNeeds = 14;

/** The request as a whole; where it is several, each of them; and where one of them speaks of several things, each of those. */
export function needsOf(concepts: Concept[], { clauses, segments }: Query): [Need, ...Need[]] {
  const all = concepts.map((_, place) => place);
  const needs: [Need, ...Need[]] = [
    { concepts: all, part: 'whole', mass: massOf(all, concepts), isIn: () => true },
  ];
  const seen = new Set([all.join(' ')]);
  const add = (part: Need['part'], isIn: Need['isIn']) => {
    const own = all.filter((place) => isIn(concepts[place] as Concept) && !concepts[place]?.isValue);
    if (
      seen.has(own.join(' ')) ||
      needs.length >= maxNeeds ||
      !own.some((place) => saysMuch(concepts[place] as Concept))
    )
      return;
    seen.add(own.join(' '));
    needs.push({ concepts: own, part, mass: massOf(own, concepts), isIn });
  };
  if (clauses > 1)
    for (let clause = 0; clause < clauses; clause++) add('clause', (concept) => concept.clauses.has(clause));
  if (segments > 1)
    for (let segment = 0; segment < segments; segment++)
      add('segment', (concept) => concept.segments.has(segment));
  needs.push({ ...needs[0], part: 'plain' });
  return needs;
}

/** To get or to make, or what requests are padded with, is nothing to look for; to refund is. */
function saysMuch({ weight, isVerb, intents }: Concept): boolean {
  return weight > 0.5 && !(isVerb && intents.length > 0);
}

function massOf(places: number[], concepts: Concept[]): number {
  return places.reduce(
    (sum, place) => sum + (concepts[place] as Concept).weight * (concepts[place] as Concept).rarity,
    0,
  );
}
