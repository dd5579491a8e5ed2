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
  const copied = part && copyJson(part.default, check.budget);
  if (copied === undefined) return undefined;
  return check.evaluate(schema, copied.value, { location: undefined }).problems.length === 0
    ? copied
    : undefined;
}

/** The schema itself and those that apply whenever it does. */
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
