import { type Field, fieldsOf, type Leaf, leavesOf, type Type } from './types.ts';
import { nameFit, wordsOf } from './words.ts';

/** A value in code. `value` is set if it is known before the code runs. */
export interface Expression {
  code: string;
  value?: unknown;
  isReference: boolean;
}

/** Nested arguments; a string is code. */
export interface ArgumentTree {
  [name: string]: ArgumentTree | string;
}

export interface Placement {
  tree: ArgumentTree;
  /** Values that no field takes. */
  unplaced: string[];
  /** Values by the field that took them. */
  placed: Map<string, Leaf>;
  /** Required fields without a value. */
  missing: Leaf[];
}

/** What error messages taught about the arguments of a step. */
export interface Fixes {
  /** The field of a value. */
  fields: Map<string, string>;
  /** The code of a field. */
  codes: Map<string, string>;
  dropped: Set<string>;
}

export function noFixes(): Fixes {
  return { fields: new Map(), codes: new Map(), dropped: new Set() };
}

interface Placing {
  /** An action needs all of its values. A search may use them to filter its results. */
  isAction: boolean;
  fixes: Fixes;
}

/** Finds a field for each value, by its name, its comment and its type. */
export function placeValues(
  values: Map<string, Expression>,
  input: Type,
  { isAction, fixes }: Placing,
): Placement {
  const leaves = leavesOf(input).filter(({ name }) => !name.startsWith('$') && name !== '*');
  const placement: Placement = { tree: {}, unplaced: [], placed: new Map(), missing: [] };
  const takeFrom = new Map(values);
  const free = new Set(leaves);
  const put = (name: string, leaf: Leaf, code: string) => {
    setAt(placement.tree, leaf.path, code);
    placement.placed.set(name, leaf);
    takeFrom.delete(name);
    for (const other of free) if (isWithin(leaf, other) || isWithin(other, leaf)) free.delete(other);
  };
  for (const [name, field] of fixes.fields) {
    const expression = takeFrom.get(name);
    const leaf =
      leaves.find(({ path }) => path.join('.') === field) ?? leaves.find((one) => one.name === field);
    if (expression) put(name, leaf ?? looseLeaf(field), convert(expression, leaf?.type) ?? expression.code);
  }
  const pairs = [...takeFrom].flatMap(([name, expression]) =>
    [...free].map((leaf) => ({ name, expression, leaf, fit: fitOf(name, expression, leaf) })),
  );
  const minimum = isAction ? 0.5 : 0.75;
  for (const { name, expression, leaf, fit } of pairs.toSorted((one, other) => other.fit - one.fit)) {
    if (fit < (expression.isReference ? 0.4 : minimum) || !takeFrom.has(name) || !free.has(leaf)) continue;
    const code = convert(expression, leaf.type);
    if (code !== undefined && !fixes.dropped.has(leaf.path.join('.'))) put(name, leaf, code);
  }
  byElimination(takeFrom, free, isAction, put);
  for (const [field, code] of fixes.codes) setAt(placement.tree, pathOf(field, leaves), code);
  if (isAction) guessNames(takeFrom, input, placement);
  placement.missing = completed(leaves, placement.tree);
  placement.unplaced = [...takeFrom.keys()];
  return placement;
}

/** The only value that is left belongs to the only required field that is left. */
function byElimination(
  left: Map<string, Expression>,
  free: Set<Leaf>,
  isAction: boolean,
  put: (name: string, leaf: Leaf, code: string) => void,
): void {
  const required = [...free].filter((leaf) => leaf.required && constantOf(leaf.type) === undefined);
  const names = [...left].filter(([, { isReference }]) => isAction || isReference);
  const [leaf, name] = [required[0], names[0]];
  if (required.length !== 1 || names.length !== 1 || !leaf || !name) return;
  const code = convert(name[1], leaf.type);
  if (code !== undefined) put(name[0], leaf, code);
}

/** Guesses the names of fields that a signature leaves out, in the style of the fields that it shows. */
function guessNames(left: Map<string, Expression>, input: Type, { tree }: Placement): void {
  const place = partialObject(input);
  if (!place) return;
  const style = place.names.join(' ');
  for (const [name, expression] of left) {
    if (expression.isReference) continue;
    const words = name.split(' ');
    const camel = words
      .map((word, index) => (index === 0 ? word : `${word[0]?.toUpperCase()}${word.slice(1)}`))
      .join('');
    const guess = /_/.test(style) ? words.join('_') : /[a-z][A-Z]/.test(style) ? camel : words.join('');
    setAt(tree, [...place.path, guess], expression.code);
    left.delete(name);
  }
}

function partialObject(type: Type, path: string[] = []): { path: string[]; names: string[] } | undefined {
  if (type.kind !== 'object') return undefined;
  if (type.isPartial) return { path, names: type.fields.map(({ name }) => name) };
  for (const field of type.fields) {
    const found = partialObject(field.type, [...path, field.name]);
    if (found) return found;
  }
  return undefined;
}

/** Fills in required constants. Returns the required fields that still have no value. */
function completed(leaves: Leaf[], tree: ArgumentTree): Leaf[] {
  const missing: Leaf[] = [];
  for (const leaf of leaves) {
    if (!leaf.required || hasAt(tree, leaf.path)) continue;
    const constant = constantOf(leaf.type);
    if (constant !== undefined) setAt(tree, leaf.path, JSON.stringify(constant));
    else if (!leaves.some((other) => other !== leaf && isWithin(leaf, other) && hasAt(tree, other.path)))
      missing.push(leaf);
  }
  return missing;
}

function constantOf(type: Type): unknown {
  return type.kind === 'literals' && type.values.length === 1 ? type.values[0] : undefined;
}

/** A reference to an order fits `order_id` and `orderId`, and less well a bare `id`. */
function fitOf(name: string, expression: Expression, leaf: Leaf): number {
  // The name in `filter[name]` is what matters.
  const inBrackets = /\[(\w+)\]$/.exec(leaf.name)?.[1] ?? leaf.name;
  const own = Math.max(
    nameFit(name, leaf.name),
    nameFit(name, inBrackets),
    nameFit(name, leaf.path.join(' ')) - 0.05,
  );
  const described = nameFit(name, leaf.comment.split(/[.;]/)[0] ?? '') * 0.8;
  const bare = expression.isReference && wordsOf(leaf.name).join('') === 'id' ? 0.55 : 0;
  return Math.max(own, described, bare) + (leaf.required ? 0.05 : 0) - leaf.path.length * 0.01;
}

/** The code of a value as the type wants it; undefined if the type cannot hold it. */
export function convert(expression: Expression, type: Type | undefined): string | undefined {
  const { code, value } = expression;
  if (type === undefined || type.kind === 'unknown' || type.kind === 'reference') return code;
  switch (type.kind) {
    case 'literals':
      return literal(expression, type.values);
    case 'primitive':
      return primitive(expression, type.name);
    case 'array':
      return list(expression, type.items);
    case 'object':
      return wrapped(expression, type);
    case 'union':
      return type.members
        .map((member) => convert({ code, value, isReference: expression.isReference }, member))
        .find(Boolean);
  }
}

function literal({ code, value }: Expression, values: unknown[]): string | undefined {
  if (value === undefined) return code;
  const found = values.find((one) => String(one).toLowerCase() === String(value).toLowerCase());
  return found === undefined ? undefined : JSON.stringify(found);
}

function primitive({ code, value }: Expression, name: string): string | undefined {
  if (name === 'null') return undefined;
  if (value === undefined) return code;
  if (typeof value === name) return code;
  if (name === 'string' && typeof value === 'number') return JSON.stringify(String(value));
  if (name === 'number' && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return value;
  return undefined;
}

function list(expression: Expression, items: Type): string | undefined {
  const { code, value } = expression;
  if (!Array.isArray(value)) {
    const item = convert(expression, items);
    return item === undefined ? undefined : `[${item}]`;
  }
  const parts = splitList(code).map((part, index) =>
    convert({ code: part, value: value[index], isReference: expression.isReference }, items),
  );
  return parts.includes(undefined) ? undefined : `[${parts.join(', ')}]`;
}

/** The parts of `[a, b]`. Values of tasks hold no nested lists. */
function splitList(code: string): string[] {
  return code.slice(1, -1).match(/"(?:[^"\\]|\\.)*"|[^,\s][^,]*/g) ?? [];
}

/** A bare value becomes the field of an object that holds it, such as `{ email }`. */
function wrapped(expression: Expression, type: Type): string | undefined {
  if (typeof expression.value === 'object' && !Array.isArray(expression.value)) return expression.code;
  const fields = fieldsOf(type);
  const field: Field | undefined =
    fields.find(({ required }) => required) ?? (fields.length === 1 ? fields[0] : undefined);
  const inner = field && field.type.kind !== 'object' ? convert(expression, field.type) : undefined;
  return field && inner !== undefined ? `{ ${keyText(field.name)}: ${inner} }` : undefined;
}

export function treeText(tree: ArgumentTree): string {
  const parts = Object.entries(tree).map(
    ([name, inner]) => `${keyText(name)}: ${typeof inner === 'string' ? inner : treeText(inner)}`,
  );
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

function keyText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

export function setAt(tree: ArgumentTree, path: string[], code: string): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    tree[name] = code;
    return;
  }
  const inner = tree[name];
  const below: ArgumentTree = typeof inner === 'object' ? inner : {};
  tree[name] = below;
  setAt(below, rest, code);
}

function hasAt(tree: ArgumentTree, path: string[]): boolean {
  let inner: ArgumentTree | string | undefined = tree;
  for (const name of path) {
    if (typeof inner === 'string' || inner === undefined) return inner !== undefined;
    inner = inner[name];
  }
  return inner !== undefined;
}

function isWithin(outer: Leaf, inner: Leaf): boolean {
  return outer.path.every((name, index) => inner.path[index] === name);
}

function looseLeaf(field: string): Leaf {
  return { name: field, path: field.split('.'), required: false, comment: '', type: { kind: 'unknown' } };
}

function pathOf(field: string, leaves: Leaf[]): string[] {
  const leaf = leaves.find(({ path, name }) => path.join('.') === field || name === field);
  return leaf?.path ?? field.split('.');
}
