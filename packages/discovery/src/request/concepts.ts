import { intentsOf, isVerb } from '../lexicon/intents.ts';
import { isWord, longFormOf, relativesOf } from '../lexicon/lexicon.ts';
import { emptyWords } from '../lexicon/stop-words.ts';
import type { Intent } from '../lexicon/verbs.ts';
import { stem } from '../text/stem.ts';
import { type Query, type QueryWord, weightOf } from './query.ts';
import type { Spelling } from './spelling.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A word of a request with all terms that may stand for it in tools. */
export interface Concept {
  /** The word as it is written. */
  text: string;
  weight: number;
  rarity: number;
  clauses: Set<number>;
  variants: Map<string, Variant>;
  intents: readonly Intent[];
  /** The word is a verb that says what to do. */
  isVerb: boolean;
  isValue: boolean;
  isName: boolean;
  isTopic: boolean;
  /** No tool has the word as it is written. */
  isUnknown: boolean;
}

interface Variant {
  weight: number;
  via: 'itself' | 'verb' | 'abbreviation' | 'compound' | 'spelling';
}

const maxConcepts = 40;
const correctedWeight = 0.9;
/** A word that no tool has counts like this share of the rarest word. */
const unknownShare = 0.7;

/** What a request is about, in words of the searched tools. */
interface Meaning {
  concepts: Concept[];
  /** Words that no tool has in any form, except names and values. */
  unknown: Concept[];
  /** The words that the meaning of the request follows from: as spoken, but corrected and spelt out. */
  meant: { text: string; clause: number }[];
  /** The rarity of an unknown word. */
  unknownRarity: number;
}

/** A request, read and understood. */
export interface ReadRequest extends Meaning {
  query: Query;
}

/** The same for a caller. */
export interface Request extends ReadRequest {
  /** Whether the caller may see a tool, by its number. */
  isVisible(tool: number): boolean;
}

export function meaningOf(query: Query, vocabulary: Vocabulary, spelling: Spelling): Meaning {
  const words = correctSpelling(query.words, spelling);
  const concepts = new Map<string, Concept>();
  for (const [position, word] of words.entries()) {
    const known = concepts.get(word.term);
    if (known) {
      known.clauses.add(word.clause);
      known.weight = Math.max(known.weight, word.weight);
      known.isTopic &&= word.isTopic;
      continue;
    }
    const concept = newConcept(word, vocabulary);
    concepts.set(word.term, concept);
    addRelatives(concept, word.term);
    addCompounds(concept, position, words, vocabulary);
    for (const long of longFormOf(word.text) ?? []) addLongForm(concepts, concept, long, vocabulary);
  }
  return { ...meaningFrom([...concepts.values()], vocabulary), meant: meantWords(query, words) };
}

/** Corrects the words of a request. A correction that is a stop word is dropped. */
function correctSpelling(words: QueryWord[], spelling: Spelling): Word[] {
  return words.flatMap((word): Word[] => {
    const text = word.isValue || word.isName ? undefined : spelling.correct(word.text);
    if (text === undefined) return [word];
    if (emptyWords.has(text)) return [];
    return [{ ...word, text, term: stem(text), weight: weightOf(text), written: word }];
  });
}

/** A word of a request. `written` is the original of a corrected word. */
interface Word extends QueryWord {
  written?: QueryWord;
}

function newConcept(
  { text, term, weight, clause, isValue, isName, isTopic, leads, written }: Word,
  vocabulary: Vocabulary,
): Concept {
  return {
    text: written?.text ?? text,
    weight,
    rarity: 0,
    clauses: new Set([clause]),
    variants: new Map<string, Variant>(
      written
        ? [
            [term, { weight: correctedWeight, via: 'spelling' }],
            [written.term, { weight: 1, via: 'itself' }],
          ]
        : [[term, { weight: 1, via: 'itself' }]],
    ),
    intents: !isValue && leads && isVerbForm(text) ? intentsOf(text) : [],
    isVerb: leads && isVerbForm(text) && isVerb(text),
    isValue,
    isName,
    isTopic,
    isUnknown: vocabulary.count(term) === 0 && !vocabulary.isSourceName(term),
  };
}

/** A request uses the base form of its verb. `files` in `files in a folder` is a noun. */
function isVerbForm(word: string): boolean {
  return !/[^s]s$|ed$/.test(word);
}

function addRelatives(concept: Concept, key: string): void {
  if (concept.isValue) return;
  for (const [term, weight] of relativesOf(key)) addVariant(concept, term, { weight, via: 'verb' });
}

/** Joins and splits words: `web hook` also matches `webhook` and vice versa. */
function addCompounds(concept: Concept, position: number, words: Word[], vocabulary: Vocabulary): void {
  const word = words[position] as QueryWord;
  for (const [one, other] of [
    [words[position - 1], word],
    [word, words[position + 1]],
  ] as const) {
    if (one === undefined || other === undefined || !other.follows) continue;
    const joined = stem(`${one.text}${other.text}`);
    if (vocabulary.count(joined) > 0) addVariant(concept, joined, { weight: 0.95, via: 'compound' });
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
  const variant = { weight: 0.95, via: 'abbreviation' } as const;
  if (concept.variants.size === 1 || concept.isUnknown) {
    addVariant(concept, term, variant);
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
      [term, variant],
      [text as string, variant],
    ]),
    intents: [],
    isVerb: false,
    clauses: new Set(concept.clauses),
  });
}

function addVariant({ variants }: Concept, term: string, variant: Variant): void {
  const before = variants.get(term);
  if (before === undefined || before.weight < variant.weight) variants.set(term, variant);
}

/** Stop words stay: `who is coming` means more than `coming`. */
function meantWords({ spoken }: Query, words: Word[]): Meaning['meant'] {
  const corrected = new Map(words.flatMap(({ text, written }) => (written ? [[written.text, text]] : [])));
  return spoken.map(({ text, clause }) => ({
    text: corrected.get(text) ?? longFormOf(text)?.join(' ') ?? text,
    clause,
  }));
}

function meaningFrom(concepts: Concept[], vocabulary: Vocabulary): Omit<Meaning, 'meant'> {
  for (const concept of concepts) concept.rarity = rarityOf(concept, vocabulary);
  const known = concepts.filter(({ rarity }) => Number.isFinite(rarity));
  const unknown = concepts.filter(
    ({ rarity, isName, isValue }) => !Number.isFinite(rarity) && !isName && !isValue,
  );
  return {
    concepts: heaviest(known),
    unknown,
    unknownRarity: unknownShare * Math.log(1 + vocabulary.total / 1.5),
  };
}

/**
 * The rarity of a word that tools have is its own; the rarity of another word is that of its most frequent variant. An
 * abbreviation and its long form count as one word: a few tools that write `PR` do not make pull requests rarer.
 */
function rarityOf({ variants }: Concept, vocabulary: Vocabulary): number {
  const [own] = variants.keys();
  const isKnown = vocabulary.count(own as string) > 0 || vocabulary.isSourceName(own as string);
  const rarities = [...variants].flatMap(([term, { via }]) =>
    vocabulary.count(term) > 0 && (!isKnown || via === 'abbreviation') ? [vocabulary.rarity(term)] : [],
  );
  return Math.min(isKnown ? vocabulary.rarity(own as string) : Number.POSITIVE_INFINITY, ...rarities);
}

function heaviest(concepts: Concept[]): Concept[] {
  if (concepts.length <= maxConcepts) return concepts;
  return concepts
    .sort((a, b) => b.weight * b.rarity - a.weight * a.rarity || (a.text < b.text ? -1 : 1))
    .slice(0, maxConcepts);
}
