import type { IndexData, TermLists } from '../../../ports/indexer.ts';
import { termsOf } from '../text/terms.ts';
import { eachToken } from '../text/tokens.ts';
import { WordList } from '../text/word-list.ts';
import { flag } from './tool-flags.ts';

/** A source in a search. Its tools are numbered after the tools of the sources before it. */
export interface SearchedSource {
  namespace: string;
  /** The name that users see. */
  name: string;
  /** The terms of its name and namespace. */
  terms: ReadonlySet<string>;
  index: SourceIndex;
}

/** An index with the lookups that a search needs. Each derived table is built at its first use. */
export class SourceIndex {
  readonly data: IndexData;
  /** The words of its tools' names and parameters, as they are written. */
  readonly words: WordList;
  readonly #termNumbers: Map<string, number>;
  #searchTools: number[] | undefined;
  #finderTools: Set<number> | undefined;
  #toolsByName: Map<string, number[]> | undefined;
  #returning: Map<number, number[]> | undefined;
  #needCounts: Uint32Array | undefined;
  #nameCounts: Uint32Array | undefined;

  constructor(data: IndexData) {
    this.data = data;
    this.words = new WordList(data.words);
    this.#termNumbers = new Map(data.terms.map((term, number) => [term, number]));
  }

  get size(): number {
    return this.data.paths.length;
  }

  /** The number of a term; undefined if no tool has it. */
  termNumber(term: string): number | undefined {
    return this.#termNumbers.get(term);
  }

  /**
   * The tools whose paths end with these parts, compared without separators. It finds none if too many tools share the
   * last part.
   */
  toolsNamed(parts: readonly string[]): readonly number[] {
    if (this.#toolsByName === undefined) {
      this.#toolsByName = new Map();
      for (const [tool, path] of this.data.paths.entries())
        addTo(this.#toolsByName, withoutSeparators(path.slice(path.lastIndexOf('.') + 1)), tool);
    }
    const tools = this.#toolsByName.get(parts.at(-1) ?? '') ?? [];
    return tools.length > maxNamesakes ? [] : tools.filter((tool) => this.#endsWith(tool, parts));
  }

  #endsWith(tool: number, parts: readonly string[]): boolean {
    const segments = (this.data.paths[tool] as string).split('.');
    return parts.every((part, position) => {
      const fromEnd = position - parts.length;
      const segment = segments.at(fromEnd);
      return fromEnd >= -segments.length && segment !== undefined && withoutSeparators(segment) === part;
    });
  }

  /** Tools that search by words and need no id. */
  get searchTools(): readonly number[] {
    this.#searchTools ??= this.data.paths.flatMap((_, tool) => {
      const flags = this.data.flags[tool] as number;
      const { starts } = this.data.needs;
      return flags & flag.search && flags & flag.read && starts[tool] === starts[tool + 1] ? [tool] : [];
    });
    return this.#searchTools;
  }

  /** Tools that search by words and return a resource whose id other tools of the source need. */
  get finderTools(): ReadonlySet<number> {
    if (this.#finderTools === undefined) {
      const { flags, returned } = this.data;
      const finds = (tool: number) =>
        returned.terms
          .subarray(returned.starts[tool], returned.starts[tool + 1])
          .some((term) => this.needCount(term) > 0);
      this.#finderTools = new Set(
        [...flags.keys()].filter((tool) => (flags[tool] as number) & flag.search && finds(tool)),
      );
    }
    return this.#finderTools;
  }

  /** The tools that return a resource. */
  toolsReturning(term: number): readonly number[] {
    if (this.#returning === undefined) {
      this.#returning = new Map();
      const { starts, terms } = this.data.returned;
      for (let tool = 0; tool < this.size; tool++) {
        for (const resource of terms.subarray(starts[tool], starts[tool + 1]))
          addTo(this.#returning, resource, tool);
      }
    }
    return this.#returning.get(term) ?? [];
  }

  /** The posting of a term in a tool; undefined if the tool does not have the term. */
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

  /** The resources whose ids the tool needs, and for each the tool that lists it by its HTTP path. */
  requiredResources(tool: number): { term: number; lister: number | undefined }[] {
    const { needs, listers } = this.data;
    const start = needs.starts[tool] as number;
    return Array.from(needs.terms.subarray(start, needs.starts[tool + 1]), (term, position) => ({
      term,
      lister: listers[start + position] === 0 ? undefined : (listers[start + position] as number) - 1,
    }));
  }

  /** The number of tools that need the id of a resource. */
  needCount(term: number): number {
    this.#needCounts ??= this.#countIn(this.data.needs);
    return this.#needCounts[term] as number;
  }

  /** The number of tools that have the term in their names. */
  nameCount(term: number): number {
    this.#nameCounts ??= this.#countIn(this.data.names);
    return this.#nameCounts[term] as number;
  }

  #countIn(lists: TermLists): Uint32Array {
    const counts = new Uint32Array(this.data.terms.length);
    for (const term of lists.terms) counts[term] = (counts[term] as number) + 1;
    return counts;
  }

  /** The number of tools that have the term. */
  toolCount(term: number): number {
    const { starts } = this.data;
    return (starts[term + 1] as number) - (starts[term] as number);
  }
}

function addTo<K>(tools: Map<K, number[]>, key: K, tool: number): void {
  const known = tools.get(key);
  if (known) known.push(tool);
  else tools.set(key, [tool]);
}

const maxNamesakes = 1_000;

/** A name in lower case, without the separators of its words. */
export function withoutSeparators(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

export function searchedSource({ namespace, name, index }: Omit<SearchedSource, 'terms'>): SearchedSource {
  const terms = new Set<string>();
  eachToken(`${namespace} ${name}`, (token) => {
    for (const term of termsOf(token)) if (!generic.has(term)) terms.add(term);
  });
  return { namespace, name, terms, index };
}

/** Terms in the names of systems that identify none of them. */
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
