import type { IndexData } from '../../../ports/indexer.ts';
import type { WordCache } from '../text/word-cache.ts';
import { namespaceOf, type SourceWords } from '../words/source-words.ts';
import { neededResources } from './needed-resources.ts';
import type { SourceTerms } from './source-terms.ts';
import { TermListsBuilder } from './term-lists.ts';

const maxResources = 8;

/** Collects the resources whose ids each tool needs, and for each the tool that lists it by its route. */
export class NeedsBuilder {
  readonly #words: SourceWords;
  readonly #terms: SourceTerms;
  readonly #cache: WordCache;
  readonly #needs = new TermListsBuilder();
  /** For each need, the route that would list the resource: `/orders` for `/orders/{order_id}`. */
  readonly #listRoutes: (string | undefined)[] = [];
  /** The tools with the method GET, by route. */
  readonly #toolsByRoute = new Map<string, number>();

  constructor(words: SourceWords, terms: SourceTerms, cache: WordCache) {
    this.#words = words;
    this.#terms = terms;
    this.#cache = cache;
  }

  /** Reads the numbers of a tool's required parameters. */
  add(tool: number, route: string, method: string | undefined): void {
    if (method === 'GET') this.#addRoute(tool, route);
    const { tools, paths } = this.#words;
    const consumer = { namespace: namespaceOf(paths[tool] as string), route };
    const needs: number[] = [];
    for (let left = tools.next(); left > 0; left--) {
      const name = this.#terms.wordsOfText(tools.next());
      const description = this.#terms.wordsOfText(tools.next());
      const length = tools.next() - 1;
      const routeBefore = length < 0 ? undefined : route.slice(0, length);
      for (const resource of neededResources({ name, description, routeBefore }, consumer, this.#cache)) {
        const term = this.#terms.numberOf(resource);
        if (needs.includes(term) || needs.length === maxResources) continue;
        needs.push(term);
        this.#listRoutes.push(routeBefore);
      }
    }
    this.#needs.push(needs);
  }

  finish(tools: Uint32Array, newTerm: Uint32Array): Pick<IndexData, 'needs' | 'listers'> {
    return { needs: this.#needs.finish(tools, newTerm), listers: this.#listers(tools) };
  }

  /** Keeps the tool with the alphabetically first path for each route, so that the order of tools does not matter. */
  #addRoute(tool: number, route: string): void {
    const { paths } = this.#words;
    const known = this.#toolsByRoute.get(route);
    if (known === undefined || (paths[tool] as string) < (paths[known] as string))
      this.#toolsByRoute.set(route, tool);
  }

  #listers(tools: Uint32Array): Uint16Array | Uint32Array {
    const newTool = new Uint32Array(tools.length);
    for (const [number, tool] of tools.entries()) newTool[tool] = number;
    const listers: number[] = [];
    for (const tool of tools) {
      const { from, to } = this.#needs.rangeOf(tool);
      for (let need = from; need < to; need++) {
        const route = this.#listRoutes[need];
        const lister = route === undefined ? undefined : this.#toolsByRoute.get(route);
        listers.push(lister === undefined ? 0 : (newTool[lister] as number) + 1);
      }
    }
    return tools.length >= 0xffff ? Uint32Array.from(listers) : Uint16Array.from(listers);
  }
}
