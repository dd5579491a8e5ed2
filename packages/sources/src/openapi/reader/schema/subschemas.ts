import { isObject, type JsonObject } from '../../../document/json.ts';

export const schemaKeywords = new Set([
  'items',
  'additionalItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
]);
export const schemaMapKeywords = new Set(['properties', 'patternProperties', 'dependentSchemas']);
export const schemaListKeywords = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);

/** The direct subschemas of a schema, without its definitions. */
export function* subschemas(schema: JsonObject): Generator<JsonObject> {
  for (const key of Object.keys(schema)) {
    const value = schema[key];
    if (typeof value !== 'object' || value === null) continue;
    if (schemaKeywords.has(key) || schemaListKeywords.has(key)) {
      for (const one of Array.isArray(value) ? value : [value]) if (isObject(one)) yield one;
    } else if (schemaMapKeywords.has(key) && !Array.isArray(value)) {
      for (const one of Object.values(value)) if (isObject(one)) yield one;
    }
  }
}
