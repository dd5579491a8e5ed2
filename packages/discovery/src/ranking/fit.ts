import { namingFields } from '../index/fields.ts';
import type { OpenIndex, SearchedSource } from '../index/open-index.ts';
import { isWord } from '../lexicon/lexicon.ts';
import type { Concept, Request } from '../request/concepts.ts';
import type { Need } from '../request/needs.ts';
import type { CatalogView } from './catalog-view.ts';

/** A match of only the verb, and of no noun, is this much worth. */
const verbShare = 0.75;
/** An unknown word that is no English word is probably a name, which is a value for a tool. */
const nameShare = 0.5;
/** The sureness of a match outside of the fields that say what a tool is for. */
const passingSureness = 0.35;
const weakMissShare = 0.3;

/**
 * The share of a need that the words of a tool match, from 0 to 1: the mass of the matched concepts in the mass of all
 * concepts. Synonyms of verbs do not count as matches: a tool that runs something does not fit `play jazz`. Unknown
 * words count as not matched.
 */
export function wordFit(view: CatalogView, tool: number, need: Need, request: Request): number {
  const { concepts, unknown, unknownRarity } = request;
  const source = view.sourceOf(tool);
  const { index, terms } = view.sources[source] as SearchedSource;
  const own = need.concepts.map((position) => concepts[position] as Concept);
  if (own.some((concept) => sourceNameWeight(terms, concept) === 1)) return 1;
  const local = tool - view.offsetOf(source);
  const missing = unknown.filter((word) => need.includes(word));
  // `show all` has no subject, so any tool that does it fits.
  if (![...own, ...missing].some(isSubject))
    return own.some((concept) => concept.isVerb && matches(index, local, concept)) ? 1 : 0;
  let [matchedMass, isNounMatched, totalMass] = [0, false, 0];
  const add = (concept: Concept, rarity: number, sure: number) => {
    const mass = concept.weight * rarity * shareOf(concept);
    totalMass += sure === 0 ? mass * missShare(concept) : mass;
    matchedMass += mass * sure;
    isNounMatched ||= sure > 0 && !concept.isVerb;
  };
  for (const concept of own) add(concept, concept.rarity, sureness(index, local, concept));
  for (const word of missing) add(word, unknownRarity * (isWord(word.text) ? 1 : nameShare), 0);
  return totalMass === 0 ? 0 : (matchedMass / totalMass) * (isNounMatched ? 1 : verbShare);
}

function isSubject({ isVerb, weight }: Concept): boolean {
  return !isVerb && weight > 0.65;
}

function matches(index: OpenIndex, tool: number, { variants }: Concept): boolean {
  return [...variants.keys()].some((term) => {
    const number = index.termNumber(term);
    return number !== undefined && index.posting(number, tool) !== undefined;
  });
}

/** Weak words such as `latest`, and topics, need not be in a tool. */
function missShare({ weight, isTopic }: Concept): number {
  return weight < 0.7 || isTopic ? weakMissShare : 1;
}

/** Verbs say less about the wanted tool than nouns, and filler words say almost nothing. */
function shareOf({ isVerb, weight }: Concept): number {
  if (weight <= 0.5) return 0.1;
  return isVerb ? 0.5 : 1;
}

/** How surely a tool matches a concept, from 0 to 1. */
function sureness(index: OpenIndex, tool: number, { variants }: Concept): number {
  let best = 0;
  for (const [term, { weight, via }] of variants) {
    const number = via === 'verb' ? undefined : index.termNumber(term);
    const posting = number === undefined ? undefined : index.posting(number, tool);
    if (posting === undefined) continue;
    const isNaming = ((index.data.masks[posting] as number) & namingFields) !== 0;
    best = Math.max(best, weight * (isNaming ? 1 : passingSureness));
  }
  return best;
}

function sourceNameWeight(terms: ReadonlySet<string>, { variants }: Concept): number {
  for (const [term, { weight }] of variants) if (terms.has(term)) return weight;
  return 0;
}
