import type { ToolIndex } from './tool-index.ts';

/** Impacts are stored in this fraction of one. */
export const impactUnit = 16;

/** Collects postings tool by tool: a term, and its impact and mask in one number. */
export class Postings {
  readonly #terms: number[] = [];
  readonly #values: number[] = [];
  readonly #ends: number[] = [];

  addTool(impacts: ReadonlyMap<number, { impact: number; mask: number }>): void {
    for (const [term, { impact, mask }] of impacts) {
      this.#terms.push(term);
      this.#values.push((Math.min(255, Math.max(1, Math.round(impact * impactUnit))) << 8) | mask);
    }
    this.#ends.push(this.#terms.length);
  }

  /** The postings sorted by term, then by tool. */
  byTerm(termCount: number): Pick<ToolIndex, 'starts' | 'tools' | 'impacts' | 'masks'> {
    const starts = new Uint32Array(termCount + 1);
    for (const term of this.#terms) starts[term + 1] = (starts[term + 1] as number) + 1;
    for (let term = 0; term < termCount; term++)
      starts[term + 1] = (starts[term + 1] as number) + (starts[term] as number);
    const next = starts.slice();
    const tools = new Uint32Array(this.#terms.length);
    const impacts = new Uint8Array(this.#terms.length);
    const masks = new Uint8Array(this.#terms.length);
    let posting = 0;
    for (const [tool, end] of this.#ends.entries())
      for (; posting < end; posting++) {
        const term = this.#terms[posting] as number;
        const to = next[term] as number;
        next[term] = to + 1;
        tools[to] = tool;
        impacts[to] = (this.#values[posting] as number) >> 8;
        masks[to] = (this.#values[posting] as number) & 255;
      }
    return { starts, tools, impacts, masks };
  }
}
