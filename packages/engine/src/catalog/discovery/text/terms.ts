import { emptyWords } from '../lexicon/stop-words.ts';
import { isHanRun } from './runs.ts';
import { stem } from './stem.ts';

/** Longer ones are no words: encoded bytes, keys, links. */
const longestRun = 40;

/** What a run is found by; nothing where it says nothing. Whoever has its words already gives them. */
export function termsOf(run: string, words?: readonly string[]): string[] {
  if (isHanRun(run)) return pairsOf(run);
  if (run.length > longestRun) return [];
  const parts = words ?? partsOf(run);
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
  const parts: string[] = [];
  let start = 0;
  for (let place = 1; place < run.length; place++) {
    if (!isCapital(run.charCodeAt(place)) || !beginsWord(run, place)) continue;
    parts.push(plain(run.slice(start, place)));
    start = place;
  }
  parts.push(plain(start === 0 ? run : run.slice(start)));
  return parts;
}

/** Whether a capital inside a run begins a word: after a word or a number that is not the first of all, or as the last of several capitals. */
function beginsWord(run: string, place: number): boolean {
  if (isCapital(run.charCodeAt(place - 1))) return endsCapitals(run, place);
  let before = place - 1;
  while (isDigit(run.charCodeAt(before))) before -= 1;
  const code = run.charCodeAt(before);
  return isSmall(code) || isCapital(code);
}

function endsCapitals(run: string, place: number): boolean {
  const [next, after] = [run.charCodeAt(place + 1), run.charCodeAt(place + 2)];
  if (!isSmall(next)) return false;
  return !(next === smallS && !isSmall(after)) && !(next === smallV && isDigit(after));
}

const smallS = 115;
const smallV = 118;

// Past the end of a run there is no code, and it is none of these.
function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isSmall(code: number): boolean {
  return code >= 97 && code <= 122;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
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
  const isNumbered = isDigit(word.charCodeAt(word.length - 1));
  const [, letters] = isNumbered ? (/^([a-z]{3,})\d+$/.exec(word) ?? []) : [];
  return letters === undefined ? [stem(word)] : [word, stem(letters)];
}

function pairsOf(run: string): string[] {
  const characters = [...run.normalize('NFKC')];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, place) => `${characters[place]}${character}`);
}
