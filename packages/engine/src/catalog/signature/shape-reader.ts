import type { JsonSchema, Tool } from '../../ports/source.ts';
import { isObject, isSchema, SchemaDocument, type SchemaObject } from '../../validation/schema-document.ts';
import type { PrintBudget } from './print-budget.ts';
import {
  any,
  type Field,
  intersectionOf,
  mergeObjects,
  type ObjectShape,
  objectShape,
  type Shape,
  unionOf,
} from './shape.ts';
import { firstLine } from './source-text.ts';

/**
 * Beyond this limit a schema counts as `any`: documents are untrusted, and a few lines of references can require 2^50
 * steps. Reading a schema is a step. Each of its fields is another step, whenever the schema is merged with others.
 */
const maxSteps = 50_000;
const stepsOfReference = 10;
/** Schemas of one value that are searched for its default. */
const maxParts = 50;
/** Levels of nested choices and references that are followed. */
const maxNesting = 24;

interface Options {
  /** Distinguishes definitions of the same name in two schemas. */
  scope: string;
  budget: PrintBudget;
}

/** Reads the shapes of a schema lazily, one level at a time. */
export class ShapeReader {
  readonly root: JsonSchema;
  readonly #document: SchemaDocument;
  readonly #hasOwnDefinitions: boolean;
  readonly #scope: string;
  readonly #budget: PrintBudget;
  readonly #shapes = new WeakMap<object, Shape>();
  readonly #references = new Map<string, Shape>();
  readonly #descriptionLines = new WeakMap<object, string | undefined>();
  readonly #texts = new WeakMap<object, string>();
  #steps = 0;

  constructor(root: JsonSchema, definitions: Tool['definitions'], { scope, budget }: Options) {
    this.root = isSchema(root) ? root : true;
    this.#budget = budget;
    this.#document = new SchemaDocument(this.root, definitions, () => budget.spend(1));
    this.#hasOwnDefinitions = isObject(this.root) && isObject(this.root.$defs);
    this.#scope = scope;
  }

  /** Counts the cost of printing what was read. */
  spend(steps: number): void {
    this.#budget.spend(steps);
  }

  shape(schema: JsonSchema): Shape {
    return this.#read(schema, 0);
  }

  /** Follows references until it reaches another kind of shape. */
  expand(shape: Shape): Shape {
    return this.#expand(shape, 0);
  }

  /** The first line of a schema's description, or of the description of a schema that it refers to. */
  descriptionLine(schema: JsonSchema): string | undefined {
    if (typeof schema === 'boolean') return undefined;
    if (!this.#descriptionLines.has(schema))
      this.#descriptionLines.set(schema, firstLine(this.#description(schema)));
    return this.#descriptionLines.get(schema);
  }

  /** A text about the schema. Each attempt to print a tool needs it again. */
  once(schema: JsonSchema, textOf: (schema: JsonSchema, reader: this) => string): string {
    if (typeof schema === 'boolean') return textOf(schema, this);
    const known = this.#texts.get(schema);
    if (known !== undefined) return known;
    const text = textOf(schema, this);
    this.#texts.set(schema, text);
    return text;
  }

  #description(schema: SchemaObject): unknown {
    let found: unknown = schema;
    for (let step = 0; step < 4 && isObject(found); step++) {
      if (typeof found.description === 'string') return found.description;
      if (typeof found.title === 'string') return found.title;
      if (Array.isArray(found.allOf)) [found] = found.allOf;
      else found = typeof found.$ref === 'string' ? this.#document.resolve(found.$ref) : undefined;
    }
    return undefined;
  }

  /** The value of a keyword in a schema, or in a schema that it refers to. */
  keyword(schema: JsonSchema, name: string): unknown {
    let found: unknown = schema;
    for (let step = 0; step < 4 && isObject(found); step++) {
      if (Object.hasOwn(found, name)) return found[name];
      found = typeof found.$ref === 'string' ? this.#document.resolve(found.$ref) : undefined;
    }
    return undefined;
  }

  /** Whether a call has to send a field. Executor fills in usable defaults before it validates the input. */
  mustBeSent({ required, schema }: Field): boolean {
    this.spend(1);
    if (!required) return false;
    const defaultValue = this.#default(schema);
    if (defaultValue === undefined) return true;
    // Many documents declare the default null for fields that cannot be null.
    return defaultValue === null && !mayBeNull(this.expand(this.shape(schema)));
  }

  #default(schema: JsonSchema): unknown {
    const open: unknown[] = [schema];
    for (const part of open) {
      if (open.length > maxParts || !isObject(part)) continue;
      if (Object.hasOwn(part, 'default')) return part.default;
      if (typeof part.$ref === 'string') open.push(this.#document.resolve(part.$ref));
      if (Array.isArray(part.allOf)) open.push(...part.allOf.slice(0, maxParts));
    }
    return undefined;
  }

  /** One object that has the fields of all objects. */
  merge(objects: ObjectShape[]): Shape {
    const fields = objects.reduce((sum, object) => sum + object.fields.length, objects.length);
    return this.#spend(fields) ? mergeObjects(objects) : any;
  }

  /** Whether the steps are within the limit. */
  #spend(steps: number): boolean {
    this.#budget.spend(steps);
    this.#steps += steps;
    return this.#steps <= maxSteps;
  }

  #expand(shape: Shape, nesting: number): Shape {
    let found = shape;
    for (let step = nesting; found.kind === 'reference'; step++) {
      this.#budget.spend(1);
      if (step > maxNesting) return any;
      found = this.#read(found.schema, step);
    }
    return found;
  }

  #read(schema: unknown, nesting: number): Shape {
    if (schema === false) return { kind: 'never' };
    if (!isObject(schema) || nesting > maxNesting) return any;
    const known = this.#shapes.get(schema);
    if (known) return known;
    if (!this.#spend(1)) return any;
    // A schema that refers to itself without a field in between is `any`.
    this.#shapes.set(schema, any);
    const shape = this.#readObject(schema, nesting);
    this.#shapes.set(schema, shape);
    return shape;
  }

  #readObject(schema: SchemaObject, nesting: number): Shape {
    const { shape: own, isPlain } = ownShape(schema);
    if (!this.#spend(fieldsOf(own))) return any;
    if (!combines(schema)) return own;
    const read = (one: unknown) => {
      const shape = this.#read(one, nesting + 1);
      this.spend(shape.kind === 'union' ? shape.members.length : 1);
      return shape;
    };
    const choices = ['anyOf', 'oneOf'].flatMap((key) =>
      Array.isArray(schema[key]) ? [unionOf(schema[key].map(read))] : [],
    );
    const parts = [
      ...(typeof schema.$ref === 'string' ? [this.#reference(schema.$ref)] : []),
      ...(Array.isArray(schema.allOf) ? schema.allOf.map(read) : []),
      ...choices,
    ].filter(({ kind }) => kind !== 'any');
    // A bare `type: object` adds nothing to the other parts.
    return this.#combine(isPlain && parts.length > 0 ? parts : [own, ...parts], nesting);
  }

  #reference(reference: string): Shape {
    const known = this.#references.get(reference) ?? this.#readReference(reference);
    this.#references.set(reference, known);
    return known;
  }

  #readReference(reference: string): Shape {
    this.spend(stepsOfReference);
    const schema = this.#document.resolve(reference);
    if (schema === undefined || schema === true) return any;
    if (schema === false) return { kind: 'never' };
    const isShared = reference.startsWith('#/$defs/') && !this.#hasOwnDefinitions;
    return {
      kind: 'reference',
      key: isShared ? reference : `${this.#scope} ${reference}`,
      name: nameOf(reference) ?? this.#scope,
      schema,
    };
  }

  /** Combines parts that all hold. Objects are merged into one object. */
  #combine(parts: Shape[], nesting: number): Shape {
    const intersection = intersectionOf(parts);
    if (intersection.kind !== 'intersection') return intersection;
    const expanded = intersection.members.map((member) => this.#expand(member, nesting + 1));
    const objects = expanded.filter((member) => member.kind === 'object');
    if (objects.length === expanded.length) return this.merge(objects);
    const literals = expanded.find((member) => member.kind === 'literals');
    if (literals) return literals;
    if (objects.length < 2) return intersection;
    const others = intersection.members.filter((_, index) => expanded[index]?.kind !== 'object');
    return intersectionOf([this.merge(objects), ...others]);
  }
}

function combines({ $ref, allOf, anyOf, oneOf }: SchemaObject): boolean {
  return $ref !== undefined || allOf !== undefined || anyOf !== undefined || oneOf !== undefined;
}

function mayBeNull(shape: Shape): boolean {
  if (shape.kind === 'union') return shape.members.some(mayBeNull);
  if (shape.kind === 'literals') return shape.values.includes(null);
  return shape.kind === 'any' || (shape.kind === 'primitive' && shape.name === 'null');
}

function fieldsOf(shape: Shape): number {
  const shapes = shape.kind === 'union' ? shape.members : [shape];
  return shapes.reduce((sum, one) => sum + (one.kind === 'object' ? one.fields.length : 0), 0);
}

/** The last segment of a reference. */
function nameOf(reference: string): string | undefined {
  const last = reference.split(/[/#]/).at(-1) ?? '';
  try {
    return decodeURIComponent(last).replaceAll('~1', '/').replaceAll('~0', '~') || undefined;
  } catch {
    return last;
  }
}

/** The shape of a schema's own keywords, without references. `isPlain` means that they only name types. */
function ownShape(schema: SchemaObject): { shape: Shape; isPlain: boolean } {
  const types = typesOf(schema);
  if (Object.hasOwn(schema, 'const')) return { shape: literals([schema.const]), isPlain: false };
  if (Array.isArray(schema.enum)) {
    const fitting = schema.enum.filter((value) => types === undefined || types.includes(typeOf(value)));
    return { shape: literals(fitting.length > 0 ? fitting : schema.enum), isPlain: false };
  }
  if (types === undefined) return { shape: any, isPlain: true };
  const isPlain =
    (!types.includes('object') || !objectKeywords.some((key) => Object.hasOwn(schema, key))) &&
    (!types.includes('array') || !arrayKeywords.some((key) => Object.hasOwn(schema, key)));
  const shapes = types.map((type) => ofType(type, schema));
  return { shape: shapes.length === 1 && shapes[0] ? shapes[0] : unionOf(shapes), isPlain };
}

function literals(values: unknown[]): Shape {
  return values.length === 0 ? { kind: 'never' } : { kind: 'literals', values };
}

const objectKeywords = [
  ...['properties', 'required', 'additionalProperties', 'patternProperties', 'unevaluatedProperties'],
];
const arrayKeywords = ['items', 'prefixItems'];

/** The declared types, or the type that the other keywords imply; undefined if any type is allowed. */
function typesOf(schema: SchemaObject): string[] | undefined {
  const { type } = schema;
  if (typeof type === 'string') return [type === 'integer' ? 'number' : type];
  if (Array.isArray(type)) {
    return [...new Set(type.map((one) => (one === 'integer' ? 'number' : String(one))))];
  }
  if (objectKeywords.some((key) => Object.hasOwn(schema, key))) return ['object'];
  return arrayKeywords.some((key) => Object.hasOwn(schema, key)) ? ['array'] : undefined;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function ofType(type: string, schema: SchemaObject): Shape {
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return { kind: 'primitive', name: type };
    case 'array':
      return arrayOf(schema);
    case 'object':
      return objectOf(schema);
    default:
      return any;
  }
}

function arrayOf({ prefixItems, items, minItems, unevaluatedItems }: SchemaObject): Shape {
  const prefix = Array.isArray(prefixItems) ? prefixItems.filter(isSchema) : [];
  const isClosed = items === false || (items === undefined && unevaluatedItems === false);
  return {
    kind: 'array',
    prefix,
    minItems: typeof minItems === 'number' ? Math.min(minItems, prefix.length) : 0,
    items: isClosed ? undefined : isSchema(items) ? items : true,
  };
}

function objectOf(schema: SchemaObject): ObjectShape {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = new Set(
    Array.isArray(schema.required) ? schema.required.filter((key) => typeof key === 'string') : [],
  );
  const undeclared = [...required].filter((key) => !Object.hasOwn(properties, key));
  const fields = [...Object.keys(properties), ...undeclared].map((key): Field => {
    const declared = Object.hasOwn(properties, key) ? properties[key] : true;
    return { key, required: required.has(key), schema: isSchema(declared) ? declared : true };
  });
  return objectShape(fields, othersOf(schema));
}

function othersOf({
  additionalProperties,
  patternProperties,
  unevaluatedProperties,
}: SchemaObject): JsonSchema | undefined {
  const patterns = isObject(patternProperties) ? Object.values(patternProperties).filter(isSchema) : [];
  const additional = isSchema(additionalProperties) ? additionalProperties : (unevaluatedProperties ?? true);
  if (additional === false) {
    if (patterns.length === 0) return undefined;
    return patterns.length === 1 ? patterns[0] : { anyOf: patterns };
  }
  if (!isSchema(additional) || additional === true) return true;
  return patterns.length === 0 ? additional : { anyOf: [...patterns, additional] };
}
