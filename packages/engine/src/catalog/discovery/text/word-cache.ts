import { partsOf, termsOf } from './terms.ts';
import { eachToken } from './tokens.ts';

/** Caches the words of texts and the terms of words, which repeat in a source. */
export class WordCache {
  readonly #words = new Map<string, readonly string[]>();
  readonly #terms = new Map<string, readonly string[]>();

  /** The words of a text, in lower case. */
  wordsIn(text: string): readonly string[] {
    const known = this.#words.get(text);
    if (known) return known;
    const words: string[] = [];
    eachToken(text, (token) => words.push(...partsOf(token)));
    this.#words.set(text, words);
    return words;
  }

  /** The terms of a word. */
  termsOf(word: string): readonly string[] {
    const known = this.#terms.get(word);
    if (known) return known;
    const terms = termsOf(word);
    this.#terms.set(word, terms);
    return terms;
  }
}
