import type { JsonSchema } from '../ports/source.ts';
import { copyJson, setOwn } from './json-copy.ts';
import type { SchemaCheck } from './schema-check.ts';
import { isObject, isSchema, type SchemaObject } from './schema-document.ts';

/**
 * Fills in defaults of missing fields, in place. Follows `properties`, `items`, `prefixItems`, `$ref` and `allOf`, where a field certainly
 * belongs. Never follows `anyOf`, `oneOf` or `if`, where a default would select a branch. Ignores a default that its own schema rejects:
 * many documents have `default: null` for a string.
 */
export function fillDefaults(check: SchemaCheck, schema: JsonSchema, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  check.budget.spend(1);
  for (const part of check.document.partsOf(schema)) {
    if (isObject(value)) fillObject(check, part, value);
    if (Array.isArray(value)) fillArray(check, part, value);
  }
}

function fillObject(check: SchemaCheck, part: SchemaObject, value: Record<string, unknown>): void {
  const { properties } = part;
  if (!isObject(properties)) return;
  for (const key of check.document.keysWithDefault(part)) {
    const found = Object.hasOwn(value, key) ? undefined : defaultOf(check, properties[key]);
    if (found) setOwn(value, key, found.value);
  }
  const [named, own] = [Object.keys(properties), Object.keys(value)];
  check.budget.spendOn(value, own.length);
  for (const key of named.length < own.length ? named : own) {
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (isSchema(schema) && Object.hasOwn(value, key)) fillDefaults(check, schema, value[key]);
  }
}

function fillArray(check: SchemaCheck, { prefixItems, items }: SchemaObject, value: unknown[]): void {
  const first = Array.isArray(prefixItems) ? prefixItems : [];
  for (const [index, item] of value.entries()) {
    const schema = first[index] ?? items;
    if (isSchema(schema)) fillDefaults(check, schema, item);
  }
}

function defaultOf(check: SchemaCheck, schema: unknown): { value: unknown } | undefined {
  if (!isSchema(schema)) return undefined;
  const part = check.document.partsOf(schema).find((one) => Object.hasOwn(one, 'default'));
  const copied = part && copyJson(part.default, check.budget);
  if (copied === undefined) return undefined;
  return check.evaluate(schema, copied.value, { location: undefined }).problems.length === 0
    ? copied
    : undefined;
}
