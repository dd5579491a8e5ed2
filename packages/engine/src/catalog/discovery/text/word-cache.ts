import { RunTable } from './run-table.ts';
import { partsOf, termsOf } from './terms.ts';

/** What text is made of, remembered: the words of a source's tools are the same ones again and again. */
export class WordCache {
  readonly #ids = new Map<string, number>();
  readonly #runs = new RunTable();
  readonly #idsOfRuns: (readonly number[])[] = [];
  readonly #partsOfRuns: (readonly string[])[] = [];
  readonly #textIds = new Map<string, readonly number[]>();
  readonly #terms = new Map<string, readonly string[]>();
  readonly #numbers: number[] = [];

  get size(): number {
    return this.#ids.size;
  }

  terms(): Iterable<string> {
    return this.#ids.keys();
  }

  idOf(term: string): number {
    const known = this.#ids.get(term);
    if (known !== undefined) return known;
    const id = this.#ids.size;
    this.#ids.set(term, id);
    return id;
  }

  /** The terms of a text, by their numbers, in their order. */
  idsIn(text: string): readonly number[] {
    const numbers = this.#numbers;
    const count = this.#runs.numbersIn(text, numbers);
    const ids: number[] = [];
    for (let place = 0; place < count; place++) {
      const own = this.#idsOfRun(numbers[place] as number);
      for (let at = 0; at < own.length; at++) ids.push(own[at] as number);
    }
    return ids;
  }

  /** The same for a text that others may have too. */
  idsInShared(text: string): readonly number[] {
    const known = this.#textIds.get(text);
    if (known) return known;
    const ids = this.idsIn(text);
    this.#textIds.set(text, ids);
    return ids;
  }

  /** The words of a text, in small letters. */
  wordsIn(text: string): string[] {
    const numbers = this.#numbers;
    const count = this.#runs.numbersIn(text, numbers);
    const words: string[] = [];
    for (let place = 0; place < count; place++) {
      const number = numbers[place] as number;
      const parts = this.#partsOfRuns[number] ?? partsOf(this.#runs.runs[number] as string);
      this.#partsOfRuns[number] = parts;
      for (let at = 0; at < parts.length; at++) words.push(parts[at] as string);
    }
    return words;
  }

  /** The words that stand for these terms, as they are written but for their capitals, by the alphabet. */
  wordsFor(isWanted: (id: number) => boolean): string[] {
    const words = new Set<string>();
    for (const [number, ids] of this.#idsOfRuns.entries()) {
      if (!ids?.some(isWanted)) continue;
      const parts = this.#partsOfRuns[number] ?? partsOf(this.#runs.runs[number] as string);
      for (const part of parts) if (isPlainWord(part)) words.add(part);
    }
    return [...words].sort();
  }

  /** What a word is found by. */
  termsOf(word: string): readonly string[] {
    let terms = this.#terms.get(word);
    if (terms === undefined) {
      terms = termsOf(word);
      this.#terms.set(word, terms);
    }
    return terms;
  }

  #idsOfRun(number: number): readonly number[] {
    const known = this.#idsOfRuns[number];
    if (known) return known;
    const ids = termsOf(this.#runs.runs[number] as string).map((term) => this.idOf(term));
    this.#idsOfRuns[number] = ids;
    return ids;
  }
}

function isPlainWord(part: string): boolean {
  return /^[a-z]{4,24}$/.test(part);
}
