import type { SearchedSource } from '../index/open-index.ts';

/** The terms of all searched sources. */
export class Vocabulary {
  readonly total: number;
  readonly #sources: readonly SearchedSource[];
  readonly #counts = new Map<string, number>();

  constructor(sources: readonly SearchedSource[]) {
    this.#sources = sources;
    this.total = sources.reduce((sum, { index }) => sum + index.size, 0);
  }

  /** The number of tools that have a term. */
  count(term: string): number {
    const known = this.#counts.get(term);
    if (known !== undefined) return known;
    let count = 0;
    for (const { index } of this.#sources) {
      const number = index.termNumber(term);
      if (number !== undefined) count += index.toolCount(number);
    }
    this.#counts.set(term, count);
    return count;
  }

  /** Whether the term is part of a source's name. */
  isSourceName(term: string): boolean {
    return this.#sources.some(({ terms }) => terms.has(term));
  }

  /** The inverse document frequency of a term: matches of rare terms count more. */
  rarity(term: string): number {
    const count = this.count(term);
    return Math.log(1 + (this.total - count + 0.5) / (count + 0.5));
  }
}
