import type { IndexData } from '../../../ports/indexer.ts';
import type { PackedTools } from '../../../ports/source.ts';
import type { NumberRange } from '../../packed-numbers.ts';
import { wordsIn } from '../../tool-pack.ts';
import { WordCache } from '../text/word-cache.ts';
import type { SourceWords } from '../words/source-words.ts';
import { type ToolKind, toolKind } from '../words/tool-kind.ts';
import { field } from './fields.ts';
import { NeedsBuilder } from './needs-builder.ts';
import { Postings } from './postings.ts';
import { returnedResources } from './returned-resources.ts';
import { SourceTerms } from './source-terms.ts';
import { TermAccumulator } from './term-accumulator.ts';
import { TermListsBuilder } from './term-lists.ts';
import { flagsOf } from './tool-flags.ts';

/** Builds the index of packed tools. Building takes CPU time: half a second for 25,000 tools. */
export async function indexTools(packed: PackedTools): Promise<IndexData> {
  return buildIndex(await wordsIn(packed));
}

/*
 * The index of a source: for each term the tools that have it, with an impact (a weighted count) and a mask of the
 * fields that it is in. Besides that, for each tool the terms of its name and summary, its flags (`tool-flags.ts`), the
 * resources whose ids it needs (`needed-resources.ts`) and the resources that it returns (`returned-resources.ts`).
 * Numbers stand for tools and terms everywhere, so that an index is a few typed arrays.
 */

/** Builds the index of a source, tool by tool. */
export function buildIndex(words: SourceWords): IndexData {
  const builder = new IndexBuilder(words);
  for (const [tool, route] of words.routes.entries()) builder.add(tool, route);
  return builder.finish();
}

const maxTitleTerms = 16;

class IndexBuilder {
  readonly #words: SourceWords;
  readonly #terms: SourceTerms;
  readonly #cache = new WordCache();
  readonly #names = new TermListsBuilder();
  readonly #summaries = new TermListsBuilder();
  readonly #returned = new TermListsBuilder();
  readonly #needs: NeedsBuilder;
  readonly #flags: number[] = [];
  readonly #postings: Postings;
  readonly #accumulator: TermAccumulator;

  constructor(words: SourceWords) {
    this.#words = words;
    this.#terms = new SourceTerms(words);
    this.#postings = new Postings(this.#terms.count);
    this.#accumulator = new TermAccumulator(this.#terms.count);
    this.#needs = new NeedsBuilder(words, this.#terms, this.#cache);
  }

  /** Reads the numbers of a tool in the order of `source-words.ts`. */
  add(tool: number, route: string): void {
    const { tools } = this.#words;
    const kind = toolKind(tools.next());
    const title = { name: tools.list(), group: tools.list(), summary: tools.list() };
    this.#addTitle(title);
    this.#countTokens(field.text, tools.list());
    this.#countTexts(field.parameter, tools.list());
    this.#countTexts(field.aboutParameters, tools.list());
    this.#countTokens(field.route, tools.list());
    this.#countTexts(field.result, tools.list());
    this.#accumulator.close(this.#postings);
    this.#needs.add(tool, route, kind.method);
    this.#addFlagsAndResources(kind, route, title);
  }

  #addTitle({ name, group, summary }: Title): void {
    const terms = [...this.#titleTerms(field.name, name)];
    for (const term of this.#titleTerms(field.group, group)) if (!terms.includes(term)) terms.push(term);
    this.#names.push(terms, maxTitleTerms);
    this.#summaries.push(this.#titleTerms(field.summary, summary), maxTitleTerms);
  }

  #addFlagsAndResources(kind: ToolKind, route: string, title: Title): void {
    const { numbers } = this.#words.tools;
    const name = this.#terms.wordsOf(numbers, title.name);
    const group = this.#terms.wordsOf(numbers, title.group);
    const summary = this.#terms.wordsOf(numbers, title.summary);
    this.#flags.push(flagsOf(kind, route, { name, group, summary }));
    // A tool whose declared result has no identifying field returns no resource.
    const returned = kind.mayIdentify ? returnedResources({ route, name, summary }, this.#cache) : [];
    this.#returned.push(returned.map((term) => this.#terms.numberOf(term)));
  }

  #titleTerms(which: number, tokens: NumberRange): Uint32Array {
    this.#accumulator.count(this.#terms.ofTokens, this.#words.tools.numbers, tokens);
    const terms = this.#accumulator.fieldTerms();
    this.#accumulator.closeField(which);
    return terms;
  }

  #countTokens(which: number, tokens: NumberRange): void {
    this.#accumulator.count(this.#terms.ofTokens, this.#words.tools.numbers, tokens);
    this.#accumulator.closeField(which);
  }

  #countTexts(which: number, texts: NumberRange): void {
    this.#accumulator.count(this.#terms.ofTexts, this.#words.tools.numbers, texts);
    this.#accumulator.closeField(which);
  }

  /** The index with tools sorted by path and terms sorted alphabetically. */
  finish(): IndexData {
    const { paths } = this.#words;
    const tools = inOrder(paths);
    const terms = this.#terms.terms().sort();
    const newTerm = new Uint32Array(terms.length);
    for (const [number, term] of terms.entries()) newTerm[this.#terms.numberOf(term)] = number;
    return {
      paths: Array.from(tools, (tool) => paths[tool] as string),
      terms,
      words: this.#terms.wordsFor((term) => this.#accumulator.isNamed(term)),
      ...this.#postings.byTerm(tools, newTerm),
      names: this.#names.finish(tools, newTerm),
      summaries: this.#summaries.finish(tools, newTerm),
      ...this.#needs.finish(tools, newTerm),
      returned: this.#returned.finish(tools, newTerm),
      flags: Uint16Array.from(tools, (tool) => this.#flags[tool] as number),
    };
  }
}

interface Title {
  name: NumberRange;
  group: NumberRange;
  summary: NumberRange;
}

/** The tools sorted by the character codes of their paths, which is several times as fast as any other order. */
function inOrder(paths: readonly string[]): Uint32Array {
  const numbers = new Map(paths.map((path, tool) => [path, tool]));
  if (numbers.size < paths.length) throw new RangeError('Several tools have the same path.');
  return Uint32Array.from(paths.toSorted(), (path) => numbers.get(path) as number);
}
