import type { JsonSchema } from '@executor/engine';
import { isObject, setOwn } from '../../document/json.ts';
import { plainText } from '../../text/plain-text.ts';

const maxDescriptionChars = 1_000;
const maxValues = 5_000;
const maxChars = 128 * 1024;
const maxDepth = 40;

/** A copy of a server's schema with short descriptions. Undefined if it is too large or too deep to be used. */
export function boundedSchema(schema: unknown): JsonSchema | undefined {
  const budget = { values: maxValues, chars: maxChars };
  try {
    const copy = copyOf(schema, budget, 0);
    return isObject(copy) || typeof copy === 'boolean' ? (copy as JsonSchema) : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function copyOf(value: unknown, budget: { values: number; chars: number }, depth: number): unknown {
  budget.values -= 1;
  if (budget.values < 0 || budget.chars < 0 || depth > maxDepth)
    throw new RangeError('The schema is too large.');
  if (typeof value === 'string') {
    budget.chars -= value.length;
    return value;
  }
  if (Array.isArray(value)) return value.map((one) => copyOf(one, budget, depth + 1));
  if (!isObject(value)) return value;
  const copy = {};
  for (const [key, one] of Object.entries(value)) {
    budget.chars -= key.length;
    const isText = (key === 'description' || key === 'title') && typeof one === 'string';
    setOwn(copy, key, isText ? plainText(one, maxDescriptionChars) : copyOf(one, budget, depth + 1));
  }
  return copy;
}
