import type { JsonSchema } from '@executor/engine';
import { isObject, type JsonObject, setOwn } from '../document/json.ts';
import {
  schemaKeywords,
  schemaListKeywords,
  schemaMapKeywords,
} from '../openapi/reader/schema/subschemas.ts';

/**
 * Removes descriptions from a schema, so that only keywords that decide what may be sent remain. Strings in a default, a constant or an
 * enum are values and are kept.
 */
export function withoutDescriptions(schema: JsonSchema): JsonSchema {
  return isObject(schema) ? strip(schema) : schema;
}

function strip(schema: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if ((key === 'description' || key === 'title') && typeof value === 'string') continue;
    const isMap = (schemaMapKeywords.has(key) || key === '$defs') && isObject(value);
    if (isMap) setOwn(result, key, stripEach(value));
    else if (schemaKeywords.has(key) || schemaListKeywords.has(key))
      setOwn(result, key, stripOneOrMany(value));
    else setOwn(result, key, value);
  }
  return result;
}

function stripEach(schemas: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const [name, schema] of Object.entries(schemas)) setOwn(result, name, stripOneOrMany(schema));
  return result;
}

function stripOneOrMany(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripOneOrMany);
  return isObject(value) ? strip(value) : value;
}
