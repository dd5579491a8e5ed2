import { namingFields, titleFields } from '../index/fields.ts';
import type { SearchedSource, SourceIndex } from '../index/source-index.ts';
import { isWord } from '../lexicon/lexicon.ts';
import type { Concept, Request } from '../request/concepts.ts';
import type { Need } from '../request/needs.ts';
import type { CatalogView } from './catalog-view.ts';

/** The minimum share of a need that a fitting tool matches. */
const minFit = 0.34;
/** The minimum for a segment of a clause, or if the tool matches only the verb and no noun. */
const minPartialFit = 0.45;
/** A word that no tool has counts like this share of the rarest word. */
const unknownShare = 0.7;
/** An unknown word that is no English word is probably a name, which is a value for a tool. */
const nameShare = 0.5;
/** The number of tools that are named after a main subject of a system. */
const minNamed = 2;
const minNamedShare = 0.003;
/** The sureness of a match outside of the fields that say what a tool is for. */
const passingSureness = 0.35;
const weakMissShare = 0.3;

/**
 * Decides whether a tool answers a need at all. It compares the mass of the matched concepts with the mass of all
 * concepts. Synonyms of verbs do not count as matches: a tool that runs something does not fit `play jazz`. Unknown
 * words count as not matched.
 */
export function fits(view: CatalogView, tool: number, need: Need, { concepts, unknown }: Request): boolean {
  const source = view.sourceOf(tool);
  const { index, terms } = view.sources[source] as SearchedSource;
  const own = need.concepts.map((position) => concepts[position] as Concept);
  if (own.some((concept) => sourceNameWeight(terms, concept) === 1)) return true;
  if (own.some((concept) => isMainSubject(index, tool - view.offsetOf(source), concept))) return true;
  let [matchedMass, isNounMatched] = [0, false];
  let totalMass = unknown
    .filter((word) => need.includes(word))
    .reduce((sum, word) => sum + word.weight * unknownRarity(view.total, word) * missShare(word), 0);
  for (const concept of own) {
    const sure = sureness(index, tool - view.offsetOf(source), concept);
    const mass = concept.weight * concept.rarity * shareOf(concept);
    totalMass += sure === 0 ? mass * missShare(concept) : mass;
    matchedMass += mass * sure;
    isNounMatched ||= sure > 0 && !concept.isVerb;
  }
  const min = need.part === 'segment' || !isNounMatched ? minPartialFit : minFit;
  return matchedMass > 0 && matchedMass >= min * totalMass;
}

function unknownRarity(tools: number, { text }: Concept): number {
  const rarest = Math.log(1 + tools / 1.5);
  return unknownShare * rarest * (isWord(text) ? 1 : nameShare);
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

/**
 * Whether the concept is a main subject of the system, after which many tools are named. A request that mentions one
 * always has an answer.
 */
function isMainSubject(index: SourceIndex, tool: number, { variants, isVerb, weight }: Concept): boolean {
  if (isVerb || weight < 0.7) return false;
  const minCount = Math.max(minNamed, index.size * minNamedShare);
  for (const [term, { via }] of variants) {
    const number = via === 'verb' || via === 'synonym' ? undefined : index.termNumber(term);
    if (number === undefined || index.nameCount(number) < minCount) continue;
    const posting = index.posting(number, tool);
    if (posting !== undefined && (index.data.masks[posting] as number) & titleFields) return true;
  }
  return false;
}

/** How surely a tool matches a concept, from 0 to 1. */
function sureness(index: SourceIndex, tool: number, { variants }: Concept): number {
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
