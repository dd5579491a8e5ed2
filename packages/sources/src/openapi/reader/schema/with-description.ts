import type { JsonSchema } from '@executor/engine';
import { isObject, textOf } from '../../../document/json.ts';
import { plainText } from '../../../text/plain-text.ts';

const maxChars = 600;

/** Adds a description to a schema. A parameter's description takes precedence over its schema's. */
export function withDescription(schema: JsonSchema, description: unknown): JsonSchema {
  const text = textOf(description)?.trim();
  if (!text) return schema;
  const added = { description: plainText(text, maxChars) };
  return isObject(schema) ? { ...schema, ...added } : schema === true ? added : schema;
}
