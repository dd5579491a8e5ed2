import type { SearchedSource } from '../index/source-index.ts';

/** The words of all sources together. */
export class Vocabulary {
  readonly total: number;
  readonly #sources: readonly SearchedSource[];
  readonly #counts = new Map<string, number>();

  constructor(sources: readonly SearchedSource[]) {
    this.#sources = sources;
    this.total = sources.reduce((sum, { index }) => sum + index.size, 0);
  }

  /** In how many tools a term is. */
  count(term: string): number {
    const known = this.#counts.get(term);
    if (known !== undefined) return known;
    let count = 0;
    for (const { index } of this.#sources) {
      const place = index.place(term);
      if (place !== undefined) count += index.countAt(place);
    }
    this.#counts.set(term, count);
    return count;
  }

  /** Whether a source is called so. */
  isSourceName(term: string): boolean {
    return this.#sources.some(({ terms }) => terms.has(term));
  }

  /** How much it says that a tool has the term: the rarer, the more. */
  rarity(term: string): number {
    const count = this.count(term);
    return Math.log(1 + (this.total - count + 0.5) / (count + 0.5));
  }
}
