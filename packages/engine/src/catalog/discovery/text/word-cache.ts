import { IdLists } from './id-lists.ts';
import { RunTable } from './run-table.ts';
import { partsOf, termsOf } from './terms.ts';

/** What text is made of, remembered: the words of a source's tools are the same ones again and again. */
export class WordCache {
  readonly #ids = new Map<string, number>();
  readonly #runs = new RunTable();
  readonly #idsOfRuns = new IdLists();
  readonly #idsOfTexts = new IdLists();
  readonly #partsOfRuns: (readonly string[] | undefined)[] = [];
  readonly #texts: readonly string[];
  readonly #wordsInTexts = new Map<string, readonly string[]>();
  readonly #terms = new Map<string, readonly string[]>();

  /** The texts that many tools have. */
  constructor(texts: readonly string[] = []) {
    this.#texts = texts;
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

  /** The runs of a text, by their numbers, in their order. */
  runsIn(text: string): number[] {
    const runs: number[] = [];
    if (text !== '') this.#runs.numbersIn(text, runs);
    return runs;
  }

  /** The terms of runs, each by its number, with those of these runs in it. */
  termsOfRuns(runs: readonly number[]): IdLists {
    for (let place = 0; place < runs.length; place++) {
      const run = runs[place] as number;
      if (!this.#idsOfRuns.has(run)) this.#idsOfRuns.add(run, this.#idsOf(run));
    }
    return this.#idsOfRuns;
  }

  /** The same for the texts that many tools have. */
  termsOfTexts(texts: readonly number[]): IdLists {
    for (let place = 0; place < texts.length; place++) {
      const text = texts[place] as number;
      if (!this.#idsOfTexts.has(text)) this.#idsOfTexts.add(text, this.#idsIn(this.#texts[text] as string));
    }
    return this.#idsOfTexts;
  }

  /** The words of runs, in small letters. */
  wordsOf(runs: readonly number[]): string[] {
    const words: string[] = [];
    for (let place = 0; place < runs.length; place++) {
      const parts = this.#partsOf(runs[place] as number);
      for (let at = 0; at < parts.length; at++) words.push(parts[at] as string);
    }
    return words;
  }

  /** The words of a text that others have too. */
  wordsIn(text: string): readonly string[] {
    const known = this.#wordsInTexts.get(text);
    if (known) return known;
    const words = this.wordsOf(this.runsIn(text));
    this.#wordsInTexts.set(text, words);
    return words;
  }

  /** The words that stand for these terms, as they are written but for their capitals, by the alphabet. */
  wordsFor(isWanted: (id: number) => boolean): string[] {
    const words = new Set<string>();
    for (let run = 0; run < this.#runs.runs.length; run++) {
      if (!this.#idsOfRuns.some(run, isWanted)) continue;
      for (const part of this.#partsOf(run)) if (isPlainWord(part)) words.add(part);
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

  #idsIn(text: string): number[] {
    const runs = this.runsIn(text);
    const { ids, from, to } = this.termsOfRuns(runs);
    const found: number[] = [];
    for (const run of runs)
      for (let place = from[run] as number; place < (to[run] as number); place++)
        found.push(ids[place] as number);
    return found;
  }

  #idsOf(run: number): number[] {
    return termsOf(this.#runs.runs[run] as string, this.#partsOf(run)).map((term) => this.idOf(term));
  }

  #partsOf(run: number): readonly string[] {
    const known = this.#partsOfRuns[run];
    if (known) return known;
    const parts = partsOf(this.#runs.runs[run] as string);
    this.#partsOfRuns[run] = parts;
    return parts;
  }
}

function isPlainWord(part: string): boolean {
  return /^[a-z]{4,24}$/.test(part);
}
