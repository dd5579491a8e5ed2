import type { IndexData, TermLists } from '../../../ports/indexer.ts';
import { eachRun } from '../text/runs.ts';
import { termsOf } from '../text/terms.ts';
import { WordList } from '../text/word-list.ts';
import { flag } from './tool-flags.ts';

/** A source that is searched: its tools are numbered after those of the sources before it. */
export interface SearchedSource {
  namespace: string;
  /** What people call it. */
  name: string;
  /** What it is called, as terms. */
  terms: ReadonlySet<string>;
  index: SourceIndex;
}

/** An index, ready to be asked. */
export class SourceIndex {
  readonly data: IndexData;
  /** What its tools are called and take, word by word, as it is written. */
  readonly words: WordList;
  readonly #places: Map<string, number>;
  #searching: number[] | undefined;
  #finders: Set<number> | undefined;
  #called: Map<string, number[]> | undefined;
  #giving: Map<number, number[]> | undefined;
  #needing: Uint32Array | undefined;
  #naming: Uint32Array | undefined;

  constructor(data: IndexData) {
    this.data = data;
    this.words = new WordList(data.words);
    this.#places = new Map(data.terms.map((term, place) => [term, place]));
  }

  get size(): number {
    return this.data.paths.length;
  }

  /** Where the term is, if it is anywhere. */
  place(term: string): number | undefined {
    return this.#places.get(term);
  }

  /** The tools whose paths end with these parts, each without what joins its words; none where very many may. */
  calledBy(parts: readonly string[]): readonly number[] {
    if (this.#called === undefined) {
      this.#called = new Map();
      for (const [tool, path] of this.data.paths.entries())
        addTo(this.#called, joined(path.slice(path.lastIndexOf('.') + 1)), tool);
    }
    const tools = this.#called.get(parts.at(-1) ?? '') ?? [];
    return tools.length > maxCalledAlike ? [] : tools.filter((tool) => this.#endsWith(tool, parts));
  }

  #endsWith(tool: number, parts: readonly string[]): boolean {
    const own = (this.data.paths[tool] as string).split('.');
    return parts.every((part, place) => {
      const at = own.at(place - parts.length);
      return place - parts.length >= -own.length && at !== undefined && joined(at) === part;
    });
  }

  /** Tools that look for something by words, and need to be told nothing else. */
  get searching(): readonly number[] {
    this.#searching ??= this.data.paths.flatMap((_, tool) => {
      const flags = this.data.flags[tool] as number;
      const { starts } = this.data.needs;
      return flags & flag.search && flags & flag.read && starts[tool] === starts[tool + 1] ? [tool] : [];
    });
    return this.#searching;
  }

  /** Of the tools that look for something by words, those that find what others of the source need to be told of. */
  get finders(): ReadonlySet<number> {
    if (this.#finders === undefined) {
      const { flags, gives } = this.data;
      const finds = (tool: number) =>
        gives.terms
          .subarray(gives.starts[tool], gives.starts[tool + 1])
          .some((term) => this.needing(term) > 0);
      this.#finders = new Set(
        [...flags.keys()].filter((tool) => (flags[tool] as number) & flag.search && finds(tool)),
      );
    }
    return this.#finders;
  }

  /** The tools after which it is known. */
  giving(term: number): readonly number[] {
    if (this.#giving === undefined) {
      this.#giving = new Map();
      const { starts, terms } = this.data.gives;
      for (let tool = 0; tool < this.size; tool++) {
        for (const given of terms.subarray(starts[tool], starts[tool + 1])) addTo(this.#giving, given, tool);
      }
    }
    return this.#giving.get(term) ?? [];
  }

  /** Where it is said that the tool has the term, if it has. */
  posting(term: number, tool: number): number | undefined {
    const { starts, tools } = this.data;
    let [low, high] = [starts[term] as number, (starts[term + 1] as number) - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const at = tools[middle] as number;
      if (at === tool) return middle;
      if (at < tool) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }

  /** What a caller of the tool must know, and the tool that lists it by its HTTP path. */
  needsOf(tool: number): { term: number; lister: number | undefined }[] {
    const { needs, listers } = this.data;
    const start = needs.starts[tool] as number;
    return Array.from(needs.terms.subarray(start, needs.starts[tool + 1]), (term, place) => ({
      term,
      lister: listers[start + place] === 0 ? undefined : (listers[start + place] as number) - 1,
    }));
  }

  /** How many tools need to be told of it. */
  needing(term: number): number {
    this.#needing ??= this.#countIn(this.data.needs);
    return this.#needing[term] as number;
  }

  /** How many tools have it in their names. */
  naming(term: number): number {
    this.#naming ??= this.#countIn(this.data.names);
    return this.#naming[term] as number;
  }

  #countIn(lists: TermLists): Uint32Array {
    const counts = new Uint32Array(this.data.terms.length);
    for (const term of lists.terms) counts[term] = (counts[term] as number) + 1;
    return counts;
  }

  /** In how many tools it is. */
  countAt(place: number): number {
    const { starts } = this.data;
    return (starts[place + 1] as number) - (starts[place] as number);
  }
}

function addTo<K>(tools: Map<K, number[]>, key: K, tool: number): void {
  const known = tools.get(key);
  if (known) known.push(tool);
  else tools.set(key, [tool]);
}

const maxCalledAlike = 1_000;

/** A name without what joins its words. */
export function joined(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

export function searchedSource({ namespace, name, index }: Omit<SearchedSource, 'terms'>): SearchedSource {
  const terms = new Set<string>();
  eachRun(`${namespace} ${name}`, (run) => {
    for (const term of termsOf(run)) if (!generic.has(term)) terms.add(term);
  });
  return { namespace, name, terms, index };
}

/** Words in the names of systems that name none. */
const generic = new Set([
  'mcp',
  'api',
  'server',
  'hub',
  'rest',
  'simpl',
  'core',
  'tool',
  'servic',
  'v1',
  'v2',
  'v3',
]);
