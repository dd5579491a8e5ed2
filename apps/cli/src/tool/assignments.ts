import { ExecutorError, type Tool } from '@executor/protocol';

type Schema = Tool['inputSchema'] | undefined;
type InputSchemas = Pick<Tool, 'inputSchema' | 'definitions'>;
type Input = Record<string, unknown>;

/** Whether a word is `field=value` and not JSON. */
export function isAssignment(word: string): boolean {
  return /^[\p{L}_$][^\s={}"]*=/u.test(word);
}

/** The input of a tool from words such as `id=inv_1`, `amount=5` and `customer.name=Ada`, typed by the schema of the tool. */
export function inputFromAssignments(
  words: string[],
  { inputSchema, definitions = {} }: InputSchemas,
): Input {
  const input: Input = {};
  for (const word of words) {
    if (!isAssignment(word))
      throw new ExecutorError('usage', `Input is JSON or field=value words, got "${word}" among them.`);
    const name = word.slice(0, word.indexOf('='));
    const keys = propertyOf(inputSchema, name, definitions) === undefined ? name.split('.') : [name];
    const schema = keys.reduce<Schema>((outer, key) => propertyOf(outer, key, definitions), inputSchema);
    assign(input, keys, typedValue(name, word.slice(name.length + 1), typesOf(schema, definitions)));
  }
  return input;
}

function assign(input: Input, keys: string[], value: unknown): void {
  const path = keys.slice(0, -1);
  const target = path.reduce((outer, key) => {
    if (!Object.hasOwn(outer, key)) define(outer, key, {});
    const inner = outer[key];
    if (typeof inner === 'object' && inner !== null) return inner as Input;
    throw new ExecutorError('usage', `${keys.join('.')} cannot be set: ${key} has a value already.`);
  }, input);
  const last = keys.at(-1) ?? '';
  if (Object.hasOwn(target, last))
    throw new ExecutorError('usage', `${keys.join('.')} is set twice. Set each field once.`);
  define(target, last, value);
}

/** Sets a field of the object itself, also one called `__proto__`. */
function define(target: Input, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

function propertyOf(schema: Schema, key: string, definitions: NonNullable<Tool['definitions']>): Schema {
  for (const { properties } of branches(schema, definitions)) {
    if (typeof properties === 'object' && properties !== null && Object.hasOwn(properties, key))
      return (properties as Record<string, Schema>)[key];
  }
  return undefined;
}

/** The JSON types that a schema allows; none if it says nothing. */
function typesOf(schema: Schema, definitions: NonNullable<Tool['definitions']>): Set<string> {
  return new Set(branches(schema, definitions, saysType).flatMap(ownTypes));
}

function saysType(schema: Record<string, unknown>): boolean {
  return schema.type !== undefined || Array.isArray(schema.enum) || 'const' in schema;
}

function ownTypes(schema: Record<string, unknown>): string[] {
  if (schema.type !== undefined) return [schema.type].flat().map(String);
  if (Array.isArray(schema.enum)) return schema.enum.map(typeOf);
  return 'const' in schema ? [typeOf(schema.const)] : [];
}

/** A schema and its alternatives, those of a schema that `isEnough` left out. A schema may contain itself: each is visited once. */
function branches(
  schema: Schema,
  definitions: NonNullable<Tool['definitions']>,
  isEnough: (schema: Record<string, unknown>) => boolean = () => false,
): Record<string, unknown>[] {
  const found = new Set<Record<string, unknown>>();
  const visit = (one: Schema) => {
    const resolved = resolve(one, definitions);
    if (typeof resolved !== 'object' || found.has(resolved)) return;
    found.add(resolved);
    if (!isEnough(resolved)) alternatives(resolved).forEach(visit);
  };
  visit(schema);
  return [...found];
}

function alternatives(schema: Record<string, unknown>): Schema[] {
  return [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => (Array.isArray(list) ? list : []));
}

function resolve(schema: Schema, definitions: NonNullable<Tool['definitions']>, depth = 0): Schema {
  const reference = typeof schema === 'object' ? schema.$ref : undefined;
  const [, name] = /^#\/\$defs\/(.+)$/.exec(String(reference)) ?? [];
  return name === undefined || depth > 20 ? schema : resolve(definitions[name], definitions, depth + 1);
}

function typedValue(field: string, text: string, types: Set<string>): unknown {
  const value = parsed(text);
  const isAllowed = value !== undefined && typeof value !== 'string' && allows(types, value);
  if (isAllowed && !(types.size === 0 && text.trim() === '')) return value;
  const isNumeric = types.has('integer') || types.has('number');
  if (types.size === 0 || types.has('string') || (isNumeric && isLargeInteger(text))) return text;
  throw new ExecutorError('usage', `${field} must be ${expected(types)}, got "${text}".`, {
    details: { field, expected: [...types], got: text },
  });
}

/** An integer that a number would round. Executor takes the text of its digits instead. */
function isLargeInteger(text: string): boolean {
  return /^-?[1-9]\d{15,}$/.test(text) && !Number.isSafeInteger(Number(text));
}

function allows(types: Set<string>, value: unknown): boolean {
  const type = typeOf(value);
  // As a number it would be rounded, or be infinite.
  if (type === 'number' && !Number.isSafeInteger(value) && Math.abs(Number(value)) > Number.MAX_SAFE_INTEGER)
    return false;
  if (types.size === 0 || types.has(type)) return true;
  return Number.isInteger(value) && types.has('integer');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const expectations: Record<string, string> = {
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a JSON array, such as ["a","b"]',
  object: 'a JSON object, such as {"a":1}',
  null: 'null',
};

function expected(types: Set<string>): string {
  return [...types].map((type) => expectations[type] ?? type).join(' or ');
}
