import { nearest } from '@executor/protocol';
import type { JsonSchema, Tool } from '../ports/source.ts';
import { isObject, isSchema, SchemaDocument } from '../validation/schema-document.ts';

/** The input fields of a tool, as far as its schema says. */
interface SchemaFields {
  /** Whether an input may have the field, also because the schema names no fields or accepts others. */
  mayHave(field: string): boolean;
  /** The field that was probably meant. */
  nearest(field: string): string | undefined;
}

/** Past this many schemas, every field is considered possible. */
const maxSchemas = 5_000;

export function schemaFields({ inputSchema, definitions }: Pick<Tool, 'inputSchema' | 'definitions'>) {
  if (!isSchema(inputSchema)) return anyFields;
  return new Reader(new SchemaDocument(inputSchema, definitions)).fields([inputSchema]);
}

const anyFields: SchemaFields = { mayHave: () => true, nearest: () => undefined };

/** The properties that a schema names, and whether it accepts others. */
interface Properties {
  named: Map<string, JsonSchema[]>;
  isOpen: boolean;
}

class Reader {
  readonly #document: SchemaDocument;
  #left = maxSchemas;

  constructor(document: SchemaDocument) {
    this.#document = document;
  }

  /** The fields of a value that fits one of these schemas. A dot leads into an object or is part of a key. */
  fields(schemas: JsonSchema[]): SchemaFields {
    const { named, isOpen } = union(schemas.map((schema) => this.#properties(schema, new Set())));
    const below = (field: string) =>
      dots(field)
        .map((dot) => ({ key: field.slice(0, dot), suffix: field.slice(dot + 1) }))
        .flatMap(({ key, suffix }) =>
          named.has(key) ? [{ key, suffix, fields: this.fields(named.get(key) ?? []) }] : [],
        );
    const mayHave = (field: string): boolean =>
      isOpen || named.has(field) || below(field).some(({ suffix, fields }) => fields.mayHave(suffix));
    return {
      mayHave,
      nearest: (field) => {
        const names = [...named.keys()];
        const [first = '', ...others] = field.split('.');
        const renamed = nearest(first, names);
        const sameRest = renamed && [renamed, ...others].join('.');
        return (
          nearest(field, names) ??
          (sameRest && mayHave(sameRest) ? sameRest : undefined) ??
          below(field)
            .map(({ key, suffix, fields }) => [key, fields.nearest(suffix)])
            .find(([, found]) => found !== undefined)
            ?.join('.')
        );
      },
    };
  }

  /** All parts of a schema must hold, so one part that excludes other properties excludes them all. */
  #properties(schema: unknown, seen: Set<unknown>): Properties {
    this.#left -= 1;
    if (!isObject(schema) || this.#left < 0) return { named: new Map(), isOpen: schema !== false };
    if (seen.has(schema)) return { named: new Map(), isOpen: true };
    const inside = new Set(seen).add(schema);
    const parts = [ownProperties(schema)];
    if (typeof schema.$ref === 'string')
      parts.push(this.#properties(this.#document.resolve(schema.$ref) ?? true, inside));
    for (const part of listOf(schema.allOf)) parts.push(this.#properties(part, inside));
    for (const choices of [listOf(schema.anyOf), listOf(schema.oneOf)])
      if (choices.length > 0) parts.push(union(choices.map((choice) => this.#properties(choice, inside))));
    return { named: merged(parts), isOpen: parts.every((part) => part.isOpen) };
  }
}

function ownProperties(schema: Record<string, unknown>): Properties {
  const { properties, type } = schema;
  const named = new Map<string, JsonSchema[]>();
  for (const [name, property] of Object.entries(isObject(properties) ? properties : {}))
    named.set(name, [isSchema(property) ? property : true]);
  const isObjectPossible = type === undefined || listOf(type).concat(type).includes('object');
  return { named, isOpen: isObjectPossible && acceptsOthers(schema, named.size > 0) };
}

/** A schema that names properties and says nothing of others accepts them, but a condition on one of those is probably a typo. */
function acceptsOthers(schema: Record<string, unknown>, namesSome: boolean): boolean {
  const { additionalProperties, unevaluatedProperties, patternProperties } = schema;
  if (isObject(patternProperties)) return true;
  const others = additionalProperties ?? unevaluatedProperties;
  return others === undefined ? !namesSome : others !== false;
}

function union(choices: Properties[]): Properties {
  return { named: merged(choices), isOpen: choices.some(({ isOpen }) => isOpen) };
}

function merged(parts: Properties[]): Properties['named'] {
  const named: Properties['named'] = new Map();
  for (const part of parts)
    for (const [name, schemas] of part.named) named.set(name, [...(named.get(name) ?? []), ...schemas]);
  return named;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function dots(field: string): number[] {
  return [...field.matchAll(/\./g)].map(({ index }) => index);
}
