import { randomUUID } from 'node:crypto';
import type { JsonSchema, Tool } from '@executor/engine';
import { isLargeInteger } from '../large-integer.ts';

/*
 * JavaScript rounds integers beyond 2^53, so that an input has them as the text of their digits, as answers do. In a query they are text
 * anyway; in JSON they are written as the numbers that they are, wherever the schema asks for a number and not for text.
 */

export type InputSchema = Pick<Tool, 'inputSchema' | 'definitions'>;

/** Nobody else can write it, so that no other text is taken for a number. */
const mark = `integer-${randomUUID()}:`;
const marked = new RegExp(`"${mark}(-?\\d+)"`, 'g');
const mostParts = 200;

/** The same input, its large integers marked for `jsonText`. */
export function withIntegers(
  input: Record<string, unknown>,
  { inputSchema, definitions }: InputSchema,
): Record<string, unknown> {
  if (!hasLargeInteger(input)) return input;
  return new Marking(definitions).copy(input, [inputSchema]) as Record<string, unknown>;
}

export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(marked, '$1');
}

/** Most inputs have none. */
function hasLargeInteger(value: unknown): boolean {
  if (typeof value === 'string') return isLargeInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLargeInteger);
}

class Marking {
  readonly #definitions: Tool['definitions'];

  constructor(definitions: Tool['definitions']) {
    this.#definitions = definitions;
  }

  /** `schemas` are those that say something about the value. */
  copy(value: unknown, schemas: unknown[]): unknown {
    if (typeof value === 'string')
      return isLargeInteger(value) && isNumber(this.#parts(schemas)) ? `${mark}${value}` : value;
    if (typeof value !== 'object' || value === null) return value;
    const parts = this.#parts(schemas);
    if (Array.isArray(value))
      return value.map((item, index) =>
        this.copy(
          item,
          parts.map((part) => itemSchema(part, index)),
        ),
      );
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        this.copy(
          inner,
          parts.map((part) => propertySchema(part, key)),
        ),
      ]),
    );
  }

  /** The schemas themselves, and all that they are made of or refer to. */
  #parts(schemas: unknown[]): Record<string, unknown>[] {
    const parts = new Set<Record<string, unknown>>();
    const open = [...schemas];
    for (const schema of open) {
      if (typeof schema !== 'object' || schema === null || parts.size >= mostParts) continue;
      const part = schema as Record<string, unknown>;
      if (parts.has(part)) continue;
      parts.add(part);
      for (const key of ['allOf', 'anyOf', 'oneOf']) if (Array.isArray(part[key])) open.push(...part[key]);
      if (typeof part.$ref === 'string') open.push(this.#definition(part.$ref));
    }
    return [...parts];
  }

  #definition(reference: string): JsonSchema | undefined {
    return this.#definitions?.get(reference.slice('#/$defs/'.length));
  }
}

/** Where text will do as well, text it is. */
function isNumber(parts: Record<string, unknown>[]): boolean {
  const types = new Set(parts.flatMap(({ type }) => (Array.isArray(type) ? type : [type])));
  return (types.has('integer') || types.has('number')) && !types.has('string');
}

function itemSchema({ prefixItems, items }: Record<string, unknown>, index: number): unknown {
  return (Array.isArray(prefixItems) ? prefixItems[index] : undefined) ?? items;
}

function propertySchema({ properties, additionalProperties }: Record<string, unknown>, key: string): unknown {
  const known = (properties ?? {}) as Record<string, unknown>;
  return Object.hasOwn(known, key) ? known[key] : additionalProperties;
}
