import { field } from './fields.ts';
import { givenThings } from './given-things.ts';
import type { IndexData } from './index-data.ts';
import { neededThings } from './needed-things.ts';
import { Postings } from './postings.ts';
import { PresentTool } from './present-tool.ts';
import type { SearchableTool } from './searchable-tool.ts';
import { TermListsBuilder } from './term-lists.ts';
import { WordCache } from './text/word-cache.ts';
import { flagsOf } from './tool-flags.ts';

/** Makes the index of a source, tool by tool; `texts` are those that many tools have. */
export function buildIndex(tools: Iterable<SearchableTool>, texts: readonly string[]): IndexData {
  const builder = new IndexBuilder(texts);
  for (const tool of tools) builder.add(tool);
  return builder.finish();
}

const mostTitleTerms = 16;

class IndexBuilder {
  readonly #paths: string[] = [];
  readonly #words: WordCache;
  readonly #names = new TermListsBuilder();
  readonly #summaries = new TermListsBuilder();
  readonly #needs = new TermListsBuilder();
  readonly #gives = new TermListsBuilder();
  /** Of the needs, the routes of what lists them, and the tools by the routes that they read. */
  readonly #within: (string | undefined)[] = [];
  readonly #reading = new Map<string, number>();
  readonly #flags: number[] = [];
  readonly #postings = new Postings();
  readonly #present = new PresentTool();

  constructor(texts: readonly string[]) {
    this.#words = new WordCache(texts);
  }

  add(tool: SearchableTool): void {
    const words = this.#words;
    this.#paths.push(tool.path);
    const [nameRuns, summaryRuns] = [words.runsIn(tool.name), words.runsIn(tool.summary)];
    const name = this.#count(field.name, nameRuns);
    for (const id of this.#count(field.group, words.runsIn(tool.group)))
      if (!name.includes(id)) name.push(id);
    this.#names.push(name, mostTitleTerms);
    this.#summaries.push(this.#count(field.summary, summaryRuns), mostTitleTerms);
    this.#count(field.text, words.runsIn(tool.text));
    this.#countShared(field.parameter, tool.names);
    this.#countShared(field.aboutParameters, tool.about);
    this.#count(field.route, words.runsIn(tool.route));
    this.#countShared(field.result, tool.results);
    this.#noteNeeds(tool);
    if (tool.method === 'GET') this.#noteReading(tool.route);
    const named = words.wordsOf(nameRuns);
    this.#gives.push(givenThings(tool, { named, said: words.wordsOf(summaryRuns) }, words));
    this.#flags.push(flagsOf(tool, named));
    this.#present.close(this.#postings);
  }

  #noteNeeds(tool: SearchableTool): void {
    const ids: number[] = [];
    for (const { term, within } of neededThings(tool, this.#words)) {
      ids.push(this.#words.idOf(term));
      this.#within.push(within);
    }
    this.#needs.push(ids);
  }

  /** Of several with one route, the first by its path, whichever came first. */
  #noteReading(route: string): void {
    const tool = this.#paths.length - 1;
    const known = this.#reading.get(route);
    if (known === undefined || compare(this.#paths[tool] as string, this.#paths[known] as string) < 0)
      this.#reading.set(route, tool);
  }

  /** Answers the terms of the field, each once. */
  #count(which: number, runs: readonly number[]): number[] {
    this.#present.count(this.#words.termsOfRuns(runs), runs);
    return this.#present.closeField(which);
  }

  #countShared(which: number, texts: readonly number[]): void {
    this.#present.count(this.#words.termsOfTexts(texts), texts);
    this.#present.closeField(which);
  }

  /** Tools by their paths, terms by the alphabet. */
  finish(): IndexData {
    const paths = this.#paths;
    const tools = Uint32Array.from(paths.keys()).sort((a, b) =>
      compare(paths[a] as string, paths[b] as string),
    );
    // By their codes, as `compare` does, but several times as fast.
    const terms = [...this.#words.terms()].sort();
    const newTerm = new Uint32Array(terms.length);
    for (const [place, term] of terms.entries()) newTerm[this.#words.idOf(term)] = place;
    return {
      paths: Array.from(tools, (tool) => paths[tool] as string),
      terms,
      words: this.#words.wordsFor((id) => this.#present.isNamed(id)),
      ...this.#postings.byTerm(tools, newTerm),
      names: this.#names.finish(tools, newTerm),
      summaries: this.#summaries.finish(tools, newTerm),
      needs: this.#needs.finish(tools, newTerm),
      listers: this.#listers(tools),
      gives: this.#gives.finish(tools, newTerm),
      flags: Uint16Array.from(tools, (tool) => this.#flags[tool] as number),
    };
  }

  #listers(tools: Uint32Array): Uint16Array | Uint32Array {
    const newTool = new Uint32Array(tools.length);
    for (const [place, tool] of tools.entries()) newTool[tool] = place;
    const found: number[] = [];
    for (const tool of tools) {
      for (const need of this.#needs.placesOf(tool)) {
        const route = this.#within[need];
        const reading = route === undefined ? undefined : this.#reading.get(route);
        found.push(reading === undefined ? 0 : (newTool[reading] as number) + 1);
      }
    }
    return tools.length >= 0xffff ? Uint32Array.from(found) : Uint16Array.from(found);
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
