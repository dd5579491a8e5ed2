import type { NumberRange } from '../../packed-numbers.ts';
import type { NumberLists } from '../text/number-lists.ts';
import { fieldWeights, namingFields } from './fields.ts';
import { impactUnit, type Postings } from './postings.ts';

/** What the tool that is being read has of each term. */
export class TermAccumulator {
  readonly #impacts: Float64Array;
  readonly #masks: Uint8Array;
  readonly #counts: Uint8Array;
  /** Terms that any tool so far is called by or takes. */
  readonly #named: Uint8Array;
  /** The terms that the tool has, and those of the field that is being read, each once. */
  readonly #had: Uint32Array;
  readonly #counted: Uint32Array;
  #hadCount = 0;
  #countedCount = 0;
  #length = 0;

  constructor(terms: number) {
    this.#impacts = new Float64Array(terms);
    this.#masks = new Uint8Array(terms);
    this.#counts = new Uint8Array(terms);
    this.#named = new Uint8Array(terms);
    this.#had = new Uint32Array(terms);
    this.#counted = new Uint32Array(terms);
  }

  /** Counts the terms of a field: those of these lists, which stand one after the other by their numbers. */
  count({ numbers, starts }: NumberLists, lists: Uint32Array, { from, to }: NumberRange): void {
    const counts = this.#counts;
    const counted = this.#counted;
    let seen = this.#countedCount;
    for (let list = from; list < to; list++) {
      const number = lists[list] as number;
      const start = starts[number] as number;
      const end = starts[number + 1] as number;
      this.#length += end - start;
      for (let place = start; place < end; place++) {
        const term = numbers[place] as number;
        const count = counts[term] as number;
        if (count === 0) counted[seen++] = term;
        if (count < 255) counts[term] = count + 1;
      }
    }
    this.#countedCount = seen;
  }

  /** The terms that were counted since the last field, each once. */
  counted(): Uint32Array {
    return this.#counted.slice(0, this.#countedCount);
  }

  closeField(which: number): void {
    const { weight, usual, bias } = fieldWeights[which] as (typeof fieldWeights)[number];
    const share = weight / (1 - bias + (bias * this.#length) / usual);
    const counted = this.#counted;
    const counts = this.#counts;
    const masks = this.#masks;
    const impacts = this.#impacts;
    const had = this.#had;
    let hadCount = this.#hadCount;
    const bit = 1 << which;
    for (let place = 0; place < this.#countedCount; place++) {
      const term = counted[place] as number;
      const mask = masks[term] as number;
      if (mask === 0) had[hadCount++] = term;
      masks[term] = mask | bit;
      impacts[term] = (impacts[term] as number) + share * Math.min(counts[term] as number, 3);
      counts[term] = 0;
    }
    this.#hadCount = hadCount;
    this.#countedCount = 0;
    this.#length = 0;
  }

  isNamed(term: number): boolean {
    return this.#named[term] === 1;
  }

  close(postings: Postings): void {
    const [impacts, masks, named, had] = [this.#impacts, this.#masks, this.#named, this.#had];
    for (let place = 0; place < this.#hadCount; place++) {
      const term = had[place] as number;
      const mask = masks[term] as number;
      const impact = Math.round((impacts[term] as number) * impactUnit);
      postings.push(term, Math.min(255, Math.max(1, impact)), mask);
      if (mask & namingFields) named[term] = 1;
      impacts[term] = 0;
      masks[term] = 0;
    }
    this.#hadCount = 0;
    postings.closeTool();
  }
}
