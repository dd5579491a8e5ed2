import type { JsonSchema } from '../ports/source.ts';
import { copyJson, setOwn } from './json-copy.ts';
import type { SchemaCheck } from './schema-check.ts';
import { isObject, isSchema, type SchemaObject } from './schema-document.ts';

/**
 * Puts defaults where fields are missing, in place. It looks where a field certainly belongs: `properties`, `items`, `prefixItems`, through
 * `$ref` and `allOf`; never into `anyOf`, `oneOf` or `if`, where a default would decide which of them is meant. A default that
 * its own schema refuses is left out: many documents say `default: null` of a string.
 */
export function fillDefaults(check: SchemaCheck, schema: JsonSchema, value: unknown): void {
  for (const part of partsOf(check, schema)) {
    if (isObject(value)) fillObject(check, part, value);
    if (Array.isArray(value)) fillArray(check, part, value);
  }
}

function fillObject(check: SchemaCheck, { properties }: SchemaObject, value: Record<string, unknown>): void {
  if (!isObject(properties)) return;
  for (const key of Object.keys(properties)) {
    const schema = properties[key];
    if (!isSchema(schema)) continue;
    if (!Object.hasOwn(value, key)) {
      const found = defaultOf(check, schema);
      if (found === undefined) continue;
      setOwn(value, key, found.value);
    }
    fillDefaults(check, schema, value[key]);
  }
}

function fillArray(check: SchemaCheck, { prefixItems, items }: SchemaObject, value: unknown[]): void {
  const first = Array.isArray(prefixItems) ? prefixItems : [];
  for (const [index, item] of value.entries()) {
    const schema = first[index] ?? items;
    if (isSchema(schema)) fillDefaults(check, schema, item);
  }
}

function defaultOf(check: SchemaCheck, schema: JsonSchema): { value: unknown } | undefined {
  const part = partsOf(check, schema).find((one) => Object.hasOwn(one, 'default'));
  const copied = part && copyJson(part.default);
  if (copied === undefined) return undefined;
  return check.evaluate(schema, copied.value, { location: undefined }).problems.length === 0
    ? copied
    : undefined;
}

/** The schemas that hold for certain wherever this one does, itself included. */
function partsOf(check: SchemaCheck, schema: JsonSchema): SchemaObject[] {
  const parts = new Set<SchemaObject>();
  const open: unknown[] = [schema];
  for (const part of open) {
    check.budget.spend(1);
    if (!isObject(part) || parts.has(part)) continue;
    parts.add(part);
    if (typeof part.$ref === 'string') open.push(check.document.resolve(part.$ref));
    if (Array.isArray(part.allOf)) for (const one of part.allOf) open.push(one);
  }
  return [...parts];
}
