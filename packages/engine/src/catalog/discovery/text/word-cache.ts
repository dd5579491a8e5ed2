import { eachRun } from './runs.ts';
import { partsOf, termsOf } from './terms.ts';

/** The words of texts and what they are found by, remembered: a source has the same ones again and again. */
export class WordCache {
  readonly #words = new Map<string, readonly string[]>();
  readonly #terms = new Map<string, readonly string[]>();

  /** The words of a text, in small letters. */
  wordsIn(text: string): readonly string[] {
    const known = this.#words.get(text);
    if (known) return known;
    const words: string[] = [];
    eachRun(text, (run) => words.push(...partsOf(run)));
    this.#words.set(text, words);
    return words;
  }

  /** What a word is found by. */
  termsOf(word: string): readonly string[] {
    const known = this.#terms.get(word);
    if (known) return known;
    const terms = termsOf(word);
    this.#terms.set(word, terms);
    return terms;
  }
}
