import { isObject, own } from '../../../document/json.ts';
import type { Located } from '../../../document/json-pointer.ts';
import type { Conversion } from './conversion.ts';

const none: ReadonlySet<string> = new Set();
const maxDepth = 8;

/** The properties that a schema drops in this direction: read-only ones in requests, write-only ones in responses. */
export function droppedProperties(
  schema: Located,
  conversion: Pick<Conversion, 'direction' | 'references'>,
): ReadonlySet<string> {
  if (!isObject(own(schema.value, 'properties')) && !Array.isArray(own(schema.value, 'allOf'))) return none;
  if (own(schema.value, 'properties') === undefined && own(schema.value, 'required') === undefined)
    return none;
  return oneWayProperties(schema, conversion);
}

/** The same, including the properties of all its `allOf` parts. */
export function oneWayProperties(
  schema: Located,
  conversion: Pick<Conversion, 'direction' | 'references'>,
): ReadonlySet<string> {
  const names = new Set<string>();
  collect(schema, conversion, { names, depth: 0 });
  return names.size > 0 ? names : none;
}

function collect(
  { value, pointer }: Located,
  conversion: Pick<Conversion, 'direction' | 'references'>,
  { names, depth }: { names: Set<string>; depth: number },
): void {
  const flag = conversion.direction === 'input' ? 'readOnly' : 'writeOnly';
  const properties = own(value, 'properties');
  for (const name of isObject(properties) ? Object.keys(properties) : []) {
    const property = own(properties, name);
    if (
      own(property, flag) === true ||
      own(target({ value: property, pointer }, conversion)?.value, flag) === true
    )
      names.add(name);
  }
  const parts = own(value, 'allOf');
  if (depth >= maxDepth || !Array.isArray(parts) || parts.length > 50) return;
  for (const part of parts) {
    collect(target({ value: part, pointer }, conversion) ?? { value: part, pointer }, conversion, {
      names,
      depth: depth + 1,
    });
  }
}

function target(
  { value, pointer }: Located,
  { references }: Pick<Conversion, 'references'>,
): Located | undefined {
  const reference = own(value, '$ref');
  return typeof reference === 'string' ? references.find(reference, pointer) : undefined;
}
