import type { TermLists } from '../../../ports/indexer.ts';
import type { NumberRange } from '../../packed-numbers.ts';

/** Lists of terms, one for each tool, as they come. */
export class TermListsBuilder {
  readonly #terms: number[] = [];
  readonly #starts = [0];

  push(terms: ArrayLike<number>, most = terms.length): void {
    for (let place = 0; place < terms.length && place < most; place++)
      this.#terms.push(terms[place] as number);
    this.#starts.push(this.#terms.length);
  }

  /** Where the terms of a tool are. */
  placesOf(tool: number): NumberRange {
    return { from: this.#starts[tool] as number, to: this.#starts[tool + 1] as number };
  }

  /** With the tools in another order, and other numbers for terms. */
  finish(tools: Uint32Array, newTerm: Uint32Array): TermLists {
    const starts = new Uint32Array(tools.length + 1);
    const total = this.#terms.length;
    const terms = newTerm.length > 0xffff ? new Uint32Array(total) : new Uint16Array(total);
    let at = 0;
    for (let newTool = 0; newTool < tools.length; newTool++) {
      const tool = tools[newTool] as number;
      const end = this.#starts[tool + 1] as number;
      for (let place = this.#starts[tool] as number; place < end; place++)
        terms[at++] = newTerm[this.#terms[place] as number] as number;
      starts[newTool + 1] = at;
    }
    return { starts, terms };
  }
}
