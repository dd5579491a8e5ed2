import type { Definitions, JsonSchema } from '../../ports/source.ts';
import { isObject, isSchema, SchemaDocument, type SchemaObject } from '../../validation/schema-document.ts';
import { fieldNames } from './field-layout.ts';
import { commentText, isShort } from './source-text.ts';

/*
 * JSON Schemas as a model may read them. A whole schema can have megabytes. A summary has no references, and is a valid
 * schema that accepts at least what the whole one accepts. What it leaves out is marked with `$comment`.
 */

export interface SchemaSummary {
  schema: JsonSchema;
  /** The path of the first field that is not shown whole. */
  cutField?: string;
}

interface Style {
  /** Levels of fields, items and alternatives. */
  depth: number;
  /** Maximum length of a description. */
  text: number;
  values: number;
  fields: number;
}

/** From the most detailed to the shortest. */
const styles: Style[] = [
  { depth: 40, text: 2_000, values: 1_000, fields: 1_000 },
  { depth: 8, text: 200, values: 100, fields: 200 },
  { depth: 5, text: 100, values: 24, fields: 100 },
  { depth: 3, text: 80, values: 12, fields: 60 },
  { depth: 2, text: 60, values: 8, fields: 60 },
  { depth: 2, text: 0, values: 8, fields: 60 },
  { depth: 1, text: 40, values: 4, fields: 40 },
  { depth: 1, text: 0, values: 0, fields: 40 },
  { depth: 1, text: 0, values: 0, fields: 12 },
];
const maxFactChars = 200;
const cut = { $comment: 'cut' };

/** The most detailed summary that fits. `path` is the field that the schema describes. */
export function summaryOf(
  schema: JsonSchema,
  definitions: Definitions | undefined,
  { maxChars, path = '' }: { maxChars: number; path?: string },
): SchemaSummary {
  const document = new SchemaDocument(schema, definitions);
  for (const style of styles) {
    const summary = new Summary(document, style, maxChars);
    try {
      const text = summary.write(schema, { depth: style.depth, path });
      return { schema: text, ...(summary.cutField !== undefined && { cutField: summary.cutField }) };
    } catch (error) {
      if (error !== tooLong) throw error;
    }
  }
  return { schema: cut, cutField: path };
}

/** Thrown when the text exceeds its maximum. Nobody reads its stack trace. */
const tooLong = new Error('The summary is too long.');

interface Position {
  /** Levels that may still be written. */
  depth: number;
  path: string;
}

class Summary {
  cutField: string | undefined;
  readonly #document: SchemaDocument;
  readonly #style: Style;
  #left: number;

  constructor(document: SchemaDocument, style: Style, maxChars: number) {
    this.#document = document;
    this.#style = style;
    this.#left = maxChars;
  }

  write(schema: JsonSchema, { depth, path }: Position): JsonSchema {
    const found = this.#expand(schema);
    if (!isObject(found)) return found;
    const facts = this.#facts(found, path);
    const inner = (name = '') => {
      return { depth: depth - 1, path: name === '' ? path : path === '' ? name : `${path}.${name}` };
    };
    this.#spend(facts);
    if (!nestedKeywords.some((keyword) => isNested(found[keyword]))) return facts;
    if (depth <= 0) return this.#cut(facts, path);
    const written: SchemaObject = { ...facts };
    // The fields of a list's items are as interesting as those of an object.
    if (isNested(found.items)) written.items = this.write(found.items as JsonSchema, { depth, path });
    if (isNested(found.additionalProperties))
      written.additionalProperties = this.write(found.additionalProperties as JsonSchema, inner());
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      const members = found[keyword];
      if (Array.isArray(members) && members.length > 0 && members.every(isSchema))
        // Summaries of several members may accept a value that only one whole member accepts.
        written[keyword === 'oneOf' ? 'anyOf' : keyword] = this.#members(members, inner());
    }
    if (!isObject(found.properties)) return written;
    const required = new Set(Array.isArray(found.required) ? found.required : []);
    const keys = Object.keys(found.properties);
    const shown = [...keys.filter((key) => required.has(key)), ...keys.filter((key) => !required.has(key))]
      .filter((key) => key.length <= 100)
      .slice(0, this.#style.fields);
    written.properties = Object.fromEntries(
      shown.map((key) => {
        this.#spend(key);
        return [key, this.write((found.properties as Record<string, JsonSchema>)[key] ?? true, inner(key))];
      }),
    );
    const needed = shown.filter((key) => required.has(key));
    if (needed.length > 0) written.required = needed;
    this.#spend(needed);
    if (shown.length === keys.length) return written;
    // Fields that are not listed are allowed all the same.
    const { additionalProperties: _, ...open } = written;
    const hidden = keys.filter((key) => !shown.includes(key));
    this.#note(inner(hidden[0]).path);
    const comment = { $comment: `cut: ${fieldNames(hidden.map((key) => ({ key })))}` };
    this.#spend(comment);
    return { ...open, ...comment };
  }

  #members(members: JsonSchema[], position: Position): JsonSchema[] {
    const shown = members.slice(0, Math.max(4, this.#style.values));
    const written = shown.map((member) => this.write(member, position));
    if (shown.length === members.length) return written;
    this.#note(position.path);
    return [...written, { $comment: `cut: ${members.length - shown.length} more` }];
  }

  #cut(facts: SchemaObject, path: string): JsonSchema {
    this.#note(path);
    this.#spend(cut);
    return { ...facts, ...cut };
  }

  /** The target of a reference, with the keywords beside the reference. */
  #expand(schema: JsonSchema): JsonSchema {
    let found: JsonSchema = schema;
    for (let hops = 0; isObject(found) && typeof found.$ref === 'string'; hops++) {
      const { $ref, ...beside }: SchemaObject = found;
      const target = hops < 20 ? this.#document.resolve($ref as string) : undefined;
      found = isObject(target) ? { ...target, ...beside } : beside;
    }
    return found;
  }

  /** The keywords that describe a value without its parts. */
  #facts(schema: SchemaObject, path: string): SchemaObject {
    const facts: SchemaObject = {};
    for (const keyword of Object.keys(schema).filter(isFact)) {
      const value = schema[keyword];
      // A reference would lead nowhere.
      const isPlain = isShort(value, maxFactChars) && !JSON.stringify(value).includes('"$ref"');
      if (isPlain && keyword.length <= maxFactChars) facts[keyword] = value;
      else {
        this.#note(path);
        Object.assign(facts, cut);
      }
    }
    const description = commentText(schema.description, this.#style.text);
    if (description !== undefined) facts.description = description;
    if (schema.additionalProperties === false) facts.additionalProperties = false;
    const values = schema.enum;
    if (!Array.isArray(values)) return facts;
    if (values.length <= this.#style.values && isShort(values, this.#left)) return { ...facts, enum: values };
    this.#note(path);
    const shown = values.slice(0, this.#style.values).filter((value) => isShort(value, 40));
    const examples = shown.length > 0 && { examples: shown };
    return { ...facts, ...examples, $comment: `cut: ${values.length} values` };
  }

  /** The first field below the schema itself is the most useful example. */
  #note(path: string): void {
    if (!this.cutField) this.cutField = path;
  }

  #spend(text: unknown): void {
    this.#left -= JSON.stringify(text).length + 4;
    if (this.#left < 0) throw tooLong;
  }
}

const nestedKeywords = ['properties', 'items', 'additionalProperties', 'allOf', 'anyOf', 'oneOf'];
/** Keywords that are written elsewhere, or that say nothing about the value. */
const otherKeywords = ['description', 'enum', 'required', 'title', 'example', 'examples', ...nestedKeywords];

function isFact(keyword: string): boolean {
  return !otherKeywords.includes(keyword) && !/^(\$|x-)/.test(keyword);
}

function isNested(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0;
}

/** The schema of a field, such as `labels` or `output.title`, through lists and alternatives; otherwise the names that are known there. */
export function fieldOf(
  schema: JsonSchema,
  definitions: Definitions | undefined,
  path: string,
): { schema: JsonSchema } | { known: string[] } {
  const document = new SchemaDocument(schema, definitions);
  const direct = childOf(document, schema, path);
  if ('schema' in direct) return direct;
  let found = schema;
  for (const name of path.split('.')) {
    const child = childOf(document, found, name);
    if ('known' in child) return child;
    found = child.schema;
  }
  return { schema: found };
}

const maxParts = 1_000;

function childOf(
  document: SchemaDocument,
  schema: JsonSchema,
  name: string,
): { schema: JsonSchema } | { known: string[] } {
  const known = new Set<string>();
  const parts = new Set<unknown>([schema]);
  for (const part of parts) {
    if (!isObject(part) || parts.size > maxParts) continue;
    if (isObject(part.properties)) {
      const child = Object.hasOwn(part.properties, name) ? part.properties[name] : undefined;
      if (isSchema(child)) return { schema: child };
      for (const key of Object.keys(part.properties)) known.add(key);
    }
    if (typeof part.$ref === 'string') parts.add(document.resolve(part.$ref));
    for (const keyword of ['items', 'additionalProperties']) parts.add(part[keyword]);
    for (const keyword of ['allOf', 'anyOf', 'oneOf'])
      for (const member of Array.isArray(part[keyword]) ? part[keyword] : []) parts.add(member);
  }
  return { known: [...known] };
}
