import type { SearchedSource } from '../index/open-index.ts';

/** The tools of several sources, numbered consecutively. */
export class CatalogView {
  readonly sources: readonly SearchedSource[];
  readonly total: number;
  readonly #offsets: number[] = [];

  constructor(sources: readonly SearchedSource[]) {
    this.sources = sources;
    let offset = 0;
    for (const { index } of sources) {
      this.#offsets.push(offset);
      offset += index.size;
    }
    this.total = offset;
  }

  offsetOf(source: number): number {
    return this.#offsets[source] as number;
  }

  sourceOf(tool: number): number {
    let [low, high] = [0, this.#offsets.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#offsets[middle] as number) <= tool) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  pathOf(tool: number): string {
    const source = this.sourceOf(tool);
    return (this.sources[source] as SearchedSource).index.data.paths[tool - this.offsetOf(source)] as string;
  }
}
