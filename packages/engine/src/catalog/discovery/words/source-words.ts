import type { Definitions, JsonSchema, Tool } from '../../../ports/source.ts';
import { NumberPacker, NumberReader } from '../../packed-numbers.ts';
import { RunTable } from '../text/run-table.ts';
import { requiredOf } from './required-parameters.ts';
import { SchemaReader, searchedPart } from './schema-words.ts';
import { routeBefore, routeOf, textFields } from './text-fields.ts';
import { kindNumber } from './tool-kind.ts';

/*
 * What tools are searched by: their words, taken out of them once, where they are at hand, and kept beside them, because an index is made of them at every
 * start. A word is kept as it is written (what it is found by is the business of the index), each once, and stands everywhere else as a number; so
 * does a text that many tools have, like the explanation of a parameter.
 *
 * Of each tool there are these numbers: what kind of tool it is (`tool-kind.ts`); the words of its fields in their order (`fields.ts`), each
 * as a list, of runs or, of its parameters, their explanations and its results, of texts; and how many parameters it must be given, each by the text of its name, the text of its explanation, and one more than the length of the route before it (0 where it is not in the route).
 */

export interface SourceWords {
  /** Of each tool, in the order of their numbers. */
  paths: string[];
  routes: string[];
  /** All words, as they are written. */
  runs: string[];
  /** The runs of each text, as a list. */
  texts: NumberReader;
  tools: NumberReader;
}

/** What is kept of them. Paths are without their namespace, because a source may be renamed. */
export type TakenWords = Omit<SourceWords, 'texts' | 'tools'> & Record<'texts' | 'tools', Uint8Array[]>;

/** What all paths of a source begin with; a tool may be called by that alone. */
export function namespaceOf(path: string): string {
  return path.split('.', 1)[0] as string;
}

export function takeWords(tools: Iterable<Tool>): TakenWords {
  const taker = new WordTaker();
  for (const tool of tools) taker.take(tool);
  return taker.finish();
}

/** What an index is made of; `namespace` is what all paths begin with. */
export function openedWords(
  { paths, routes, runs, texts, tools }: TakenWords,
  namespace: string,
): SourceWords {
  return {
    paths: paths.map((path) => `${namespace}${path}`),
    routes,
    runs,
    texts: new NumberReader(texts),
    tools: new NumberReader(tools),
  };
}

/** Takes the words out of tools, one by one. */
export class WordTaker {
  readonly #definitions: WordDefinitions;
  readonly #runs = new RunTable();
  readonly #paths: string[] = [];
  readonly #routes: string[] = [];
  readonly #texts = new NumberPacker();
  readonly #textNumbers = new Map<string, number>();
  readonly #tools = new NumberPacker();
  readonly #found: number[] = [];
  #reader: SchemaReader | undefined;
  #readFor: Definitions | undefined;

  constructor(definitions = new WordDefinitions()) {
    this.#definitions = definitions;
  }

  take(tool: Tool): void {
    const { path, inputSchema, outputSchema } = tool;
    const reader = this.#readerFor(tool.definitions ?? this.#definitions);
    const { names, about } = reader.input(inputSchema);
    const route = routeOf(tool);
    this.#tools.push(kindNumber(tool, reader.mayIdentify(outputSchema)));
    const { name, group, summary, text } = textFields(tool);
    for (const own of [name, group, summary, text]) this.#takeRuns(own, this.#tools);
    this.#takeTexts(names);
    this.#takeTexts(about);
    this.#takeRuns(route, this.#tools);
    this.#takeTexts(reader.result(outputSchema));
    const required = requiredOf(inputSchema);
    this.#tools.push(required.length);
    for (const { name: parameter, description } of required) {
      this.#tools.push(this.#textOf(parameter));
      this.#tools.push(this.#textOf(description));
      this.#tools.push((routeBefore(parameter, tool)?.length ?? -1) + 1);
    }
    this.#paths.push(path.slice(namespaceOf(path).length));
    this.#routes.push(route);
  }

  finish(): TakenWords {
    return {
      paths: this.#paths,
      routes: this.#routes,
      runs: this.#runs.runs,
      texts: this.#texts.finish(),
      tools: this.#tools.finish(),
    };
  }

  #takeRuns(text: string, into: NumberPacker): void {
    into.pushList(this.#found, text === '' ? 0 : this.#runs.numbersIn(text, this.#found));
  }

  #takeTexts(texts: readonly string[]): void {
    this.#tools.pushList(texts.map((text) => this.#textOf(text)));
  }

  #textOf(text: string): number {
    const known = this.#textNumbers.get(text);
    if (known !== undefined) return known;
    const number = this.#textNumbers.size;
    this.#textNumbers.set(text, number);
    this.#takeRuns(text, this.#texts);
    return number;
  }

  #readerFor(definitions: Definitions): SchemaReader {
    if (this.#reader === undefined || this.#readFor !== definitions) {
      this.#reader = new SchemaReader(definitions);
      this.#readFor = definitions;
    }
    return this.#reader;
  }
}

/** Of definitions, only what words are taken from: all of them would fill the memory. */
export class WordDefinitions implements Definitions {
  readonly tracksEvaluated = false;
  readonly #parts = new Map<string, JsonSchema>();

  add(name: string, schema: JsonSchema): void {
    this.#parts.set(name, searchedPart(schema));
  }

  get(name: string): JsonSchema | undefined {
    return this.#parts.get(name);
  }
}
