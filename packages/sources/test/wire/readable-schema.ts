import type { JsonObject } from './document.ts';

/** An equal schema in keywords that the judge understands. */
export function readable(schema: JsonObject): JsonObject {
  const result = { ...schema };
  if (typeof result.pattern === 'string') result.pattern = strictPattern(result.pattern);
  if (typeof result.discriminator === 'object' && result.discriminator !== null)
    result.discriminator = withReferences(result.discriminator as JsonObject);
  return result;
}

/** The judge uses the Unicode flag, with which a literal brace must be escaped. */
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

/** A mapping may contain names of schemas; the judge understands only references. */
function withReferences(discriminator: JsonObject): JsonObject {
  if (typeof discriminator.mapping !== 'object' || discriminator.mapping === null) return discriminator;
  const mapping = Object.entries(discriminator.mapping).map(([value, target]) => [
    value,
    typeof target === 'string' && /^[\w.-]+$/.test(target) ? `#/components/schemas/${target}` : target,
  ]);
  return { ...discriminator, mapping: Object.fromEntries(mapping) };
}

/** Schemas of 3.1 may use draft 4, which has boolean `exclusiveMinimum`. The judge accepts only numbers. */
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
