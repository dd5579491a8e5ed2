import type { Definitions, JsonSchema } from '../../ports/source.ts';

/** What the schemas of a tool call things, and how they explain them. */
export interface SchemaWords {
  names: string[];
  about: string[];
}

const mostNames = 60;
const mostAbout = 80;
const mostEnumValues = 24;
const deepest = 2;

/** Reads the words of schemas. What they share is read once, because thousands of tools may refer to it. */
export class SchemaReader {
  readonly #definitions: Definitions | undefined;
  readonly #inputs = new Map<string, SchemaWords>();
  readonly #results = new Map<string, string[]>();

  constructor(definitions: Definitions | undefined) {
    this.#definitions = definitions;
  }

  /** Names and explanations of what is taken, a few levels deep. */
  input(schema: JsonSchema): SchemaWords {
    const words: SchemaWords = { names: [], about: [] };
    this.#readInput(schema, 0, words);
    return words;
  }

  /** The names of what is answered, two levels deep, where lists are none. */
  result(schema: JsonSchema | undefined): string[] {
    const names: string[] = [];
    if (schema !== undefined) this.#readResult(schema, 0, names);
    return names;
  }

  #readInput(given: unknown, depth: number, words: SchemaWords): void {
    if (!isObject(given) || depth > deepest) return;
    const name = definitionIn(given);
    if (name !== undefined) {
      this.#addDefinition(name, depth, words);
      return;
    }
    const { properties } = given;
    if (isObject(properties)) {
      for (const key in properties) {
        if (words.names.length >= mostNames) return;
        words.names.push(key);
        this.#readProperty(properties[key], depth, words);
      }
    }
    for (const choice of choicesIn(given)) this.#readInput(choice, depth + 1, words);
  }

  #readProperty(value: unknown, depth: number, words: SchemaWords): void {
    if (!isObject(value)) return;
    const { description, enum: values, items } = value;
    if (typeof description === 'string') words.about.push(description.slice(0, mostAbout));
    if (Array.isArray(values)) words.about.push(values.slice(0, mostEnumValues).filter(isText).join(' '));
    this.#readInput(value, depth + 1, words);
    if (items !== undefined && depth < deepest) this.#readProperty(items, depth + 1, words);
  }

  #addDefinition(name: string, depth: number, words: SchemaWords): void {
    let known = this.#inputs.get(name);
    if (known === undefined) {
      known = { names: [], about: [] };
      // It may refer to itself.
      this.#inputs.set(name, known);
      this.#readInput(this.#definitions?.get(name), deepest - 1, known);
    }
    if (depth > deepest) return;
    words.names.push(...known.names.slice(0, Math.max(0, mostNames - words.names.length)));
    words.about.push(...known.about.slice(0, mostNames));
  }

  #readResult(given: unknown, depth: number, names: string[]): void {
    if (!isObject(given) || depth > deepest) return;
    const name = definitionIn(given);
    if (name !== undefined) {
      const known = this.#resultOf(name);
      for (let place = 0; place < known.length && names.length < mostNames; place++)
        names.push(known[place] as string);
      return;
    }
    const { properties, items } = given;
    if (items !== undefined) {
      this.#readResult(items, depth, names);
      return;
    }
    if (isObject(properties)) {
      for (const key in properties) {
        if (names.length >= mostNames) return;
        names.push(key);
        const value = properties[key];
        if (isObject(value) && value.items !== undefined) this.#readResult(value, depth + 1, names);
      }
    }
    for (const choice of choicesIn(given)) this.#readResult(choice, depth + 1, names);
  }

  #resultOf(name: string): string[] {
    const known = this.#results.get(name);
    if (known) return known;
    const names: string[] = [];
    this.#results.set(name, names);
    this.#readResult(this.#definitions?.get(name), deepest - 1, names);
    return names;
  }
}

const prefix = '#/$defs/';

function definitionIn({ $ref: reference }: Record<string, unknown>): string | undefined {
  return typeof reference === 'string' && reference.startsWith(prefix)
    ? reference.slice(prefix.length)
    : undefined;
}

const none: unknown[] = [];

function choicesIn({ allOf, anyOf, oneOf }: Record<string, unknown>): unknown[] {
  const choices = Array.isArray(allOf)
    ? allOf
    : Array.isArray(anyOf)
      ? anyOf
      : Array.isArray(oneOf)
        ? oneOf
        : none;
  return choices.length > 4 ? choices.slice(0, 4) : choices;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
