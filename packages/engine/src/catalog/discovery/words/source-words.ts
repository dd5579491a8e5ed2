import type { Definitions, JsonSchema, Tool } from '../../../ports/source.ts';
import { NumberPacker, NumberReader } from '../../packed-numbers.ts';
import { TokenTable } from '../text/token-table.ts';
import { requiredOf } from './required-parameters.ts';
import { SchemaReader, searchedPart } from './schema-words.ts';
import { routeBefore, routeOf, textFields } from './text-fields.ts';
import { kindNumber } from './tool-kind.ts';

/*
 * The words of tools, which their index is built from at every start. They are extracted once, when the tools are
 * packed, and stored with them. A token (a run of letters and digits) is stored once, as it is written, and has a
 * number everywhere else. The same holds for a text that many tools share, such as the description of a parameter.
 * Stemming happens later, in the index.
 *
 * The numbers of a tool, in this order:
 *  1. its kind (`tool-kind.ts`)
 *  2. for each of its fields in the order of `fields.ts` a list: of texts for parameters, their descriptions and
 *     results, of tokens for the others
 *  3. the number of required parameters, and for each the text of its name, the text of its description, and the length
 *     of the route before it plus one (0 if the parameter is not in the route)
 */

export interface SourceWords {
  /** The path of each tool, in the order of their numbers. */
  paths: string[];
  routes: string[];
  /** All tokens, as they are written. */
  tokens: string[];
  /** For each text a list of its tokens. */
  texts: NumberReader;
  tools: NumberReader;
}

/** The stored form. Paths have no namespace, because a source may be renamed. */
export type PackedWords = Omit<SourceWords, 'texts' | 'tools'> & Record<'texts' | 'tools', Uint8Array[]>;

/** The first segment of a path, which may be the whole path of a tool. */
export function namespaceOf(path: string): string {
  return path.split('.', 1)[0] as string;
}

export function packWords(tools: Iterable<Tool>): PackedWords {
  const packer = new WordPacker();
  for (const tool of tools) packer.add(tool);
  return packer.finish();
}

/** Opens packed words. `namespace` begins all paths. */
export function openWords(
  { paths, routes, tokens, texts, tools }: PackedWords,
  namespace: string,
): SourceWords {
  return {
    paths: paths.map((path) => `${namespace}${path}`),
    routes,
    tokens,
    texts: new NumberReader(texts),
    tools: new NumberReader(tools),
  };
}

/** Extracts the words of tools, one tool at a time. */
export class WordPacker {
  readonly #definitions: WordDefinitions;
  readonly #tokens = new TokenTable();
  readonly #paths: string[] = [];
  readonly #routes: string[] = [];
  readonly #texts = new NumberPacker();
  readonly #textNumbers = new Map<string, number>();
  readonly #tools = new NumberPacker();
  /** A buffer for the tokens of one text. */
  readonly #tokenBuffer: number[] = [];
  #reader: SchemaReader | undefined;
  #readerDefinitions: Definitions | undefined;

  constructor(definitions = new WordDefinitions()) {
    this.#definitions = definitions;
  }

  add(tool: Tool): void {
    const { path, inputSchema, outputSchema } = tool;
    const reader = this.#readerFor(tool.definitions ?? this.#definitions);
    const { names, about } = reader.input(inputSchema);
    const route = routeOf(tool);
    this.#tools.push(kindNumber(tool, reader.mayIdentify(outputSchema)));
    const { name, group, summary, text } = textFields(tool);
    for (const field of [name, group, summary, text]) this.#addTokens(field, this.#tools);
    this.#addTexts(names);
    this.#addTexts(about);
    this.#addTokens(route, this.#tools);
    this.#addTexts(reader.result(outputSchema));
    const required = requiredOf(inputSchema);
    this.#tools.push(required.length);
    for (const { name: parameter, description } of required) {
      this.#tools.push(this.#textNumber(parameter));
      this.#tools.push(this.#textNumber(description));
      this.#tools.push((routeBefore(parameter, tool)?.length ?? -1) + 1);
    }
    this.#paths.push(path.slice(namespaceOf(path).length));
    this.#routes.push(route);
  }

  finish(): PackedWords {
    return {
      paths: this.#paths,
      routes: this.#routes,
      tokens: this.#tokens.tokens,
      texts: this.#texts.finish(),
      tools: this.#tools.finish(),
    };
  }

  #addTokens(text: string, into: NumberPacker): void {
    into.pushList(this.#tokenBuffer, text === '' ? 0 : this.#tokens.numbersIn(text, this.#tokenBuffer));
  }

  #addTexts(texts: readonly string[]): void {
    this.#tools.pushList(texts.map((text) => this.#textNumber(text)));
  }

  #textNumber(text: string): number {
    const known = this.#textNumbers.get(text);
    if (known !== undefined) return known;
    const number = this.#textNumbers.size;
    this.#textNumbers.set(text, number);
    this.#addTokens(text, this.#texts);
    return number;
  }

  #readerFor(definitions: Definitions): SchemaReader {
    if (this.#reader === undefined || this.#readerDefinitions !== definitions) {
      this.#reader = new SchemaReader(definitions);
      this.#readerDefinitions = definitions;
    }
    return this.#reader;
  }
}

/** The parts of definitions that contain words. Whole definitions would take too much memory. */
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
