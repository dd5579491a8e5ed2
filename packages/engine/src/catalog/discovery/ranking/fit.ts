import { namingFields, titleFields } from '../index/fields.ts';
import type { SearchedSource, SourceIndex } from '../index/source-index.ts';
import { isWord } from '../lexicon/lexicon.ts';
import type { Concept, Request } from '../request/concepts.ts';
import type { Need } from '../request/needs.ts';
import type { CatalogView } from './catalog-view.ts';

/** Less than this of what was asked for is no answer. */
const minFit = 0.34;
/** Where it is only a part of that, or only what is to be done and not with what. */
const minOfPart = 0.45;
/** A word that no tool has says about as much as one that few have; how much that is depends on how many tools there are. */
const unknownShare = 0.7;
/** What is no word of the language either is a name: something to call a tool with. */
const nameShare = 0.5;
/** How many tools are named after what a system is about, at least. */
const minNamed = 2;
const namedShare = 0.003;
const inPassing = 0.35;
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
  if (own.some((concept) => isOwnThing(index, tool - view.offsetOf(source), concept))) return true;
  let [had, isThingHad] = [0, false];
  let all = unknown
    .filter((word) => need.includes(word))
    .reduce((sum, word) => sum + word.weight * unknownRarity(view.total, word) * missedShare(word), 0);
  for (const concept of own) {
    const sure = sureness(index, tool - view.offsetOf(source), concept);
    const worth = concept.weight * concept.rarity * shareOf(concept);
    all += sure === 0 ? worth * missedShare(concept) : worth;
    had += worth * sure;
    isThingHad ||= sure > 0 && !concept.isVerb;
  }
  const least = need.part === 'segment' || !isThingHad ? minOfPart : minFit;
  return had > 0 && had >= least * all;
}

function unknownRarity(tools: number, { text }: Concept): number {
  const rarest = Math.log(1 + tools / 1.5);
  return unknownShare * rarest * (isWord(text) ? 1 : nameShare);
}

/** That something is the latest, or what it is to be about, is hardly missed where it is not said. */
function missedShare({ weight, isTopic }: Concept): number {
  return weight < 0.7 || isTopic ? weaklyMissed : 1;
}

/** To get or to make says little of what is wanted, and padding nothing. */
function shareOf({ isVerb, weight }: Concept): number {
  if (weight <= 0.5) return 0.1;
  return isVerb ? 0.5 : 1;
}

/** What many tools of a system are named after is what the system is about: who speaks of it is answered, whatever else they say. */
function isOwnThing(index: SourceIndex, tool: number, { variants, isVerb, weight }: Concept): boolean {
  if (isVerb || weight < 0.7) return false;
  const least = Math.max(minNamed, index.size * namedShare);
  for (const [term, { via }] of variants) {
    const place = via === 'verb' || via === 'synonym' ? undefined : index.termNumber(term);
    if (place === undefined || index.nameCount(place) < least) continue;
    const posting = index.posting(place, tool);
    if (posting !== undefined && (index.data.masks[posting] as number) & titleFields) return true;
  }
  return false;
}

/** How surely a tool has a concept. */
function sureness(index: SourceIndex, tool: number, { variants }: Concept): number {
  let best = 0;
  for (const [term, { weight, via }] of variants) {
    const place = via === 'verb' ? undefined : index.termNumber(term);
    const posting = place === undefined ? undefined : index.posting(place, tool);
    if (posting === undefined) continue;
    best = Math.max(best, weight * ((index.data.masks[posting] as number) & namingFields ? 1 : inPassing));
  }
  return best;
}

function namesSource(terms: ReadonlySet<string>, { variants }: Concept): number {
  for (const [term, { weight }] of variants) if (terms.has(term)) return weight;
  return 0;
}
