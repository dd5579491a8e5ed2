import type { NumberRange } from '../../packed-numbers.ts';
import { NumberLists } from '../text/number-lists.ts';
import { partsOf, termsOf } from '../text/terms.ts';
import type { SourceWords } from '../words/source-words.ts';

/** What the words of a source are found by: its terms, by numbers. */
export class SourceTerms {
  /** The terms of each run, and those of each text. */
  readonly ofRuns = new NumberLists();
  readonly ofTexts = new NumberLists();
  readonly #numbers = new Map<string, number>();
  /** The words of each run, in small letters. */
  readonly #parts: (readonly string[])[] = [];
  readonly #wordsOfTexts: (readonly string[] | undefined)[] = [];
  readonly #texts: SourceWords['texts'];
  readonly #textStarts: number[] = [];

  constructor({ runs, texts }: Pick<SourceWords, 'runs' | 'texts'>) {
    this.#texts = texts;
    for (const run of runs) this.#addRun(run);
    while (!texts.isAtEnd) this.#addText();
  }

  get count(): number {
    return this.#numbers.size;
  }

  terms(): string[] {
    return [...this.#numbers.keys()];
  }

  numberOf(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(term, number);
    return number;
  }

  /** The words of runs that stand one after the other. */
  wordsOf(runs: Uint32Array, { from, to }: NumberRange): string[] {
    const words: string[] = [];
    for (let place = from; place < to; place++) {
      const parts = this.#parts[runs[place] as number] as readonly string[];
      for (let at = 0; at < parts.length; at++) words.push(parts[at] as string);
    }
    return words;
  }

  wordsOfText(text: number): readonly string[] {
    const known = this.#wordsOfTexts[text];
    if (known) return known;
    this.#texts.at = this.#textStarts[text] as number;
    const words = this.wordsOf(this.#texts.numbers, this.#texts.list());
    this.#wordsOfTexts[text] = words;
    return words;
  }

  /** The words that stand for these terms, as they are written but for their capitals, by the alphabet. */
  wordsFor(isWanted: (term: number) => boolean): string[] {
    const words = new Set<string>();
    for (const [run, parts] of this.#parts.entries())
      if (this.ofRuns.some(run, isWanted)) for (const part of parts) words.add(part);
    return [...words].filter(isPlainWord).sort();
  }

  #addRun(run: string): void {
    const parts = partsOf(run);
    this.#parts.push(parts);
    for (const term of termsOf(run, parts)) this.ofRuns.push(this.numberOf(term));
    this.ofRuns.close();
  }

  #addText(): void {
    this.#textStarts.push(this.#texts.at);
    const { from, to } = this.#texts.list();
    const { numbers, starts } = this.ofRuns;
    for (let place = from; place < to; place++) {
      const run = this.#texts.numbers[place] as number;
      const end = starts[run + 1] as number;
      for (let at = starts[run] as number; at < end; at++) this.ofTexts.push(numbers[at] as number);
    }
    this.ofTexts.close();
  }
}

function isPlainWord(part: string): boolean {
  return /^[a-z]{4,24}$/.test(part);
}
