import type { SearchedSource } from './searched-source.ts';
import { withinEdits } from './text/edits.ts';

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

  /** The term that was probably meant: the nearest in spelling, and of those the most usual one. */
  nearest(term: string): string | undefined {
    const most = term.length >= 8 ? 2 : 1;
    let best: Nearest | undefined;
    for (const { index } of this.#sources) {
      for (const other of index.startingWith(term[0] as string)) {
        if (Math.abs(other.length - term.length) > most || other.length < 4) continue;
        const edits = withinEdits(term, other, best?.edits ?? most);
        if (edits === undefined) continue;
        const candidate = { term: other, edits, count: this.count(other) };
        if (best === undefined || isNearer(candidate, best)) best = candidate;
      }
    }
    return best?.term;
  }
}

interface Nearest {
  term: string;
  edits: number;
  count: number;
}

function isNearer(one: Nearest, other: Nearest): boolean {
  if (one.edits !== other.edits) return one.edits < other.edits;
  return one.count === other.count ? one.term < other.term : one.count > other.count;
}
