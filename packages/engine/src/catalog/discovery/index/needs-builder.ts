import type { IndexData } from '../../../ports/indexer.ts';
import type { WordCache } from '../text/word-cache.ts';
import { namespaceOf, type SourceWords } from '../words/source-words.ts';
import { neededResources } from './needed-resources.ts';
import type { SourceTerms } from './source-terms.ts';
import { TermListsBuilder } from './term-lists.ts';

const maxThings = 8;

/** What each tool needs to be told of, and which other tool lists that by its route. */
export class NeedsBuilder {
  readonly #words: SourceWords;
  readonly #terms: SourceTerms;
  readonly #cache: WordCache;
  readonly #needs = new TermListsBuilder();
  /** Of each of the needs, the route of what lists them, if anything does: `/orders` of `/orders/{order_id}`. */
  readonly #within: (string | undefined)[] = [];
  /** The tools by the routes that they read. */
  readonly #reading = new Map<string, number>();

  constructor(words: SourceWords, terms: SourceTerms, cache: WordCache) {
    this.#words = words;
    this.#terms = terms;
    this.#cache = cache;
  }

  /** Reads the numbers of what the tool must be given. */
  add(tool: number, route: string, method: string | undefined): void {
    if (method === 'GET') this.#noteReading(tool, route);
    const { tools, paths } = this.#words;
    const asking = { namespace: namespaceOf(paths[tool] as string), route };
    const needs: number[] = [];
    for (let left = tools.next(); left > 0; left--) {
      const name = this.#terms.wordsOfText(tools.next());
      const description = this.#terms.wordsOfText(tools.next());
      const length = tools.next() - 1;
      const within = length < 0 ? undefined : route.slice(0, length);
      for (const thing of neededResources({ name, description, within }, asking, this.#cache)) {
        const term = this.#terms.numberOf(thing);
        if (needs.includes(term) || needs.length === maxThings) continue;
        needs.push(term);
        this.#within.push(within);
      }
    }
    this.#needs.push(needs);
  }

  finish(tools: Uint32Array, newTerm: Uint32Array): Pick<IndexData, 'needs' | 'listers'> {
    return { needs: this.#needs.finish(tools, newTerm), listers: this.#listers(tools) };
  }

  /** Of several with one route, the first by its path, whichever came first. */
  #noteReading(tool: number, route: string): void {
    const { paths } = this.#words;
    const known = this.#reading.get(route);
    if (known === undefined || (paths[tool] as string) < (paths[known] as string))
      this.#reading.set(route, tool);
  }

  #listers(tools: Uint32Array): Uint16Array | Uint32Array {
    const newTool = new Uint32Array(tools.length);
    for (const [place, tool] of tools.entries()) newTool[tool] = place;
    const found: number[] = [];
    for (const tool of tools) {
      const { from, to } = this.#needs.placesOf(tool);
      for (let need = from; need < to; need++) {
        const route = this.#within[need];
        const reading = route === undefined ? undefined : this.#reading.get(route);
        found.push(reading === undefined ? 0 : (newTool[reading] as number) + 1);
      }
    }
    return tools.length >= 0xffff ? Uint32Array.from(found) : Uint16Array.from(found);
  }
}
