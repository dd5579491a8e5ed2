import { eachRun } from './runs.ts';
import { partsOf, termsOf } from './terms.ts';

/** What text is made of, remembered: the words of a source's tools are the same ones again and again. */
export class WordCache {
  readonly #ids = new Map<string, number>();
  readonly #runIds = new Map<string, readonly number[]>();
  readonly #textIds = new Map<string, readonly number[]>();
  readonly #parts = new Map<string, readonly string[]>();

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
    const ids: number[] = [];
    eachRun(text, (run) => {
      for (const id of this.#idsOfRun(run)) ids.push(id);
    });
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
    const words: string[] = [];
    eachRun(text, (run) => {
      let parts = this.#parts.get(run);
      if (parts === undefined) {
        parts = partsOf(run);
        this.#parts.set(run, parts);
      }
      for (const part of parts) words.push(part);
    });
    return words;
  }

  #idsOfRun(run: string): readonly number[] {
    const known = this.#runIds.get(run);
    if (known) return known;
    const ids = termsOf(run).map((term) => this.idOf(term));
    this.#runIds.set(run, ids);
    return ids;
  }
}
