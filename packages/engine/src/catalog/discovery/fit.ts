import type { CatalogView } from './catalog-view.ts';
import type { Concept } from './concepts.ts';
import { field } from './fields.ts';
import type { Need } from './needs.ts';
import type { Request } from './request.ts';
import type { SearchedSource, SourceIndex } from './searched-source.ts';

/** Less than this of what was asked for is no answer. */
const leastFit = 0.34;
/** A word that no tool has says about as much as one that few have. */
const unknownRarity = 4;
const saysWhat =
  (1 << field.name) | (1 << field.group) | (1 << field.summary) | (1 << field.route) | (1 << field.parameter);
const inPassing = 0.5;
const weaklyMissed = 0.3;

/**
 * Whether a tool is an answer to a need at all. Things count, and what verbs say that are no others' stand-ins: what can be run is not jazz only because jazz is played. Words
 * that nothing is known of count as not had.
 */
export function fits(view: CatalogView, tool: number, need: Need, { concepts, unknown }: Request): boolean {
  const source = view.sourceOf(tool);
  const { index, terms } = view.sources[source] as SearchedSource;
  const own = need.concepts.map((place) => concepts[place] as Concept);
  if (own.some((concept) => namesSource(terms, concept) === 1)) return true;
  let had = 0;
  let all = unknown
    .filter((word) => need.isIn(word))
    .reduce((sum, word) => sum + word.weight * unknownRarity * missedShare(word), 0);
  for (const concept of own) {
    const sure = sureness(index, tool - view.offsetOf(source), concept);
    const worth = concept.weight * concept.rarity * shareOf(concept);
    all += sure === 0 ? worth * missedShare(concept) : worth;
    had += worth * sure;
  }
  return had > 0 && had >= leastFit * all;
}

/** That something is the latest, or related, is hardly missed where it is not said. */
function missedShare({ weight }: Concept): number {
  return weight < 0.7 ? weaklyMissed : 1;
}

/** To get or to make says little of what is wanted, and padding nothing. */
function shareOf({ isVerb, intents, weight }: Concept): number {
  if (weight <= 0.5) return 0.1;
  return isVerb && intents.length > 0 ? 0.5 : 1;
}

/** How surely a tool has a concept. */
function sureness(index: SourceIndex, tool: number, { variants }: Concept): number {
  let best = 0;
  for (const [term, { weight, via }] of variants) {
    const place = via === 'verb' ? undefined : index.place(term);
    const posting = place === undefined ? undefined : index.posting(place, tool);
    if (posting === undefined) continue;
    best = Math.max(best, weight * ((index.data.masks[posting] as number) & saysWhat ? 1 : inPassing));
  }
  return best;
}

function namesSource(terms: ReadonlySet<string>, { variants }: Concept): number {
  for (const [term, { weight }] of variants) if (terms.has(term)) return weight;
  return 0;
}
