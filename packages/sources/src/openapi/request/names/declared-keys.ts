import type { InputSchema } from '../integer-text.ts';

const maxParts = 1_000;

type Schema = Record<string, unknown>;

/** The keys that the schema declares for the object in an input field, in any of its alternatives. */
export function declaredKeys(field: string, schema: InputSchema): ReadonlySet<string> {
  const { properties } = schema.inputSchema as { properties?: Schema };
  const parts = properties && Object.hasOwn(properties, field) ? partsOf(properties[field], schema) : [];
  const required = parts.flatMap((part) => (Array.isArray(part.required) ? part.required : []));
  return new Set([...parts.flatMap((part) => Object.keys(part.properties ?? {})), ...required]);
}

/** All schemas that could describe a value: this one, and those that it references or combines. */
function partsOf(schema: unknown, { inputSchema, definitions }: InputSchema): Schema[] {
  const parts = new Set<Schema>();
  const open = [schema];
  for (const one of open) {
    if (typeof one !== 'object' || one === null || parts.size >= maxParts) continue;
    const part = one as Schema;
    if (parts.has(part)) continue;
    parts.add(part);
    for (const list of [part.allOf, part.anyOf, part.oneOf]) if (Array.isArray(list)) open.push(...list);
    open.push(part.then, part.else);
    if (typeof part.$ref !== 'string') continue;
    const name = part.$ref.slice('#/$defs/'.length);
    const { $defs = {} } = inputSchema as { $defs?: Record<string, unknown> };
    open.push(Object.hasOwn($defs, name) ? $defs[name] : definitions?.get(name));
  }
  return [...parts];
}
