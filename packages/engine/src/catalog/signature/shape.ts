import type { JsonSchema } from '../../ports/source.ts';

/** What a schema is, one level deep, as far as TypeScript can say it: what is inside objects and arrays is still a schema. */
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
  /** Its first items, each of its own kind. */
  prefix: JsonSchema[];
  /** How many of those must be there. */
  least: number;
  /** All others; undefined where there are none. */
  items: JsonSchema | undefined;
}

export interface ObjectShape {
  kind: 'object';
  fields: Field[];
  /** What fields of other names are; undefined where there are none. */
  others: JsonSchema | undefined;
}

export interface Field {
  key: string;
  required: boolean;
  schema: JsonSchema;
}

/** Another schema by its name. */
export interface Reference {
  kind: 'reference';
  /** The same for the same schema. */
  key: string;
  /** What its document calls it. */
  name: string;
  schema: JsonSchema;
}

export const any: Shape = { kind: 'any' };

/** One of them: without doubles, and anything at all where one is that. */
export function unionOf(shapes: Shape[]): Shape {
  const flat = shapes.flatMap((shape) => (shape.kind === 'union' ? shape.members : [shape]));
  if (flat.some(({ kind }) => kind === 'any')) return any;
  const members = withoutDoubles(flat.filter(({ kind }) => kind !== 'never'));
  const [only] = members;
  if (only === undefined) return { kind: 'never' };
  return members.length === 1 ? only : { kind: 'union', members };
}

function withoutDoubles(shapes: Shape[]): Shape[] {
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

/** All of them at once. */
export function intersectionOf(shapes: Shape[]): Shape {
  const flat = shapes.flatMap((shape) => (shape.kind === 'intersection' ? shape.members : [shape]));
  if (flat.some(({ kind }) => kind === 'never')) return { kind: 'never' };
  const members = withoutDoubles(flat.filter(({ kind }) => kind !== 'any'));
  const [only] = members;
  if (only === undefined) return any;
  return members.length === 1 ? only : { kind: 'intersection', members };
}

/** The fields of all of them. What two of them say of one field holds together. */
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

/** More fields than anybody reads, or than a type checker should. */
const maxFields = 2_000;
const longestKey = 1_000;

/** An object of these fields. Where they are too many or too long to be kept, those that are left out are let through like any other. */
export function objectShape(fields: Field[], others: JsonSchema | undefined): ObjectShape {
  const kept = fields.filter(({ key }) => key.length <= longestKey).slice(0, maxFields);
  return { kind: 'object', fields: kept, others: kept.length < fields.length ? true : others };
}

function both(one: JsonSchema, other: JsonSchema): JsonSchema {
  if (one === true || one === other) return other;
  return other === true ? one : { allOf: [one, other] };
}
