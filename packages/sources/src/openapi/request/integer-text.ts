import { randomUUID } from 'node:crypto';
import { InputValidator, isLargeInteger, type JsonSchema, linearPattern, type Tool } from '@executor/engine';

/*
 * JavaScript rounds integers beyond 2^53, so inputs and responses carry them as strings of digits. While a request is built, such a
 * string becomes a `bigint` wherever the schema expects a number: it is written as digits in text and as a number in JSON.
 */

export type InputSchema = Pick<Tool, 'inputSchema' | 'definitions'>;

/** A marker that untrusted text cannot contain, so that no other text becomes a number. */
const mark = `integer-${randomUUID()}:`;
const marked = new RegExp(`"${mark}(-?\\d+)"`, 'g');
const maxParts = 200;

/** Returns the input with its large integers as `bigint`. */
export function withIntegers(
  input: Record<string, unknown>,
  { inputSchema, definitions }: InputSchema,
): Record<string, unknown> {
  return new IntegerConverter(definitions).convert(input, [inputSchema]) as Record<string, unknown>;
}

export function jsonText(value: unknown): string {
  if (!contains(value, (one) => typeof one === 'bigint')) return JSON.stringify(value);
  const text = JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${mark}${one}` : one));
  return text.replace(marked, '$1');
}

/** Most inputs have no large integer, so this check saves their conversion. */
function contains(value: unknown, test: (scalar: unknown) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return test(value);
  return Object.values(value).some((inner) => contains(inner, test));
}

const isLarge = (value: unknown) => typeof value === 'string' && isLargeInteger(value);

class IntegerConverter {
  readonly #definitions: Tool['definitions'];
  readonly #validator = new InputValidator();

  constructor(definitions: Tool['definitions']) {
    this.#definitions = definitions;
  }

  /** `schemas` contains all schemas that apply to the value. */
  convert(value: unknown, schemas: unknown[]): unknown {
    if (!contains(value, isLarge)) return value;
    const parts = this.#parts(schemas, value);
    if (typeof value === 'string') return isNumber(parts) ? BigInt(value) : value;
    if (Array.isArray(value))
      return value.map((item, index) =>
        this.convert(
          item,
          parts.map((part) => itemSchema(part, index)),
        ),
      );
    return Object.fromEntries(
      Object.entries(value as object).map(([key, inner]) => [
        key,
        this.convert(
          inner,
          parts.flatMap((part) => propertySchemas(part, key)),
        ),
      ]),
    );
  }

  /** The schemas with everything they reference or combine; of a choice, the alternatives that the value matches. */
  #parts(schemas: unknown[], value: unknown): Record<string, unknown>[] {
    const parts = new Set<Record<string, unknown>>();
    const open = [...schemas];
    for (const schema of open) {
      if (typeof schema !== 'object' || schema === null || parts.size >= maxParts) continue;
      const part = schema as Record<string, unknown>;
      if (parts.has(part)) continue;
      parts.add(part);
      if (Array.isArray(part.allOf)) open.push(...part.allOf);
      for (const alternatives of [part.anyOf, part.oneOf])
        if (Array.isArray(alternatives)) open.push(...this.#matching(alternatives, value));
      if (typeof part.$ref === 'string') open.push(this.#definition(part.$ref));
    }
    return [...parts];
  }

  /** The alternatives that the value matches, or all of them if it matches none. */
  #matching(alternatives: unknown[], value: unknown): unknown[] {
    if (typeof value !== 'object' || alternatives.length < 2) return alternatives;
    const matching = alternatives.filter((alternative) => {
      const inputSchema = { allOf: [alternative], largeIntegers: 'text' };
      const tool = { path: '', version: '', inputSchema, definitions: this.#definitions };
      return this.#validator.check(tool, value).type === 'valid';
    });
    return matching.length > 0 ? matching : alternatives;
  }

  #definition(reference: string): JsonSchema | undefined {
    return this.#definitions?.get(reference.slice('#/$defs/'.length));
  }
}

/** Strings are preferred where the schema accepts both. */
function isNumber(parts: Record<string, unknown>[]): boolean {
  const types = new Set(parts.flatMap(({ type }) => (Array.isArray(type) ? type : [type])));
  return (types.has('integer') || types.has('number')) && !types.has('string');
}

function itemSchema({ prefixItems, items }: Record<string, unknown>, index: number): unknown {
  return (Array.isArray(prefixItems) ? prefixItems[index] : undefined) ?? items;
}

/** As in validation, a pattern that cannot be matched safely counts as a match. */
function propertySchemas(
  { properties, patternProperties, additionalProperties }: Record<string, unknown>,
  key: string,
): unknown[] {
  const known = (properties ?? {}) as Record<string, unknown>;
  const named = Object.entries(patternProperties ?? {}).flatMap(([pattern, schema]) =>
    (linearPattern(pattern)?.test(key) ?? true) ? [schema] : [],
  );
  if (Object.hasOwn(known, key)) named.push(known[key]);
  return named.length > 0 ? named : [additionalProperties];
}
