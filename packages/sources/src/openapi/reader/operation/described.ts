import type { JsonSchema } from '@executor/engine';
import { isObject, textOf } from '../document/json.ts';
import { plainText } from '../tool/plain-text.ts';

const longestDescription = 600;

/** What is said of the parameter says more than what is said of its schema. */
export function described(schema: JsonSchema, description: unknown): JsonSchema {
  const text = textOf(description)?.trim();
  if (!text) return schema;
  const words = { description: plainText(text, longestDescription) };
  return isObject(schema) ? { ...schema, ...words } : schema === true ? words : schema;
}
