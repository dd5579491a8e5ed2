import { type InputSchema, itemSchema, propertySchemas } from '../integer-text.ts';
import { RequestError } from '../request-error.ts';
import { folded } from './similar-names.ts';

type Path = readonly string[];

const maxParts = 1_000;
/** Far more than the objects of a real call that have keys like these. */
const maxAlike = 1_000;

/**
 * Refuses an object within a field that has a declared key and another one that differs only in case. Go reads both as the same, so the
 * other could replace the value that the rules have read. Keys that the document does not declare may differ in case: names of
 * environment variables do.
 */
export function checkKeys(input: Record<string, unknown>, schema: InputSchema): void {
  let alike = 0;
  const visit = (value: object, path: Path): void => {
    const isObject = path.length > 0 && !Array.isArray(value);
    if (isObject && hasAlike(value)) {
      if (++alike > maxAlike)
        throw new RequestError(
          `The input has more than ${maxAlike} objects with keys that differ only in case. Send fewer in one call.`,
        );
      checkAlike(value, path, declaredKeys(path, schema));
    }
    for (const [key, inner] of Object.entries(value))
      if (typeof inner === 'object' && inner !== null) visit(inner, [...path, key]);
  };
  visit(input, []);
}

function hasAlike(value: object): boolean {
  const keys = Object.keys(value);
  return keys.length > 1 && new Set(keys.map(folded)).size < keys.length;
}

function checkAlike(value: object, path: Path, declared: ReadonlySet<string>): void {
  const keys = new Map<string, string>();
  for (const key of Object.keys(value)) {
    const other = keys.get(folded(key));
    if (other !== undefined && declared.has(other) !== declared.has(key))
      throw new RequestError(
        `${path.join('.').slice(0, 100)} has the keys ${shown(other)} and ${shown(key)}, which some servers read as the same, so a server could use another value than the one that was checked. Use only ${shown(declared.has(key) ? key : other)}.`,
      );
    keys.set(folded(key), key);
  }
}

/** The keys that the schema declares for the object at a path of the input, in any of its alternatives. */
export function declaredKeys(path: Path, schema: InputSchema): ReadonlySet<string> {
  let parts = partsOf([schema.inputSchema], schema);
  for (const key of path)
    parts = partsOf(
      parts.flatMap((part) => schemasBelow(part, key)),
      schema,
    );
  const required = parts.flatMap((part) => (Array.isArray(part.required) ? part.required : []));
  return new Set([...parts.flatMap(({ properties }) => Object.keys(properties ?? {})), ...required]);
}

type Schema = Record<string, unknown>;

/** A key that is a number may be the index of an item. */
function schemasBelow(part: Schema, key: string): unknown[] {
  const item = /^\d+$/.test(key) ? [itemSchema(part, Number(key))] : [];
  return [...propertySchemas(part, key), ...item];
}

/** All schemas that could describe a value: these, and those that they reference or combine. */
function partsOf(schemas: unknown[], { inputSchema, definitions }: InputSchema): Schema[] {
  const parts = new Set<Schema>();
  const open = [...schemas];
  for (const schema of open) {
    if (typeof schema !== 'object' || schema === null || parts.size >= maxParts) continue;
    const part = schema as Schema;
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

function shown(key: string): string {
  return JSON.stringify(key.slice(0, 100));
}
