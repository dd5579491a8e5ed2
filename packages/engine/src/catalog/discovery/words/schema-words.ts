import type { Definitions, JsonSchema } from '../../../ports/source.ts';
import { partsOf } from '../text/terms.ts';

/** The names of properties in the schemas of a tool, and their descriptions. */
export interface SchemaWords {
  names: string[];
  about: string[];
}

const maxNames = 60;
const maxAbout = 80;
const maxEnumValues = 24;
/**
 * Depth is counted in half levels: the contents of a property are two deeper, the target of a reference, a list or a
 * choice is one deeper.
 */
const maxDepth = 4;
/** Identifying fields are searched deeper, because results are often wrapped several times. */
const maxIdentityDepth = 8;

/**
 * Reads the words of schemas. Thousands of tools may refer to the same definition, so each definition is read once per
 * depth. The cached words of a definition do not depend on the order of tools, even if definitions refer to each other.
 */
export class SchemaReader {
  readonly #definitions: Definitions | undefined;
  readonly #inputs = new Map<string, SchemaWords>();
  readonly #results = new Map<string, string[]>();
  readonly #identities = new Map<string, boolean>();
  readonly #identifying = new Map<string, boolean>();

  constructor(definitions: Definitions | undefined) {
    this.#definitions = definitions;
  }

  /** The names and descriptions of the input, a few levels deep. */
  input(schema: JsonSchema): SchemaWords {
    const words: SchemaWords = { names: [], about: [] };
    this.#readInput(schema, 0, words);
    return words;
  }

  /** The names of the result's fields, two levels deep. A list does not count as a level. */
  result(schema: JsonSchema | undefined): string[] {
    const names: string[] = [];
    if (schema !== undefined) this.#readResult(schema, 0, names);
    return names;
  }

  /** Whether the result may contain the id of a resource. An undeclared result may. */
  mayIdentify(schema: JsonSchema | undefined): boolean {
    return schema === undefined || this.result(schema).length === 0 || this.#identifies(schema, 0);
  }

  #identifies(schema: unknown, depth: number): boolean {
    if (!isObject(schema) || depth > maxIdentityDepth) return false;
    const name = definitionIn(schema);
    if (name !== undefined) return this.#definitionIdentifies(name, depth);
    const { properties, items } = schema;
    if (isObject(properties)) {
      if (Object.keys(properties).some((key) => this.#isIdentifying(key))) return true;
      if (Object.values(properties).some((value) => this.#identifies(value, depth + 2))) return true;
    }
    return (
      this.#identifies(items, depth + 1) ||
      choicesIn(schema).some((choice) => this.#identifies(choice, depth + 1))
    );
  }

  #definitionIdentifies(name: string, depth: number): boolean {
    const key = `${depth} ${name}`;
    let known = this.#identities.get(key);
    if (known === undefined) {
      known = this.#identifies(this.#definitions?.get(name), depth + 1);
      this.#identities.set(key, known);
    }
    return known;
  }

  #isIdentifying(name: string): boolean {
    let known = this.#identifying.get(name);
    if (known === undefined) {
      known = isIdentifying(name);
      this.#identifying.set(name, known);
    }
    return known;
  }

  #readInput(schema: unknown, depth: number, words: SchemaWords): void {
    if (!isObject(schema) || depth > maxDepth) return;
    const name = definitionIn(schema);
    if (name !== undefined) {
      const known = this.#inputOf(name, depth);
      words.names.push(...known.names.slice(0, Math.max(0, maxNames - words.names.length)));
      words.about.push(...known.about.slice(0, Math.max(0, maxNames - words.about.length)));
      return;
    }
    const { properties } = schema;
    if (isObject(properties)) {
      for (const key in properties) {
        if (words.names.length >= maxNames) return;
        words.names.push(key);
        this.#readValue(properties[key], depth + 2, words);
      }
    }
    // A choice is not a level: a nullable parameter is a choice of two.
    for (const choice of choicesIn(schema)) this.#readValue(choice, depth + 1, words);
  }

  /** Reads the description of a value and its contents. */
  #readValue(value: unknown, depth: number, words: SchemaWords): void {
    if (!isObject(value)) return;
    const { description, enum: values, items } = value;
    if (typeof description === 'string') words.about.push(description.slice(0, maxAbout));
    if (Array.isArray(values)) words.about.push(values.slice(0, maxEnumValues).filter(isText).join(' '));
    this.#readInput(value, depth, words);
    if (items !== undefined && depth <= maxDepth) this.#readValue(items, depth + 2, words);
  }

  #inputOf(name: string, depth: number): SchemaWords {
    const key = `${depth} ${name}`;
    let known = this.#inputs.get(key);
    if (known === undefined) {
      known = { names: [], about: [] };
      this.#readValue(this.#definitions?.get(name), depth + 1, known);
      this.#inputs.set(key, known);
    }
    return known;
  }

  #readResult(schema: unknown, depth: number, names: string[]): void {
    if (!isObject(schema) || depth > maxDepth) return;
    const name = definitionIn(schema);
    if (name !== undefined) {
      const known = this.#resultOf(name, depth);
      for (let position = 0; position < known.length && names.length < maxNames; position++)
        names.push(known[position] as string);
      return;
    }
    const { properties, items } = schema;
    if (items !== undefined) {
      this.#readResult(items, depth + 1, names);
      return;
    }
    if (isObject(properties)) {
      for (const key in properties) {
        if (names.length >= maxNames) return;
        names.push(key);
        const value = properties[key];
        if (isObject(value) && value.items !== undefined) this.#readResult(value, depth + 2, names);
      }
    }
    for (const choice of choicesIn(schema)) this.#readResult(choice, depth + 2, names);
  }

  #resultOf(name: string, depth: number): string[] {
    const key = `${depth} ${name}`;
    let known = this.#results.get(key);
    if (known === undefined) {
      known = [];
      this.#readResult(this.#definitions?.get(name), depth + 1, known);
      this.#results.set(key, known);
    }
    return known;
  }
}

/** The parts of a schema that words are read from. */
export function searchedPart(schema: unknown, depth = 0): JsonSchema {
  if (!isObject(schema) || depth > maxIdentityDepth) return {};
  const { $ref, description, enum: values, items, properties } = schema;
  const choices = choicesIn(schema);
  return {
    ...($ref !== undefined && { $ref }),
    ...(description !== undefined && { description }),
    ...(values !== undefined && { enum: values }),
    ...(items !== undefined && { items: searchedPart(items, depth + 1) }),
    ...(choices.length > 0 && { anyOf: choices.map((choice) => searchedPart(choice, depth + 1)) }),
    ...(isObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [name, searchedPart(value, depth + 2)]),
      ),
    }),
  };
}

const identifyingWords = new Set(
  'id ids identifier uri uris urn number no name names slug login key code codes uuid guid sha ref symbol handle username hash'.split(
    ' ',
  ),
);

/** Whether a parameter or field with this word at its end identifies one resource among others of its kind. */
export function isIdentifyingWord(word: string): boolean {
  return identifyingWords.has(word);
}

/** Judges a name by its last word: `order_id`, `fullName`. */
function isIdentifying(name: string): boolean {
  return isIdentifyingWord(partsOf(name.slice(name.lastIndexOf('_') + 1)).at(-1) ?? '');
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
