import type { JsonSchema } from '../../ports/source.ts';

/** A schema as TypeScript can express it, read one level deep. The contents of objects and arrays are still schemas. */
export type Shape =
  | { kind: 'any' }
  | { kind: 'never' }
  | { kind: 'primitive'; name: 'string' | 'number' | 'boolean' | 'null' }
  | { kind: 'literals'; values: unknown[] }
  | ArrayShape
  | ObjectShape
  | { kind: 'union'; members: Shape[] }
  | { kind: 'intersection'; members: Shape[] }
  | Reference;

export interface ArrayShape {
  kind: 'array';
  /** The first items, each with a schema of its own. */
  prefix: JsonSchema[];
  /** How many items of the prefix are required. */
  minItems: number;
  /** All other items; undefined if none are allowed. */
  items: JsonSchema | undefined;
}

export interface ObjectShape {
  kind: 'object';
  fields: Field[];
  /** Fields with other names; undefined if none are allowed. */
  others: JsonSchema | undefined;
}

export interface Field {
  key: string;
  required: boolean;
  schema: JsonSchema;
}

/** A schema that is used by its name. */
export interface Reference {
  kind: 'reference';
  /** Equal for references to the same schema. */
  key: string;
  /** The name in the document. */
  name: string;
  schema: JsonSchema;
}

export const any: Shape = { kind: 'any' };

/** The number of parts that printing visits even if it leaves them out. */
export function partsOf(shape: Shape): number {
  if (shape.kind === 'object') return shape.fields.length;
  if (shape.kind === 'literals') return shape.values.length >> 3;
  return shape.kind === 'union' || shape.kind === 'intersection' ? shape.members.length : 0;
}

/** Any of the shapes, each once. If one of them is `any`, the union is `any`. */
export function unionOf(shapes: Shape[]): Shape {
  const flat = shapes.flatMap((shape) => (shape.kind === 'union' ? shape.members : [shape]));
  if (flat.some(({ kind }) => kind === 'any')) return any;
  const members = withoutDuplicates(flat.filter(({ kind }) => kind !== 'never'));
  const [only] = members;
  if (only === undefined) return { kind: 'never' };
  return members.length === 1 ? only : { kind: 'union', members };
}

function withoutDuplicates(shapes: Shape[]): Shape[] {
  const seen = new Set<string>();
  return shapes.filter((shape) => {
    const id = identity(shape);
    if (id === undefined) return true;
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

function identity(shape: Shape): string | undefined {
  if (shape.kind === 'primitive') return shape.name;
  return shape.kind === 'reference' ? `#${shape.key}` : undefined;
}

/** All of the shapes at once. */
export function intersectionOf(shapes: Shape[]): Shape {
  const flat = shapes.flatMap((shape) => (shape.kind === 'intersection' ? shape.members : [shape]));
  if (flat.some(({ kind }) => kind === 'never')) return { kind: 'never' };
  const members = withoutDuplicates(flat.filter(({ kind }) => kind !== 'any'));
  const [only] = members;
  if (only === undefined) return any;
  return members.length === 1 ? only : { kind: 'intersection', members };
}

/** An object with the fields of all objects. Schemas of the same field are combined. */
export function mergeObjects(objects: ObjectShape[]): ObjectShape {
  const fields = new Map<string, Field>();
  for (const { key, required, schema } of objects.flatMap((object) => object.fields)) {
    const known = fields.get(key);
    if (known === undefined) fields.set(key, { key, required, schema });
    else {
      known.required ||= required;
      known.schema = both(known.schema, schema);
    }
  }
  const others = objects.map((object) => object.others);
  return objectShape(
    [...fields.values()],
    others.includes(undefined) ? undefined : others.reduce((one, other) => both(one ?? true, other ?? true)),
  );
}

/** Limits that keep types readable and type checks fast. */
const maxFields = 2_000;
const maxKeyChars = 1_000;

/** An object with these fields. If it drops some because of the limits, the object accepts fields of any name. */
export function objectShape(fields: Field[], others: JsonSchema | undefined): ObjectShape {
  const kept = fields.filter(({ key }) => key.length <= maxKeyChars).slice(0, maxFields);
  return { kind: 'object', fields: kept, others: kept.length < fields.length ? true : others };
}

function both(one: JsonSchema, other: JsonSchema): JsonSchema {
  if (one === true || one === other) return other;
  return other === true ? one : { allOf: [one, other] };
}
