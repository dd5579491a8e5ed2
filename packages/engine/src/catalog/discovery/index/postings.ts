import type { IndexData } from '../../../ports/indexer.ts';

/** Impacts are stored in this fraction of one. */
export const impactUnit = 16;

/** Collects postings tool by tool. Each one is a term, an impact and a mask of fields. */
export class Postings {
  #length = 0;
  #terms = new Uint32Array(1 << 14);
  /** The impact in the upper byte, the mask in the lower byte. */
  #impactsAndMasks = new Uint16Array(1 << 14);
  /** The number of postings of each term. */
  readonly #counts: Uint32Array;
  /** The start of each tool's postings, and the end of the last one's. */
  readonly #starts = [0];

  constructor(termCount: number) {
    this.#counts = new Uint32Array(termCount);
  }

  push(term: number, impact: number, mask: number): void {
    if (this.#length === this.#terms.length) this.#grow();
    this.#terms[this.#length] = term;
    this.#impactsAndMasks[this.#length] = (impact << 8) | mask;
    this.#counts[term] = (this.#counts[term] as number) + 1;
    this.#length += 1;
  }

  closeTool(): void {
    this.#starts.push(this.#length);
  }

  /** The postings sorted by term, then by tool. */
  byTerm(
    order: Uint32Array,
    newTerm: Uint32Array,
  ): Pick<IndexData, 'starts' | 'tools' | 'impacts' | 'masks'> {
    const length = this.#length;
    const [terms, impactsAndMasks, toolStarts] = [this.#terms, this.#impactsAndMasks, this.#starts];
    const starts = this.#startsBy(newTerm);
    const next = starts.slice();
    const tools = order.length > 0xffff ? new Uint32Array(length) : new Uint16Array(length);
    const impacts = new Uint8Array(length);
    const masks = new Uint8Array(length);
    for (let newTool = 0; newTool < order.length; newTool++) {
      const tool = order[newTool] as number;
      const end = toolStarts[tool + 1] as number;
      for (let position = toolStarts[tool] as number; position < end; position++) {
        const term = newTerm[terms[position] as number] as number;
        const to = next[term] as number;
        next[term] = to + 1;
        tools[to] = newTool;
        impacts[to] = (impactsAndMasks[position] as number) >> 8;
        masks[to] = (impactsAndMasks[position] as number) & 255;
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
    const [terms, impactsAndMasks] = [this.#terms, this.#impactsAndMasks];
    this.#terms = new Uint32Array(terms.length * 2);
    this.#terms.set(terms);
    this.#impactsAndMasks = new Uint16Array(impactsAndMasks.length * 2);
    this.#impactsAndMasks.set(impactsAndMasks);
  }
}
