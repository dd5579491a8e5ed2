import type { Definitions, JsonSchema, Tool } from '../../ports/source.ts';
import { isObject, SchemaReader, searchedPart } from './schema-words.ts';

/*
 * What the schemas of tools say in words. Schemas are most of what is known of a tool, and a search reads little of them, much of it the same for
 * thousands of tools: so that is taken out of them once, where they are at hand, and kept beside them with each text only once.
 */

/** By the numbers of texts. */
export interface ToolWords {
  /** The names of what it takes, and how they are explained. */
  names: number[];
  about: number[];
  /** The names of what it answers. */
  results: number[];
  /** Whether it may answer anything by which a thing can be named later. */
  mayIdentify: boolean;
  /** What a caller must give, by name and explanation. */
  required: [name: number, description: number][];
  tags?: string[];
}

export interface SourceWords {
  texts: string[];
  /** In the order of the tools. */
  tools: Iterable<ToolWords>;
}

const mostDescription = 120;
const mostRequired = 12;

/** Takes the words out of tools, one by one. */
export class WordTaker {
  readonly #definitions: WordDefinitions;
  readonly #numbers = new Map<string, number>();
  #reader: SchemaReader | undefined;
  #readFor: Definitions | undefined;

  constructor(definitions = new WordDefinitions()) {
    this.#definitions = definitions;
  }

  get texts(): string[] {
    return [...this.#numbers.keys()];
  }

  take(tool: Pick<Tool, 'inputSchema' | 'outputSchema' | 'tags' | 'definitions'>): ToolWords {
    const reader = this.#readerFor(tool.definitions ?? this.#definitions);
    const { names, about } = reader.input(tool.inputSchema);
    return {
      names: names.map(this.#numberOf),
      about: about.map(this.#numberOf),
      results: reader.result(tool.outputSchema).map(this.#numberOf),
      mayIdentify: reader.mayIdentify(tool.outputSchema),
      required: requiredOf(tool.inputSchema).map(({ name, description }) => [
        this.#numberOf(name),
        this.#numberOf(description),
      ]),
      ...(tool.tags && { tags: tool.tags }),
    };
  }

  #readerFor(definitions: Definitions): SchemaReader {
    if (this.#reader === undefined || this.#readFor !== definitions) {
      this.#reader = new SchemaReader(definitions);
      this.#readFor = definitions;
    }
    return this.#reader;
  }

  readonly #numberOf = (text: string): number => {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#numbers.size);
    return this.#numbers.size - 1;
  };
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

/** The words of tools that were packed before words were kept, or never were. */
export function wordsOf(tools: Iterable<Tool>): SourceWords {
  const taker = new WordTaker();
  const words = Array.from(tools, (tool) => taker.take(tool));
  return { texts: taker.texts, tools: words };
}

/** What must be given, a few at most. */
export function requiredOf(inputSchema: JsonSchema): { name: string; description: string }[] {
  if (!isObject(inputSchema) || !Array.isArray(inputSchema.required)) return [];
  const { properties } = inputSchema;
  return inputSchema.required
    .filter((name) => typeof name === 'string')
    .slice(0, mostRequired)
    .map((name) => ({
      name,
      description: descriptionOf(isObject(properties) ? properties[name] : undefined),
    }));
}

function descriptionOf(value: unknown): string {
  if (!isObject(value)) return '';
  const { description, items } = value;
  if (typeof description === 'string') return description.slice(0, mostDescription);
  return items === undefined ? '' : descriptionOf(items);
}
