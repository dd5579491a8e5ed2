import type { JsonSchema } from '@executor/engine';
import { isObject, textOf } from '../document/json.ts';
import { plainText } from '../tool/plain-text.ts';

const longestDescription = 600;

/** A parameter's description takes precedence over its schema's. */
export function described(schema: JsonSchema, description: unknown): JsonSchema {
  const text = textOf(description)?.trim();
  if (!text) return schema;
  const words = { description: plainText(text, longestDescription) };
  return isObject(schema) ? { ...schema, ...words } : schema === true ? words : schema;
}
