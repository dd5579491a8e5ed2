import type { Definitions, JsonSchema } from '../../../ports/source.ts';
import { partsOf } from '../text/terms.ts';

/** What the schemas of a tool call things, and how they explain them. */
export interface SchemaWords {
  names: string[];
  about: string[];
}

const maxNames = 60;
const maxAbout = 80;
const maxEnumValues = 24;
/** Half levels: what is within a property is a level deeper, what a reference, a list or a choice leads to half of one. */
const deepest = 4;
/** What identifies a thing is looked for further down: the list of what is asked for is often wrapped several times. */
const deepestIdentity = 8;

/**
 * Reads the words of schemas. What they share is read once for each depth at which it is met, because thousands of tools may refer to it: what is remembered
 * of it never depends on which of them came first, also where definitions refer to each other.
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

  /** Whether anything by which a thing can be named later is answered; also where nothing is known of what is. */
  mayIdentify(schema: JsonSchema | undefined): boolean {
    return schema === undefined || this.result(schema).length === 0 || this.#identifies(schema, 0);
  }

  #identifies(given: unknown, depth: number): boolean {
    if (!isObject(given) || depth > deepestIdentity) return false;
    const name = definitionIn(given);
    if (name !== undefined) return this.#definitionIdentifies(name, depth);
    const { properties, items } = given;
    if (isObject(properties)) {
      if (Object.keys(properties).some((key) => this.#isIdentifying(key))) return true;
      if (Object.values(properties).some((value) => this.#identifies(value, depth + 2))) return true;
    }
    return (
      this.#identifies(items, depth + 1) ||
      choicesIn(given).some((choice) => this.#identifies(choice, depth + 1))
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

  #readInput(given: unknown, depth: number, words: SchemaWords): void {
    if (!isObject(given) || depth > deepest) return;
    const name = definitionIn(given);
    if (name !== undefined) {
      const known = this.#inputOf(name, depth);
      words.names.push(...known.names.slice(0, Math.max(0, maxNames - words.names.length)));
      words.about.push(...known.about.slice(0, Math.max(0, maxNames - words.about.length)));
      return;
    }
    const { properties } = given;
    if (isObject(properties)) {
      for (const key in properties) {
        if (words.names.length >= maxNames) return;
        words.names.push(key);
        this.#readValue(properties[key], depth + 2, words);
      }
    }
    // Whichever of them it is, it is as deep: a parameter that may be nothing is one of two.
    for (const choice of choicesIn(given)) this.#readValue(choice, depth + 1, words);
  }

  /** What it is, and what is in it. */
  #readValue(value: unknown, depth: number, words: SchemaWords): void {
    if (!isObject(value)) return;
    const { description, enum: values, items } = value;
    if (typeof description === 'string') words.about.push(description.slice(0, maxAbout));
    if (Array.isArray(values)) words.about.push(values.slice(0, maxEnumValues).filter(isText).join(' '));
    this.#readInput(value, depth, words);
    if (items !== undefined && depth <= deepest) this.#readValue(items, depth + 2, words);
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

  #readResult(given: unknown, depth: number, names: string[]): void {
    if (!isObject(given) || depth > deepest) return;
    const name = definitionIn(given);
    if (name !== undefined) {
      const known = this.#resultOf(name, depth);
      for (let place = 0; place < known.length && names.length < maxNames; place++)
        names.push(known[place] as string);
      return;
    }
    const { properties, items } = given;
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
    for (const choice of choicesIn(given)) this.#readResult(choice, depth + 2, names);
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

/** A schema without what no words are taken from. */
export function searchedPart(schema: unknown, depth = 0): JsonSchema {
  if (!isObject(schema) || depth > deepestIdentity) return {};
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
