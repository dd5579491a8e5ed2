import { field, fieldWeights, namingFields } from './fields.ts';
import { givenThings } from './given-things.ts';
import { type IndexData, impactUnit, type TermLists } from './index-data.ts';
import { neededThings } from './needed-things.ts';
import type { SearchableTool } from './searchable-tool.ts';
import { WordCache } from './text/word-cache.ts';
import { flagsOf } from './tool-flags.ts';

/** Makes the index of a source, tool by tool. */
export function buildIndex(tools: Iterable<SearchableTool>): IndexData {
  const builder = new IndexBuilder();
  for (const tool of tools) builder.add(tool);
  return builder.finish();
}

const mostTitleTerms = 16;

class IndexBuilder {
  readonly #paths: string[] = [];
  readonly #words = new WordCache();
  readonly #names: number[][] = [];
  readonly #summaries: number[][] = [];
  readonly #needs: number[][] = [];
  /** Of the needs, the routes of what lists them, and the tools by the routes that they read. */
  readonly #within: (string | undefined)[][] = [];
  readonly #reading = new Map<string, number>();
  readonly #gives: number[][] = [];
  readonly #flags: number[] = [];
  // The postings, tool by tool.
  readonly #ends: number[] = [];
  readonly #postings = new Postings();
  readonly #present = new PresentTool();

  add(tool: SearchableTool): void {
    const words = this.#words;
    this.#paths.push(tool.path);
    const name = this.#count(field.name, [tool.name]);
    const group = this.#count(field.group, [tool.group]);
    this.#names.push(unique(name.concat(group)).slice(0, mostTitleTerms));
    this.#summaries.push(this.#count(field.summary, [tool.summary]).slice(0, mostTitleTerms));
    this.#count(field.text, [tool.text]);
    this.#count(field.parameter, tool.parameters);
    this.#count(field.aboutParameters, tool.aboutParameters);
    this.#count(field.route, [tool.route]);
    this.#count(field.result, tool.results);
    const needs = neededThings(tool, words);
    this.#needs.push(needs.map(({ term }) => words.idOf(term)));
    this.#within.push(needs.map(({ within }) => within));
    if (tool.method === 'GET') this.#noteReading(tool.route);
    this.#gives.push(givenThings(tool, words).map((term) => words.idOf(term)));
    this.#flags.push(flagsOf(tool, words));
    this.#present.close(this.#postings);
    this.#ends.push(this.#postings.length);
  }

  /** Of several with one route, the first by its path, whichever came first. */
  #noteReading(route: string): void {
    const tool = this.#paths.length - 1;
    const known = this.#reading.get(route);
    if (known === undefined || compare(this.#paths[tool] as string, this.#paths[known] as string) < 0)
      this.#reading.set(route, tool);
  }

  /** Answers the terms of the field, each once. */
  #count(which: number, texts: string[]): number[] {
    const isShared = which === field.parameter || which === field.aboutParameters || which === field.result;
    for (const text of texts) {
      this.#present.count(
        isShared ? this.#words.idsInShared(text) : this.#words.idsIn(text),
        this.#words.size,
      );
    }
    return this.#present.closeField(which);
  }

  /** Tools by their paths, terms by the alphabet. */
  finish(): IndexData {
    const tools = this.#paths.map((_, tool) => tool);
    tools.sort((a, b) => compare(this.#paths[a] as string, this.#paths[b] as string));
    const terms = [...this.#words.terms()].sort(compare);
    const newTerm = new Uint32Array(terms.length);
    terms.forEach((term, place) => {
      newTerm[this.#words.idOf(term)] = place;
    });
    const lists = (of: number[][]) =>
      termLists(
        tools.map((tool) => of[tool] as number[]),
        newTerm,
      );
    return {
      paths: tools.map((tool) => this.#paths[tool] as string),
      terms,
      words: this.#words.wordsFor((id) => this.#present.isNamed(id)),
      ...this.#postings.byTerm(tools, this.#ends, newTerm),
      names: lists(this.#names),
      summaries: lists(this.#summaries),
      needs: lists(this.#needs),
      listers: this.#listers(tools),
      gives: lists(this.#gives),
      flags: Uint16Array.from(tools, (tool) => this.#flags[tool] as number),
    };
  }

  #listers(tools: number[]): Uint16Array | Uint32Array {
    const newTool = new Uint32Array(tools.length);
    tools.forEach((tool, place) => {
      newTool[tool] = place;
    });
    const found = tools.flatMap((tool) =>
      (this.#within[tool] as (string | undefined)[]).map((route) => {
        const reading = route === undefined ? undefined : this.#reading.get(route);
        return reading === undefined ? 0 : (newTool[reading] as number) + 1;
      }),
    );
    return tools.length >= 0xffff ? Uint32Array.from(found) : Uint16Array.from(found);
  }
}

/** What the tool that is being read has of each term. */
class PresentTool {
  #impacts = new Float64Array(1 << 12);
  #masks = new Uint8Array(1 << 12);
  #counts = new Uint8Array(1 << 12);
  /** Terms that any tool so far is called by or takes. */
  #named = new Uint8Array(1 << 12);
  readonly #touched: number[] = [];
  #counted: number[] = [];
  #length = 0;

  count(ids: readonly number[], known: number): void {
    if (known > this.#counts.length) this.#grow(known);
    const counts = this.#counts;
    this.#length += ids.length;
    for (let place = 0; place < ids.length; place++) {
      const id = ids[place] as number;
      const count = counts[id] as number;
      if (count === 0) this.#counted.push(id);
      if (count < 255) counts[id] = count + 1;
    }
  }

  closeField(which: number): number[] {
    const { weight, usual, bias } = fieldWeights[which] as (typeof fieldWeights)[number];
    const share = weight / (1 - bias + (bias * this.#length) / usual);
    const [counts, masks, impacts] = [this.#counts, this.#masks, this.#impacts];
    const names = namingFields & (1 << which);
    for (const id of this.#counted) {
      if (masks[id] === 0) this.#touched.push(id);
      masks[id] = (masks[id] as number) | (1 << which);
      impacts[id] = (impacts[id] as number) + share * Math.min(counts[id] as number, 3);
      counts[id] = 0;
      if (names) this.#named[id] = 1;
    }
    const counted = this.#counted;
    this.#counted = [];
    this.#length = 0;
    return counted;
  }

  isNamed(id: number): boolean {
    return this.#named[id] === 1;
  }

  close(postings: Postings): void {
    for (const id of this.#touched) {
      const impact = Math.round((this.#impacts[id] as number) * impactUnit);
      postings.push(id, Math.min(255, Math.max(1, impact)), this.#masks[id] as number);
      this.#impacts[id] = 0;
      this.#masks[id] = 0;
    }
    this.#touched.length = 0;
  }

  #grow(least: number): void {
    const size = Math.max(least, this.#counts.length * 2);
    this.#impacts = copied(this.#impacts, new Float64Array(size));
    this.#masks = copied(this.#masks, new Uint8Array(size));
    this.#counts = copied(this.#counts, new Uint8Array(size));
    this.#named = copied(this.#named, new Uint8Array(size));
  }
}

/** Postings in the order in which they come; each is a term, an impact and a mask. */
class Postings {
  length = 0;
  #terms = new Uint32Array(1 << 14);
  #rest = new Uint16Array(1 << 14);

  push(term: number, impact: number, mask: number): void {
    if (this.length === this.#terms.length) {
      this.#terms = copied(this.#terms, new Uint32Array(this.length * 2));
      this.#rest = copied(this.#rest, new Uint16Array(this.length * 2));
    }
    this.#terms[this.length] = term;
    this.#rest[this.length] = (impact << 8) | mask;
    this.length += 1;
  }

  /** Counted first, then each put where its term has room. */
  byTerm(
    tools: number[],
    ends: number[],
    newTerm: Uint32Array,
  ): Pick<IndexData, 'starts' | 'tools' | 'impacts' | 'masks'> {
    const starts = new Uint32Array(newTerm.length + 1);
    for (let place = 0; place < this.length; place++) {
      const at = (newTerm[this.#terms[place] as number] as number) + 1;
      starts[at] = (starts[at] as number) + 1;
    }
    for (let term = 0; term < newTerm.length; term++)
      starts[term + 1] = (starts[term + 1] as number) + (starts[term] as number);
    const next = starts.slice();
    const found = tools.length > 0xffff ? new Uint32Array(this.length) : new Uint16Array(this.length);
    const [impacts, masks] = [new Uint8Array(this.length), new Uint8Array(this.length)];
    tools.forEach((tool, newTool) => {
      for (let place = tool === 0 ? 0 : (ends[tool - 1] as number); place < (ends[tool] as number); place++) {
        const term = newTerm[this.#terms[place] as number] as number;
        const to = next[term] as number;
        next[term] = to + 1;
        found[to] = newTool;
        impacts[to] = (this.#rest[place] as number) >> 8;
        masks[to] = (this.#rest[place] as number) & 255;
      }
    });
    return { starts, tools: found, impacts, masks };
  }
}

function copied<A extends Uint32Array | Uint16Array | Uint8Array | Float64Array>(from: A, to: A): A {
  to.set(from);
  return to;
}

function termLists(lists: number[][], newTerm: Uint32Array): TermLists {
  const starts = new Uint32Array(lists.length + 1);
  lists.forEach((list, place) => {
    starts[place + 1] = (starts[place] as number) + list.length;
  });
  const total = starts[lists.length] as number;
  const terms = newTerm.length > 0xffff ? new Uint32Array(total) : new Uint16Array(total);
  let at = 0;
  for (const list of lists) for (const id of list) terms[at++] = newTerm[id] as number;
  return { starts, terms };
}

function unique(ids: number[]): number[] {
  return ids.filter((id, place) => ids.indexOf(id) === place);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
