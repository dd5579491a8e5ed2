import type { NumberRange } from '../../packed-numbers.ts';
import { NumberLists } from '../text/number-lists.ts';
import { partsOf, termsOf } from '../text/terms.ts';
import type { SourceWords } from '../words/source-words.ts';

/** Numbers the terms of a source's words. */
export class SourceTerms {
  /** The terms of each token, and of each text. */
  readonly ofTokens = new NumberLists();
  readonly ofTexts = new NumberLists();
  readonly #numbers = new Map<string, number>();
  /** The words of each token, in lower case. */
  readonly #parts: (readonly string[])[] = [];
  readonly #wordsOfTexts: (readonly string[] | undefined)[] = [];
  readonly #texts: SourceWords['texts'];
  readonly #textStarts: number[] = [];

  constructor({ tokens, texts }: Pick<SourceWords, 'tokens' | 'texts'>) {
    this.#texts = texts;
    for (const token of tokens) this.#addToken(token);
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

  /** The words of a range of tokens. */
  wordsOf(tokens: Uint32Array, { from, to }: NumberRange): string[] {
    const words: string[] = [];
    for (let position = from; position < to; position++) {
      const parts = this.#parts[tokens[position] as number] as readonly string[];
      for (let part = 0; part < parts.length; part++) words.push(parts[part] as string);
    }
    return words;
  }

  wordsOfText(text: number): readonly string[] {
    const known = this.#wordsOfTexts[text];
    if (known) return known;
    this.#texts.position = this.#textStarts[text] as number;
    const words = this.wordsOf(this.#texts.numbers, this.#texts.list());
    this.#wordsOfTexts[text] = words;
    return words;
  }

  /** The words of the selected terms in lower case, sorted alphabetically. */
  wordsFor(isWanted: (term: number) => boolean): string[] {
    const words = new Set<string>();
    for (const [token, parts] of this.#parts.entries())
      if (this.ofTokens.some(token, isWanted)) for (const part of parts) words.add(part);
    return [...words].filter(isPlainWord).sort();
  }

  #addToken(token: string): void {
    const parts = partsOf(token);
    this.#parts.push(parts);
    for (const term of termsOf(token, parts)) this.ofTokens.push(this.numberOf(term));
    this.ofTokens.close();
  }

  #addText(): void {
    this.#textStarts.push(this.#texts.position);
    const { from, to } = this.#texts.list();
    const { numbers, starts } = this.ofTokens;
    for (let position = from; position < to; position++) {
      const token = this.#texts.numbers[position] as number;
      const end = starts[token + 1] as number;
      for (let term = starts[token] as number; term < end; term++) this.ofTexts.push(numbers[term] as number);
    }
    this.ofTexts.close();
  }
}

function isPlainWord(part: string): boolean {
  return /^[a-z]{4,24}$/.test(part);
}
