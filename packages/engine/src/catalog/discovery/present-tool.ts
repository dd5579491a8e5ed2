import { fieldWeights, namingFields } from './fields.ts';
import { impactUnit } from './index-data.ts';
import type { Postings } from './postings.ts';
import type { IdLists } from './text/id-lists.ts';

/** What the tool that is being read has of each term. */
export class PresentTool {
  #impacts = new Float64Array(1 << 12);
  #masks = new Uint8Array(1 << 12);
  #counts = new Uint8Array(1 << 12);
  /** Terms that any tool so far is called by or takes. */
  #named = new Uint8Array(1 << 12);
  readonly #touched: number[] = [];
  #counted: number[] = [];
  #length = 0;

  /** Counts what is in the lists of these numbers. */
  count({ ids, from, to }: IdLists, lists: readonly number[]): void {
    for (let list = 0; list < lists.length; list++) {
      const start = from[lists[list] as number] as number;
      const end = to[lists[list] as number] as number;
      this.#length += end - start;
      for (let place = start; place < end; place++) {
        const id = ids[place] as number;
        if (id >= this.#counts.length) this.#grow(id + 1);
        const count = this.#counts[id] as number;
        if (count === 0) this.#counted.push(id);
        if (count < 255) this.#counts[id] = count + 1;
      }
    }
  }

  /** Answers the terms that were counted since the last field, each once. */
  closeField(which: number): number[] {
    const counted = this.#counted;
    if (counted.length === 0) return counted;
    const { weight, usual, bias } = fieldWeights[which] as (typeof fieldWeights)[number];
    const share = weight / (1 - bias + (bias * this.#length) / usual);
    const counts = this.#counts;
    const masks = this.#masks;
    const impacts = this.#impacts;
    const bit = 1 << which;
    const names = namingFields & bit;
    for (let place = 0; place < counted.length; place++) {
      const id = counted[place] as number;
      const mask = masks[id] as number;
      if (mask === 0) this.#touched.push(id);
      masks[id] = mask | bit;
      impacts[id] = (impacts[id] as number) + share * Math.min(counts[id] as number, 3);
      counts[id] = 0;
      if (names) this.#named[id] = 1;
    }
    this.#counted = [];
    this.#length = 0;
    return counted;
  }

  isNamed(id: number): boolean {
    return this.#named[id] === 1;
  }

  close(postings: Postings): void {
    const touched = this.#touched;
    for (let place = 0; place < touched.length; place++) {
      const id = touched[place] as number;
      const impact = Math.round((this.#impacts[id] as number) * impactUnit);
      postings.push(id, Math.min(255, Math.max(1, impact)), this.#masks[id] as number);
      this.#impacts[id] = 0;
      this.#masks[id] = 0;
    }
    touched.length = 0;
    postings.closeTool();
  }

  #grow(least: number): void {
    const size = Math.max(least, this.#counts.length * 2);
    this.#impacts = copied(this.#impacts, new Float64Array(size));
    this.#masks = copied(this.#masks, new Uint8Array(size));
    this.#counts = copied(this.#counts, new Uint8Array(size));
    this.#named = copied(this.#named, new Uint8Array(size));
  }
}

function copied<A extends Uint8Array | Float64Array>(from: A, to: A): A {
  to.set(from);
  return to;
}
