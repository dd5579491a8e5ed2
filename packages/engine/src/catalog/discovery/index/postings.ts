import type { IndexData } from '../../../ports/indexer.ts';

/** Impacts are stored in this fraction of one. */
export const impactUnit = 16;

/** Postings in the order in which they come, tool by tool; each is a term, an impact and a mask. */
export class Postings {
  #length = 0;
  #terms = new Uint32Array(1 << 14);
  #rest = new Uint16Array(1 << 14);
  /** How many each term has. */
  readonly #counts: Uint32Array;
  /** Where those of each tool begin; one more at the end. */
  readonly #starts = [0];

  /** For so many terms. */
  constructor(terms: number) {
    this.#counts = new Uint32Array(terms);
  }

  push(term: number, impact: number, mask: number): void {
    if (this.#length === this.#terms.length) this.#grow();
    this.#terms[this.#length] = term;
    this.#rest[this.#length] = (impact << 8) | mask;
    this.#counts[term] = (this.#counts[term] as number) + 1;
    this.#length += 1;
  }

  closeTool(): void {
    this.#starts.push(this.#length);
  }

  /** Each is put where its term has room. */
  byTerm(
    order: Uint32Array,
    newTerm: Uint32Array,
  ): Pick<IndexData, 'starts' | 'tools' | 'impacts' | 'masks'> {
    const length = this.#length;
    const [terms, rest, toolStarts] = [this.#terms, this.#rest, this.#starts];
    const starts = this.#startsBy(newTerm);
    const next = starts.slice();
    const tools = order.length > 0xffff ? new Uint32Array(length) : new Uint16Array(length);
    const impacts = new Uint8Array(length);
    const masks = new Uint8Array(length);
    for (let newTool = 0; newTool < order.length; newTool++) {
      const tool = order[newTool] as number;
      const end = toolStarts[tool + 1] as number;
      for (let place = toolStarts[tool] as number; place < end; place++) {
        const term = newTerm[terms[place] as number] as number;
        const to = next[term] as number;
        next[term] = to + 1;
        tools[to] = newTool;
        impacts[to] = (rest[place] as number) >> 8;
        masks[to] = (rest[place] as number) & 255;
      }
    }
    return { starts, tools, impacts, masks };
  }

  #startsBy(newTerm: Uint32Array): Uint32Array {
    const starts = new Uint32Array(newTerm.length + 1);
    for (let term = 0; term < this.#counts.length; term++)
      starts[(newTerm[term] as number) + 1] = this.#counts[term] as number;
    for (let term = 0; term < newTerm.length; term++)
      starts[term + 1] = (starts[term + 1] as number) + (starts[term] as number);
    return starts;
  }

  #grow(): void {
    const [terms, rest] = [this.#terms, this.#rest];
    this.#terms = new Uint32Array(terms.length * 2);
    this.#terms.set(terms);
    this.#rest = new Uint16Array(rest.length * 2);
    this.#rest.set(rest);
  }
}
