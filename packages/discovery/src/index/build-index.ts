import type { ToolText } from '@executor/engine';
import type { WordVectors } from '../meaning/word-vectors.ts';
import { termsOf } from '../text/terms.ts';
import { eachToken } from '../text/tokens.ts';
import { type FieldName, fieldBit, fieldWeights } from './fields.ts';
import { Postings } from './postings.ts';
import { spokenText, titlesOf } from './titles.ts';
import { flagsOf } from './tool-flags.ts';
import type { TermLists, ToolIndex } from './tool-index.ts';

/** Builds the index of a source. */
export function buildIndex(
  texts: readonly ToolText[],
  vectors: WordVectors | undefined,
  hasModel: boolean,
): ToolIndex {
  const builder = new IndexBuilder(vectors, texts.length, hasModel);
  const tools = texts.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  for (const tool of tools) builder.add(tool);
  return builder.finish(tools.map(({ path }) => path));
}

const maxTitleTerms = 16;
/** A word that a field repeats more often counts this many times. */
const maxRepeats = 3;

class IndexBuilder {
  readonly #vectors: WordVectors | undefined;
  readonly #toolVectors: Int8Array | undefined;
  readonly #terms = new Map<string, number>();
  readonly #written: string[] = [];
  /** The terms of texts, which many tools share. */
  readonly #texts = new Map<string, readonly number[]>();
  readonly #tokens = new Map<string, readonly number[]>();
  readonly #postings = new Postings();
  readonly #names: number[][] = [];
  readonly #summaries: number[][] = [];
  readonly #flags: number[] = [];
  readonly #spoken: string[] | undefined;
  readonly #impacts = new Map<number, { impact: number; mask: number }>();

  constructor(vectors: WordVectors | undefined, size: number, hasModel: boolean) {
    this.#vectors = vectors;
    this.#spoken = hasModel ? [] : undefined;
    this.#toolVectors = vectors && new Int8Array(size * vectors.dimensions);
  }

  add(tool: ToolText): void {
    const titles = titlesOf(tool);
    const name = this.#count('name', titles.name);
    const group = this.#count('group', titles.group);
    const summary = this.#count('summary', titles.summary);
    this.#count('text', titles.text);
    this.#countAll('parameter', tool.parameters);
    this.#countAll('about parameters', tool.aboutParameters);
    this.#count('route', titles.route);
    this.#countAll('result', tool.results);
    this.#postings.addTool(this.#impacts);
    this.#impacts.clear();
    this.#toolVectors?.set(
      (this.#vectors as WordVectors).bytesOf(titles.meaning),
      this.#flags.length * (this.#vectors as WordVectors).dimensions,
    );
    this.#names.push([...new Set([...name, ...group])].slice(0, maxTitleTerms));
    this.#summaries.push([...new Set(summary)].slice(0, maxTitleTerms));
    this.#flags.push(flagsOf(tool, titles));
    this.#spoken?.push(spokenText(titles));
  }

  #countAll(field: FieldName, texts: readonly string[]): void {
    this.#weigh(
      field,
      texts.flatMap((text) => this.#termsOfText(text)),
    );
  }

  #count(field: FieldName, text: string): readonly number[] {
    const terms = this.#termsIn(text);
    this.#weigh(field, terms);
    return terms;
  }

  #weigh(field: FieldName, terms: readonly number[]): void {
    if (terms.length === 0) return;
    const { weight, usual, bias } = fieldWeights[field];
    const share = weight / (1 - bias + (bias * terms.length) / usual);
    const counts = new Map<number, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    for (const [term, count] of counts) {
      const known = this.#impacts.get(term) ?? { impact: 0, mask: 0 };
      known.impact += share * Math.min(count, maxRepeats);
      known.mask |= fieldBit(field);
      this.#impacts.set(term, known);
    }
  }

  #termsOfText(text: string): readonly number[] {
    const known = this.#texts.get(text);
    if (known) return known;
    const terms = this.#termsIn(text);
    this.#texts.set(text, terms);
    return terms;
  }

  #termsIn(text: string): number[] {
    const terms: number[] = [];
    eachToken(text, (token) => terms.push(...this.#termsOfToken(token)));
    return terms;
  }

  #termsOfToken(token: string): readonly number[] {
    const known = this.#tokens.get(token);
    if (known) return known;
    const terms = termsOf(token).map(({ term, word }) => this.#numberOf(term, word));
    this.#tokens.set(token, terms);
    return terms;
  }

  #numberOf(term: string, word: string): number {
    const known = this.#terms.get(term);
    if (known !== undefined) return known;
    const number = this.#terms.size;
    this.#terms.set(term, number);
    this.#written.push(word);
    return number;
  }

  finish(paths: string[]): ToolIndex {
    return {
      paths,
      terms: [...this.#terms.keys()],
      written: this.#written,
      ...this.#postings.byTerm(this.#terms.size),
      names: listsOf(this.#names),
      summaries: listsOf(this.#summaries),
      flags: Uint16Array.from(this.#flags),
      vectors: this.#toolVectors,
      wordVectors: this.#vectors && this.#titleWordVectors(this.#vectors),
      texts: this.#spoken,
    };
  }

  #titleWordVectors(vectors: WordVectors): Int8Array {
    const terms = [...new Set([...this.#names, ...this.#summaries].flat())];
    const bytes = new Int8Array(terms.length * vectors.dimensions);
    for (const [position, term] of terms.entries())
      bytes.set(vectors.bytesOf(this.#written[term] as string), position * vectors.dimensions);
    return bytes;
  }
}

function listsOf(lists: number[][]): TermLists {
  const starts = new Uint32Array(lists.length + 1);
  for (const [position, list] of lists.entries())
    starts[position + 1] = (starts[position] as number) + list.length;
  return { starts, terms: Uint32Array.from(lists.flat()) };
}
