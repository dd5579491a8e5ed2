import type { TermLists } from '../../../ports/indexer.ts';
import type { NumberRange } from '../../packed-numbers.ts';

/** Collects a list of terms for each tool. */
export class TermListsBuilder {
  readonly #terms: number[] = [];
  readonly #starts = [0];

  push(terms: ArrayLike<number>, max = terms.length): void {
    for (let position = 0; position < terms.length && position < max; position++)
      this.#terms.push(terms[position] as number);
    this.#starts.push(this.#terms.length);
  }

  /** The range of a tool's terms. */
  rangeOf(tool: number): NumberRange {
    return { from: this.#starts[tool] as number, to: this.#starts[tool + 1] as number };
  }

  /** The lists with tools in the new order and terms renumbered. */
  finish(tools: Uint32Array, newTerm: Uint32Array): TermLists {
    const starts = new Uint32Array(tools.length + 1);
    const total = this.#terms.length;
    const terms = newTerm.length > 0xffff ? new Uint32Array(total) : new Uint16Array(total);
    let length = 0;
    for (let newTool = 0; newTool < tools.length; newTool++) {
      const tool = tools[newTool] as number;
      const end = this.#starts[tool + 1] as number;
      for (let position = this.#starts[tool] as number; position < end; position++)
        terms[length++] = newTerm[this.#terms[position] as number] as number;
      starts[newTool + 1] = length;
    }
    return { starts, terms };
  }
}
