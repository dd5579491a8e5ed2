import { nameFit } from './words.ts';

export type Type =
  /** A partial object has more fields than the text shows. */
  | { kind: 'object'; fields: Field[]; isPartial?: boolean }
  | { kind: 'array'; items: Type }
  | { kind: 'union'; members: Type[] }
  | { kind: 'literals'; values: (string | number | boolean)[] }
  | { kind: 'primitive'; name: 'string' | 'number' | 'boolean' | 'null' }
  | { kind: 'reference'; name: string }
  | { kind: 'unknown' };

export interface Field {
  name: string;
  type: Type;
  required: boolean;
  comment: string;
}

/** A field below the root, by the names that lead to it. */
export interface Leaf extends Field {
  path: string[];
}

export const unknown: Type = { kind: 'unknown' };

/** The type of a value that was seen. */
export function typeOfValue(value: unknown, depth = 0): Type {
  if (depth > 8 || value === undefined) return unknown;
  if (value === null) return { kind: 'primitive', name: 'null' };
  if (Array.isArray(value)) return { kind: 'array', items: mergedItems(value, depth) };
  if (typeof value !== 'object') return { kind: 'primitive', name: typeof value as 'string' };
  const fields = Object.entries(value).map(([name, inner]) => {
    return { name, required: true, comment: '', type: typeOfValue(inner, depth + 1) };
  });
  return { kind: 'object', fields };
}

function mergedItems(items: unknown[], depth: number): Type {
  const types = items.slice(0, 5).map((item) => typeOfValue(item, depth + 1));
  if (types.length === 0) return unknown;
  if (!types.every(({ kind }) => kind === 'object')) return types[0] as Type;
  const fields = new Map<string, Field>();
  for (const field of types.flatMap(fieldsOf))
    if (!isSet(fields.get(field.name))) fields.set(field.name, field);
  return { kind: 'object', fields: [...fields.values()] };
}

function isSet(field: Field | undefined): boolean {
  return field !== undefined && !(field.type.kind === 'primitive' && field.type.name === 'null');
}

/** The fields of an object, or of the objects of a union. */
export function fieldsOf(type: Type): Field[] {
  if (type.kind === 'object') return type.fields;
  if (type.kind === 'union') return type.members.flatMap(fieldsOf);
  return [];
}

/** All fields of nested objects. Lists are not entered. */
export function leavesOf(type: Type, depth = 4, path: string[] = [], isRequired = true): Leaf[] {
  return fieldsOf(type).flatMap((field): Leaf[] => {
    const here = [...path, field.name];
    const required = isRequired && field.required;
    const inner = depth > 1 ? leavesOf(field.type, depth - 1, here, required) : [];
    const isObject = field.type.kind === 'object' && inner.length > 0;
    return isObject ? inner : [{ ...field, required, path: here }, ...inner];
  });
}

/** Whether a type says enough to write code for its values. */
export function isKnown(type: Type): boolean {
  if (type.kind === 'array') return true;
  return fieldsOf(type).length > 0;
}

export interface ListPlace {
  path: string[];
  items: Type;
}

const usualLists = ['data', 'items', 'results', 'values', 'records', 'entries'];

/** Where the list of an answer is. */
export function listIn(type: Type, noun: string): ListPlace | undefined {
  if (type.kind === 'array') return { path: [], items: type.items };
  const lists = leavesOf(type, 2).flatMap(({ path, name, type: inner }) => {
    const list = inner.kind === 'union' ? inner.members.find(({ kind }) => kind === 'array') : inner;
    if (list?.kind !== 'array') return [];
    const holdsObjects = fieldsOf(list.items).length > 0;
    const fit = nameFit(noun, name) + (usualLists.includes(name) ? 0.5 : 0) + (holdsObjects ? 0.6 : 0);
    return [{ path, items: list.items, fit: fit - path.length * 0.1 }];
  });
  return lists.toSorted((one, other) => other.fit - one.fit)[0];
}

/** Whether the text left out fields of the objects. */
function isPartial(type: Type): boolean {
  if (type.kind === 'union') return type.members.some(isPartial);
  return type.kind === 'object' && type.isPartial === true;
}

/** The field that an everyday name means. If fields are left out, one of them may fit better than a similar name. */
export function fieldFor(name: string, type: Type): Leaf | undefined {
  const minimum = isPartial(type) ? 0.85 : 0.5;
  let best: { leaf: Leaf; fit: number } | undefined;
  for (const leaf of leavesOf(type, 3)) {
    const fit =
      Math.max(nameFit(name, leaf.name), nameFit(name, leaf.path.join(' '))) - leaf.path.length * 0.01;
    if (fit >= minimum - 0.03 && fit > (best?.fit ?? 0)) best = { leaf, fit };
  }
  return best?.leaf;
}

/** JavaScript that reads a path: `.a?.b`. */
export function accessor(path: string[]): string {
  return path
    .map((name, index) => {
      const isName = /^[A-Za-z_$][\w$]*$/.test(name);
      const optional = index > 0 ? '?.' : isName ? '.' : '';
      return isName ? `${optional}${name}` : `${optional}[${JSON.stringify(name)}]`;
    })
    .join('');
}

export function valueAt(value: unknown, path: string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name],
    value,
  );
}
