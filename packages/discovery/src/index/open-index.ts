import type { SearchedSource as AnySource, SearchIndex, TextVector } from '@executor/engine';
import { ModelVectors } from '../meaning/model-vectors.ts';
import { termsOf } from '../text/terms.ts';
import { eachToken } from '../text/tokens.ts';
import { WordList } from '../text/word-list.ts';
import { namingFields } from './fields.ts';
import type { ToolIndex } from './tool-index.ts';

/** An index with the lookups that a search needs. Each derived table is built at its first use. */
export class OpenIndex implements SearchIndex {
  readonly data: ToolIndex;
  #modelVectors: ModelVectors | undefined;
  readonly #termNumbers: Map<string, number>;
  #words: WordList | undefined;
  #toolsByName: Map<string, number[]> | undefined;

  constructor(data: ToolIndex) {
    this.data = data;
    this.#termNumbers = new Map(data.terms.map((term, number) => [term, number]));
  }

  get size(): number {
    return this.data.paths.length;
  }

  /** The texts of its tools for a language model. */
  get texts(): readonly string[] {
    return this.data.texts ?? [];
  }

  /** The vectors that a language model has computed of `texts`; undefined until they are there. */
  get modelVectors(): ModelVectors | undefined {
    return this.#modelVectors;
  }

  get hasVectors(): boolean {
    return this.#modelVectors !== undefined;
  }

  setVectors(vectors: readonly TextVector[]): void {
    if (vectors.length !== this.size) throw new RangeError('Each tool needs one vector.');
    this.#modelVectors = new ModelVectors(vectors);
  }

  /** The number of a term; undefined if no tool has it. */
  termNumber(term: string): number | undefined {
    return this.#termNumbers.get(term);
  }

  /** The words of its tools' names, summaries and parameters, as they are written. */
  get words(): WordList {
    this.#words ??= new WordList(
      this.data.written.filter((word, term) => /^[a-z]{4,24}$/.test(word) && this.#isNaming(term)),
    );
    return this.#words;
  }

  #isNaming(term: number): boolean {
    const { starts, masks } = this.data;
    return masks.subarray(starts[term], starts[term + 1]).some((mask) => mask & namingFields);
  }

  /**
   * The tools whose paths end with these parts, compared without separators. It finds none if too many tools share the
   * last part.
   */
  toolsNamed(parts: readonly string[]): readonly number[] {
    if (this.#toolsByName === undefined) {
      this.#toolsByName = new Map();
      for (const [tool, path] of this.data.paths.entries()) {
        const name = withoutSeparators(path.slice(path.lastIndexOf('.') + 1));
        const known = this.#toolsByName.get(name);
        if (known) known.push(tool);
        else this.#toolsByName.set(name, [tool]);
      }
    }
    const tools = this.#toolsByName.get(parts.at(-1) ?? '') ?? [];
    return tools.length > maxNamesakes ? [] : tools.filter((tool) => this.#endsWith(tool, parts));
  }

  #endsWith(tool: number, parts: readonly string[]): boolean {
    const segments = (this.data.paths[tool] as string).split('.').slice(-parts.length);
    return (
      segments.length === parts.length &&
      parts.every((part, position) => withoutSeparators(segments[position] as string) === part)
    );
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

  /** The number of tools that have the term. */
  toolCount(term: number): number {
    const { starts } = this.data;
    return (starts[term + 1] as number) - (starts[term] as number);
  }
}

const maxNamesakes = 1_000;

/** A name in lower case, without the separators of its words. */
export function withoutSeparators(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** A source in a search. Its tools are numbered after the tools of the sources before it. */
export interface SearchedSource {
  /** The terms of its name and namespace. */
  terms: ReadonlySet<string>;
  index: OpenIndex;
}

export function searchedSource({ namespace, name, index }: AnySource): SearchedSource {
  if (!(index instanceof OpenIndex)) throw new TypeError('The index was opened by another implementation.');
  const terms = new Set<string>();
  eachToken(`${namespace} ${name}`, (token) => {
    for (const { term } of termsOf(token)) if (!generic.has(term)) terms.add(term);
  });
  return { terms, index };
}

/** Terms in the names of systems that identify none of them. */
const generic = new Set('mcp api server hub rest simpl core tool servic v1 v2 v3'.split(' '));
