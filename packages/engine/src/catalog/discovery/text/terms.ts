import { emptyWords } from '../lexicon/stop-words.ts';
import { isHanRun } from './runs.ts';
import { stem } from './stem.ts';

/** Longer ones are no words: encoded bytes, keys, links. */
const longestRun = 40;

/** What a run is found by; nothing where it says nothing. */
export function termsOf(run: string): string[] {
  if (run.length > longestRun && !isHanRun(run)) return [];
  if (isHanRun(run)) return pairsOf(run);
  const parts = partsOf(run);
  if (parts.length === 1) return termsOfWord(parts[0] as string);
  const terms = parts.flatMap(termsOfWord);
  // `GitHub` is a name, whichever way it is written; `listForRepo` is a sentence.
  if (parts.length === 2) terms.push(stem(plain(run)));
  return terms;
}

/**
 * The words of a run: `listForRepo`, `HTTPServer`. Several of what is written in capitals are one word (`PRs`, `IPv4`), and so is what begins with a
 * number (`2FA`).
 */
export function partsOf(run: string): string[] {
  if (!hasCapitalInside(run)) return [plain(run)];
  return run
    .replace(/(?<=[a-z]\d*|[A-Z]\d+)(?=[A-Z])/g, ' ')
    .replace(/([A-Z]+)([A-Z](?!s(?![a-z])|v\d)[a-z])/g, '$1 $2')
    .split(' ')
    .map(plain);
}

/** Most runs have none, and need no closer look. */
function hasCapitalInside(run: string): boolean {
  for (let place = 1; place < run.length; place++) {
    const code = run.charCodeAt(place);
    if (code >= 65 && code <= 90) return true;
  }
  return false;
}

/** Without capitals and accents. */
function plain(text: string): string {
  const lower = text.toLowerCase();
  for (let place = 0; place < lower.length; place++) {
    if (lower.charCodeAt(place) > 127) return lower.normalize('NFD').replace(/\p{M}/gu, '');
  }
  return lower;
}

function termsOfWord(word: string): string[] {
  if (emptyWords.has(word)) return [];
  const last = word.charCodeAt(word.length - 1);
  const [, letters] = last >= 48 && last <= 57 ? (/^([a-z]{3,})\d+$/.exec(word) ?? []) : [];
  return letters === undefined ? [stem(word)] : [word, stem(letters)];
}

function pairsOf(run: string): string[] {
  const characters = [...run.normalize('NFKC')];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, place) => `${characters[place]}${character}`);
}
