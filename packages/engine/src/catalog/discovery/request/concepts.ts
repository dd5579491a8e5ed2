import { intentsOf, isVerb } from '../lexicon/intents.ts';
import { isWord, longFormOf, relativesOf } from '../lexicon/lexicon.ts';
import { emptyWords } from '../lexicon/stop-words.ts';
import type { Intent } from '../lexicon/verbs.ts';
import { stem } from '../text/stem.ts';
import { type Query, type QueryWord, weightOf } from './query.ts';
import type { Spelling } from './spelling.ts';
import type { Vocabulary } from './vocabulary.ts';

/** One thing that a request mentions, and all words that may stand for it. */
export interface Concept {
  /** As it is written. */
  text: string;
  weight: number;
  rarity: number;
  clauses: Set<number>;
  segments: Set<number>;
  variants: Map<string, Variant>;
  intents: readonly Intent[];
  /** A verb that wants something done, whatever that does. */
  isVerb: boolean;
  isValue: boolean;
  isName: boolean;
  isTopic: boolean;
  /** No tool has it as it is written. */
  isUnknown: boolean;
}

export interface Variant {
  weight: number;
  via: 'itself' | 'verb' | 'synonym' | 'abbreviation' | 'compound' | 'spelling';
}

const maxConcepts = 40;
const misspelt = 0.9;

/** What a request is about, in words of the searched tools. */
interface Meaning {
  concepts: Concept[];
  /** Words that no tool has in any form; those that are given to tools do not count. */
  unknown: Concept[];
  /** Something is called by its name or given as a value. */
  hasNames: boolean;
}

/** A request, read and understood. */
export interface Request extends Meaning {
  query: Query;
  /** Whether the caller may see a tool, by its number. */
  isSeen(tool: number): boolean;
}

export function meaningOf(query: Query, vocabulary: Vocabulary, spelling: Spelling): Meaning {
  const words = respelt(query.words, spelling);
  const concepts = new Map<string, Concept>();
  for (const [place, word] of words.entries()) {
    const known = concepts.get(word.term);
    if (known) {
      known.clauses.add(word.clause);
      known.segments.add(word.segment);
      known.weight = Math.max(known.weight, word.weight);
      known.isTopic &&= word.isTopic;
      continue;
    }
    const concept = newConcept(word, vocabulary);
    concepts.set(word.term, concept);
    addRelatives(concept, word.term);
    addCompounds(concept, place, words, vocabulary);
    for (const long of longFormOf(word.text) ?? []) addLongForm(concepts, concept, long, vocabulary);
  }
  return settled([...concepts.values()], vocabulary);
}

/** The words as they were probably meant; what says nothing when it is spelt right is left out. */
function respelt(words: QueryWord[], spelling: Spelling): Word[] {
  return words.flatMap((word): Word[] => {
    const meant = word.isValue || word.isName ? undefined : spelling.meant(word.text);
    if (meant === undefined) return [word];
    if (emptyWords.has(meant)) return [];
    return [{ ...word, text: meant, term: stem(meant), weight: weightOf(meant), written: word }];
  });
}

/** A word of a request, and what stands there where it is spelt otherwise. */
interface Word extends QueryWord {
  written?: QueryWord;
}

function newConcept(
  { text, term, weight, clause, segment, isValue, isName, isTopic, leads, written }: Word,
  vocabulary: Vocabulary,
): Concept {
  return {
    text: written?.text ?? text,
    weight,
    rarity: 0,
    clauses: new Set([clause]),
    segments: new Set([segment]),
    variants: new Map<string, Variant>(
      written
        ? [
            [term, { weight: misspelt, via: 'spelling' }],
            [written.term, { weight: 1, via: 'itself' }],
          ]
        : [[term, { weight: 1, via: 'itself' }]],
    ),
    intents: !isValue && leads && asksFor(text) ? intentsOf(text) : [],
    isVerb: leads && asksFor(text) && isVerb(text),
    isValue,
    isName,
    isTopic,
    isUnknown: vocabulary.count(term) === 0 && !vocabulary.isSourceName(term),
  };
}

/** `files in a folder` asks for files; nobody says `files a report`. */
function asksFor(word: string): boolean {
  return !/[^s]s$|ed$/.test(word);
}

function addRelatives(concept: Concept, key: string): void {
  if (concept.isValue) return;
  for (const { terms, weight, kind } of relativesOf(key)) {
    const [term] = terms;
    if (terms.length === 1) addVariant(concept, term as string, { weight, via: kind });
  }
}

/** `web hook` is `webhook`, and the other way round; `pull request` is also `pr`. */
function addCompounds(concept: Concept, place: number, words: Word[], vocabulary: Vocabulary): void {
  const word = words[place] as QueryWord;
  for (const [one, other] of [
    [words[place - 1], word],
    [word, words[place + 1]],
  ] as const) {
    if (one === undefined || other === undefined || !other.follows) continue;
    const joined = stem(`${one.text}${other.text}`);
    if (vocabulary.count(joined) > 0) addVariant(concept, joined, { weight: 0.95, via: 'compound' });
    for (const { terms, weight } of relativesOf(`${one.term} ${other.term}`)) {
      if (terms.length === 1) addVariant(concept, terms[0] as string, { weight, via: 'synonym' });
    }
  }
  if (!concept.isUnknown || word.text.length < 6 || isWord(word.text)) return;
  for (let cut = 3; cut <= word.text.length - 3; cut++) {
    const [left, right] = [stem(word.text.slice(0, cut)), stem(word.text.slice(cut))];
    if (vocabulary.count(left) === 0 || vocabulary.count(right) === 0) continue;
    addVariant(concept, left, { weight: 0.7, via: 'compound' });
    addVariant(concept, right, { weight: 0.7, via: 'compound' });
    return;
  }
}

function addLongForm(
  concepts: Map<string, Concept>,
  concept: Concept,
  long: string,
  vocabulary: Vocabulary,
): void {
  const term = stem(long);
  const own = { weight: 0.95, via: 'abbreviation' } as const;
  if (concept.variants.size === 1 || concept.isUnknown) {
    addVariant(concept, term, own);
    concept.isUnknown &&= vocabulary.count(term) === 0;
    addRelatives(concept, term);
    return;
  }
  if (concepts.has(term)) return;
  const [text] = concept.variants.keys();
  concepts.set(term, {
    ...concept,
    weight: concept.weight * 0.7,
    variants: new Map([
      [term, own],
      [text as string, { weight: 0.95, via: 'abbreviation' }],
    ]),
    intents: [],
    isVerb: false,
    clauses: new Set(concept.clauses),
    segments: new Set(concept.segments),
  });
}

function addVariant({ variants }: Concept, term: string, variant: Variant): void {
  const before = variants.get(term);
  if (before === undefined || before.weight < variant.weight) variants.set(term, variant);
}

function settled(concepts: Concept[], vocabulary: Vocabulary): Meaning {
  for (const concept of concepts) concept.rarity = rarityOf(concept, vocabulary);
  const known = concepts.filter(({ rarity }) => Number.isFinite(rarity));
  const unknown = concepts.filter(
    ({ rarity, isName, isValue }) => !Number.isFinite(rarity) && !isName && !isValue,
  );
  const hasNames = concepts.some(({ isValue, isName, isUnknown }) => isValue || (isName && isUnknown));
  return { concepts: heaviest(known), unknown, hasNames };
}

/**
 * A word that is there is as rare as it is; one that is not, as its most usual stand-in. What it is short for is the same word: that a few tools write `PR`
 * makes pull requests no rarer.
 */
function rarityOf({ variants }: Concept, vocabulary: Vocabulary): number {
  const [own] = variants.keys();
  const isThere = vocabulary.count(own as string) > 0 || vocabulary.isSourceName(own as string);
  const rarities = [...variants].flatMap(([term, { via }]) =>
    vocabulary.count(term) > 0 && (!isThere || via === 'abbreviation') ? [vocabulary.rarity(term)] : [],
  );
  return Math.min(isThere ? vocabulary.rarity(own as string) : Number.POSITIVE_INFINITY, ...rarities);
}

function heaviest(concepts: Concept[]): Concept[] {
  if (concepts.length <= maxConcepts) return concepts;
  return concepts
    .sort((a, b) => b.weight * b.rarity - a.weight * a.rarity || (a.text < b.text ? -1 : 1))
    .slice(0, maxConcepts);
}
