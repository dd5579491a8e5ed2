import type { JsonObject } from './document.ts';

/** The same schema in words that the judge reads; it means what it meant. */
export function readable(schema: JsonObject): JsonObject {
  const result = { ...schema };
  if (typeof result.pattern === 'string') result.pattern = strictPattern(result.pattern);
  if (typeof result.discriminator === 'object' && result.discriminator !== null)
    result.discriminator = withReferences(result.discriminator as JsonObject);
  return result;
}

/** It reads patterns in the strict way of Unicode, where a brace that repeats nothing has to be escaped. */
function strictPattern(pattern: string): string {
  if (compiles(pattern, 'u') || !compiles(pattern, '')) return pattern;
  const escaped = pattern
    .replace(/(?<!\\)\{(?!\d+(,\d*)?\})/g, '\\{')
    .replace(/(?<!\\|\{\d+(,\d*)?)\}/g, '\\}');
  return compiles(escaped, 'u') ? escaped : pattern;
}

function compiles(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

/** A mapping may have the names of schemas; the judge knows references only. */
function withReferences(discriminator: JsonObject): JsonObject {
  if (typeof discriminator.mapping !== 'object' || discriminator.mapping === null) return discriminator;
  const mapping = Object.entries(discriminator.mapping).map(([value, target]) => [
    value,
    typeof target === 'string' && /^[\w.-]+$/.test(target) ? `#/components/schemas/${target}` : target,
  ]);
  return { ...discriminator, mapping: Object.fromEntries(mapping) };
}

/** Draft 4, which schemas of 3.1 may be in, has flags where the judge takes nothing but numbers. */
export function withoutFlags(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFlags);
  if (typeof value !== 'object' || value === null) return value;
  const schema: JsonObject = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withoutFlags(inner)]),
  );
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof schema[flag] !== 'boolean') continue;
    if (schema[flag] && typeof schema[bound] === 'number') {
      schema[flag] = schema[bound];
      delete schema[bound];
    } else delete schema[flag];
  }
  return schema;
}
