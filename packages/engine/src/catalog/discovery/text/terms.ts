import { emptyWords } from '../lexicon/stop-words.ts';
import { isHanRun } from './runs.ts';
import { stem } from './stem.ts';

/** Longer runs are not words but encoded bytes, keys or links. */
const maxRunChars = 40;

/** The terms of a run; none for a stop word. A caller that already knows the words of the run passes them. */
export function termsOf(run: string, words?: readonly string[]): string[] {
  if (isHanRun(run)) return pairsOf(run);
  if (run.length > maxRunChars) return [];
  const parts = words ?? partsOf(run);
  if (parts.length === 1) return termsOfWord(parts[0] as string);
  const terms = parts.flatMap(termsOfWord);
  // Two words may be one name (`GitHub`), so they are also one term. More words are a phrase (`listForRepo`).
  if (parts.length === 2) terms.push(stem(plain(run)));
  return terms;
}

/**
 * The words of a run: `listForRepo`, `HTTPServer`. The plural of an abbreviation is one word (`PRs`), and so are `IPv4`
 * and a run that begins with a number (`2FA`).
 */
export function partsOf(run: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let position = 1; position < run.length; position++) {
    if (!isCapital(run.charCodeAt(position)) || !beginsWord(run, position)) continue;
    parts.push(plain(run.slice(start, position)));
    start = position;
  }
  parts.push(plain(start === 0 ? run : run.slice(start)));
  return parts;
}

/**
 * Whether a capital inside of a run begins a word: after a word or a number (except a leading number), or as the last
 * of several capitals.
 */
function beginsWord(run: string, position: number): boolean {
  if (isCapital(run.charCodeAt(position - 1))) return endsCapitals(run, position);
  let before = position - 1;
  while (isDigit(run.charCodeAt(before))) before -= 1;
  const code = run.charCodeAt(before);
  return isSmall(code) || isCapital(code);
}

function endsCapitals(run: string, position: number): boolean {
  const [next, after] = [run.charCodeAt(position + 1), run.charCodeAt(position + 2)];
  if (!isSmall(next)) return false;
  return !(next === smallS && !isSmall(after)) && !(next === smallV && isDigit(after));
}

const smallS = 115;
const smallV = 118;

// Beyond the end of a run the code is NaN, which is none of these.
function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isSmall(code: number): boolean {
  return code >= 97 && code <= 122;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** The text in lower case, without accents. */
function plain(text: string): string {
  const lower = text.toLowerCase();
  for (let position = 0; position < lower.length; position++) {
    if (lower.charCodeAt(position) > 127) return lower.normalize('NFD').replace(/\p{M}/gu, '');
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
  return characters.slice(1).map((character, position) => `${characters[position]}${character}`);
}
