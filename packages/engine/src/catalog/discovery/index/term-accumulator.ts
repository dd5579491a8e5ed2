import type { NumberRange } from '../../packed-numbers.ts';
import type { NumberLists } from '../text/number-lists.ts';
import { fieldWeights, namingFields } from './fields.ts';
import { impactUnit, type Postings } from './postings.ts';

/** Accumulates the impact and the fields of each term of one tool. It is reused for the next tool. */
export class TermAccumulator {
  readonly #impacts: Float64Array;
  readonly #masks: Uint8Array;
  readonly #counts: Uint8Array;
  /** Terms in a naming field of any tool so far. */
  readonly #named: Uint8Array;
  /** The distinct terms of the tool, and of the current field. */
  readonly #toolTerms: Uint32Array;
  readonly #fieldTerms: Uint32Array;
  #toolTermCount = 0;
  #fieldTermCount = 0;
  /** The number of words in the current field. */
  #fieldLength = 0;

  constructor(termCount: number) {
    this.#impacts = new Float64Array(termCount);
    this.#masks = new Uint8Array(termCount);
    this.#counts = new Uint8Array(termCount);
    this.#named = new Uint8Array(termCount);
    this.#toolTerms = new Uint32Array(termCount);
    this.#fieldTerms = new Uint32Array(termCount);
  }

  /** Counts the terms of a field. The range selects numbers of lists, and the lists contain the terms. */
  count({ numbers, starts }: NumberLists, lists: Uint32Array, { from, to }: NumberRange): void {
    const counts = this.#counts;
    const fieldTerms = this.#fieldTerms;
    let fieldTermCount = this.#fieldTermCount;
    for (let list = from; list < to; list++) {
      const number = lists[list] as number;
      const start = starts[number] as number;
      const end = starts[number + 1] as number;
      this.#fieldLength += end - start;
      for (let position = start; position < end; position++) {
        const term = numbers[position] as number;
        const count = counts[term] as number;
        if (count === 0) fieldTerms[fieldTermCount++] = term;
        if (count < 255) counts[term] = count + 1;
      }
    }
    this.#fieldTermCount = fieldTermCount;
  }

  /** The distinct terms of the current field. */
  fieldTerms(): Uint32Array {
    return this.#fieldTerms.slice(0, this.#fieldTermCount);
  }

  closeField(which: number): void {
    const { weight, usual, bias } = fieldWeights[which] as (typeof fieldWeights)[number];
    const share = weight / (1 - bias + (bias * this.#fieldLength) / usual);
    const fieldTerms = this.#fieldTerms;
    const counts = this.#counts;
    const masks = this.#masks;
    const impacts = this.#impacts;
    const toolTerms = this.#toolTerms;
    let toolTermCount = this.#toolTermCount;
    const bit = 1 << which;
    for (let position = 0; position < this.#fieldTermCount; position++) {
      const term = fieldTerms[position] as number;
      const mask = masks[term] as number;
      if (mask === 0) toolTerms[toolTermCount++] = term;
      masks[term] = mask | bit;
      impacts[term] = (impacts[term] as number) + share * Math.min(counts[term] as number, 3);
      counts[term] = 0;
    }
    this.#toolTermCount = toolTermCount;
    this.#fieldTermCount = 0;
    this.#fieldLength = 0;
  }

  isNamed(term: number): boolean {
    return this.#named[term] === 1;
  }

  close(postings: Postings): void {
    const [impacts, masks, named, toolTerms] = [this.#impacts, this.#masks, this.#named, this.#toolTerms];
    for (let position = 0; position < this.#toolTermCount; position++) {
      const term = toolTerms[position] as number;
      const mask = masks[term] as number;
      const impact = Math.round((impacts[term] as number) * impactUnit);
      postings.push(term, Math.min(255, Math.max(1, impact)), mask);
      if (mask & namingFields) named[term] = 1;
      impacts[term] = 0;
      masks[term] = 0;
    }
    this.#toolTermCount = 0;
    postings.closeTool();
  }
}
