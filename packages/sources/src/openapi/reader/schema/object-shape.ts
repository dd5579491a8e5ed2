import { isObject, type JsonObject, listOf, own, stringsOf } from '../../../document/json.ts';
import type { JsonPointer, Located } from '../../../document/json-pointer.ts';
import type { References } from '../document/references.ts';
import { oneWayProperties } from './one-way.ts';
import { readType } from './types.ts';

/** The fields of a request object, merged from all parts of its `allOf`. */
export interface ObjectShape {
  /** By name; several schemas if several parts describe the same property. */
  properties: Map<string, Located[]>;
  required: Set<string>;
  /** Read-only properties, which are not fields. */
  dropped: ReadonlySet<string>;
  /** The schema of additional properties; undefined if not specified. */
  additional?: Located;
  /** Whether additional properties are forbidden. */
  closed?: true;
  /** Groups of fields of which one must be present: an `anyOf` or `oneOf` that only names required fields. */
  choices: { keyword: 'anyOf' | 'oneOf'; groups: string[][] }[];
  minProperties: number;
}

const maxDepth = 12;
const maxProperties = 2_000;
/** Keywords that are lost when the fields of a body are merged with other fields. */
const unmergeable = [
  ...[
    'not',
    'if',
    'patternProperties',
    'propertyNames',
    'dependentRequired',
    'dependentSchemas',
    'dependencies',
  ],
  ...['enum', 'const', 'items', 'prefixItems'],
];

/**
 * The fields of a schema that is a plain object; undefined for an array, a choice, a map or a nullable value. `loosely` merges the
 * fields of all alternatives, for bodies that must be written as fields.
 */
export function objectShape(
  schema: Located,
  references: References,
  loosely = false,
): ObjectShape | undefined {
  const shape = { ...emptyShape(), dropped: droppedOf(schema, references) };
  if (!addTo(shape, schema, { references, loosely, depth: 0 })) return undefined;
  if (shape.properties.size === 0 || shape.properties.size > maxProperties) return undefined;
  for (const name of shape.dropped) {
    shape.properties.delete(name);
    shape.required.delete(name);
  }
  // A required field counts even if it is not described.
  for (const name of shape.required)
    if (!shape.properties.has(name) && !shape.closed)
      shape.properties.set(name, [{ value: true, pointer: schema.pointer }]);
  return shape;
}

function emptyShape(): ObjectShape {
  return {
    properties: new Map(),
    required: new Set(),
    dropped: new Set(),
    choices: [],
    minProperties: 0,
  };
}

function droppedOf(schema: Located, references: References): ReadonlySet<string> {
  const target = references.follow(schema);
  return target ? oneWayProperties(target, { direction: 'input', references }) : new Set();
}

interface Context {
  references: References;
  loosely: boolean;
  depth: number;
}

function addTo(shape: ObjectShape, schema: Located, context: Context): boolean {
  const target = context.references.follow(schema);
  if (target === undefined || !isObject(target.value) || context.depth > maxDepth) return false;
  const { value, pointer } = target;
  if (!isPlainObject(value)) return false;
  addOwn(shape, value, pointer);
  for (const [index, part] of listOf(value.allOf).entries()) {
    const located = { value: part, pointer: pointer.at('allOf').at(index) };
    if (!addTo(shape, located, { ...context, depth: context.depth + 1 })) return false;
  }
  return (['anyOf', 'oneOf'] as const).every((keyword) =>
    addChoice(shape, { value, pointer }, { keyword, context }),
  );
}

function isPlainObject(value: JsonObject): boolean {
  const types = Object.hasOwn(value, 'type') ? readType(value.type).types : undefined;
  if (types && !types.includes('object')) return false;
  return !unmergeable.some((key) => Object.hasOwn(value, key));
}

function addOwn(shape: ObjectShape, value: JsonObject, pointer: JsonPointer): void {
  const properties = own(value, 'properties');
  for (const name of isObject(properties) ? Object.keys(properties) : []) {
    const located = { value: own(properties, name), pointer: pointer.at('properties').at(name) };
    const others = shape.properties.get(name);
    if (others) others.push(located);
    else shape.properties.set(name, [located]);
    if (own(located.value, 'required') === true) shape.required.add(name);
  }
  for (const name of stringsOf(own(value, 'required'))) shape.required.add(name);
  const additional = own(value, 'additionalProperties');
  if (additional === true || isObject(additional)) {
    shape.additional = { value: additional, pointer: pointer.at('additionalProperties') };
  } else if (own(value, 'discriminator') !== undefined && additional === undefined) {
    // This is a base schema: schemas that extend it have further fields.
    shape.additional = { value: true, pointer };
  } else if (additional === false) shape.closed = true;
  if (typeof value.minProperties === 'number')
    shape.minProperties = Math.max(shape.minProperties, value.minProperties);
}

function addChoice(
  shape: ObjectShape,
  { value, pointer }: { value: JsonObject; pointer: JsonPointer },
  { keyword, context }: { keyword: 'anyOf' | 'oneOf'; context: Context },
): boolean {
  const alternatives = listOf(value[keyword]);
  if (alternatives.length === 0) return true;
  const groups = alternatives.map(requiredOnly);
  if (groups.every((group) => group !== undefined)) {
    shape.choices.push({ keyword, groups });
    return true;
  }
  if (!context.loosely) return false;
  for (const [index, alternative] of alternatives.entries())
    addAlternative(shape, { value: alternative, pointer: pointer.at(keyword).at(index) }, context);
  return true;
}

/** The fields of one alternative, none of them required, because the alternative is not known. */
function addAlternative(shape: ObjectShape, alternative: Located, context: Context): void {
  const fields = emptyShape();
  addTo(fields, alternative, { ...context, depth: context.depth + 1 });
  for (const [name, located] of fields.properties)
    if (!shape.properties.has(name)) shape.properties.set(name, located.slice(0, 1));
}

/** The fields that an alternative requires, if it has no other keywords. */
function requiredOnly(alternative: unknown): string[] | undefined {
  if (!isObject(alternative)) return undefined;
  const harmless = ['required', 'title', 'description'];
  const plain = Object.keys(alternative).every(
    (key) => harmless.includes(key) || (key === 'type' && alternative.type === 'object'),
  );
  return plain ? stringsOf(alternative.required) : undefined;
}
