import { emptyWords } from '../lexicon/stop-words.ts';
import { stem } from './stem.ts';
import { isHanToken } from './tokens.ts';

/** Longer tokens are not words but encoded bytes, keys or links. */
const maxTokenChars = 40;

/** A word and its stem, by which it is looked up. */
export interface Term {
  term: string;
  word: string;
}

/** The terms of a token; none for a stop word. */
export function termsOf(token: string): Term[] {
  if (isHanToken(token)) return pairsOf(token).map((pair) => ({ term: pair, word: pair }));
  if (token.length > maxTokenChars) return [];
  const parts = partsOf(token);
  const terms = parts.flatMap(termsOfWord);
  // Two words may be one name (`GitHub`), so they are also one term. More words are a phrase (`listForRepo`).
  if (parts.length === 2) terms.push({ term: stem(plain(token)), word: plain(token) });
  return terms;
}

/**
 * The words of a token: `listForRepo`, `HTTPServer`. The plural of an abbreviation is one word (`PRs`), and so are
 * `IPv4` and a token that begins with a number (`2FA`).
 */
export function partsOf(token: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let position = 1; position < token.length; position++) {
    if (!isCapital(token.charCodeAt(position)) || !beginsWord(token, position)) continue;
    parts.push(plain(token.slice(start, position)));
    start = position;
  }
  parts.push(plain(start === 0 ? token : token.slice(start)));
  return parts;
}

/**
 * Whether a capital inside of a token begins a word: after a word or a number (except a leading number), or as the last
 * of several capitals.
 */
function beginsWord(token: string, position: number): boolean {
  if (isCapital(token.charCodeAt(position - 1))) return endsCapitals(token, position);
  let before = position - 1;
  while (isDigit(token.charCodeAt(before))) before -= 1;
  const code = token.charCodeAt(before);
  return isSmall(code) || isCapital(code);
}

function endsCapitals(token: string, position: number): boolean {
  const [next, after] = [token.charCodeAt(position + 1), token.charCodeAt(position + 2)];
  if (!isSmall(next)) return false;
  return !(next === smallS && !isSmall(after)) && !(next === smallV && isDigit(after));
}

const smallS = 115;
const smallV = 118;

// Beyond the end of a token the code is NaN, which is none of these.
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

function termsOfWord(word: string): Term[] {
  if (emptyWords.has(word)) return [];
  const [, letters] = /^([a-z]{3,})\d+$/.exec(word) ?? [];
  if (letters === undefined) return [{ term: stem(word), word }];
  return [
    { term: word, word },
    { term: stem(letters), word: letters },
  ];
}

function pairsOf(token: string): string[] {
  const characters = [...token.normalize('NFKC')];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, position) => `${characters[position]}${character}`);
}
