import type { Concept } from './concepts.ts';
import type { Query } from './query.ts';

/** One task of a request. Its concepts are positions in the request's list. */
export interface Need {
  concepts: number[];
  /**
   * `plain` is the whole request again, ranked by its words alone. It finds the right tool if the request was divided
   * wrongly.
   */
  part: 'whole' | 'clause' | 'segment' | 'plain';
  /** The sum of weight times rarity of its concepts. */
  mass: number;
  includes(concept: Pick<Concept, 'clauses' | 'segments'>): boolean;
}

const maxNeeds = 14;

/**
 * The whole request, then each of its clauses, then each segment of a clause. A part that says the same as an earlier
 * one is dropped.
 */
export function needsOf(concepts: Concept[], { clauses, segments }: Query): [Need, ...Need[]] {
  const all = concepts.map((_, position) => position);
  const needs: [Need, ...Need[]] = [
    { concepts: all, part: 'whole', mass: massOf(all, concepts), includes: () => true },
  ];
  const seen = new Set([all.join(' ')]);
  const add = (part: Need['part'], includes: Need['includes']) => {
    const own = all.filter(
      (position) => includes(concepts[position] as Concept) && !concepts[position]?.isValue,
    );
    if (
      seen.has(own.join(' ')) ||
      needs.length >= maxNeeds ||
      !own.some((position) => isDistinctive(concepts[position] as Concept))
    )
      return;
    seen.add(own.join(' '));
    needs.push({ concepts: own, part, mass: massOf(own, concepts), includes });
  };
  if (clauses > 1)
    for (let clause = 0; clause < clauses; clause++) add('clause', (concept) => concept.clauses.has(clause));
  if (segments > 1)
    for (let segment = 0; segment < segments; segment++)
      add('segment', (concept) => concept.segments.has(segment));
  needs.push({ ...needs[0], part: 'plain' });
  return needs;
}

/** Filler words and verbs such as `get` and `make` are too general to search for. `refund` is not. */
function isDistinctive({ weight, isVerb, intents }: Concept): boolean {
  return weight > 0.5 && !(isVerb && intents.length > 0);
}

function massOf(positions: number[], concepts: Concept[]): number {
  return positions.reduce((sum, position) => {
    const { weight, rarity } = concepts[position] as Concept;
    return sum + weight * rarity;
  }, 0);
}
