import type { JsonSchema } from '@executor/engine';
import { isObject, type JsonObject, own, setOwn, textOf } from '../../../document/json.ts';
import type { JsonPointer, Located } from '../../../document/json-pointer.ts';
import type { Warnings } from '../../../document/warnings.ts';
import { plainText } from '../../../text/plain-text.ts';
import type { Conversion } from './conversion.ts';
import { withDiscriminator } from './discriminator.ts';
import { finishSchema } from './finish-schema.ts';
import {
  readCount,
  readDefault,
  readDependencies,
  readEnum,
  readNumber,
  readPattern,
  readTypes,
} from './keywords.ts';
import { isNullable, nullable } from './nullable.ts';
import { droppedProperties } from './one-way.ts';
import { schemaKeywords, schemaListKeywords, schemaMapKeywords } from './subschemas.ts';

const maxDepth = 80;
const maxNodes = 20_000;
const maxDescriptionChars = 600;
const counts = new Set([
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
  ...['minContains', 'maxContains'],
]);
const numbers = new Set(['minimum', 'maximum']);
const texts = new Set(['format', 'contentEncoding', 'contentMediaType']);
const flags = new Set(['uniqueItems', 'deprecated']);

/** Converts an OpenAPI schema of any dialect to JSON Schema. Invalid keywords are ignored with a warning. */
export function convertSchema({ value, pointer }: Located, conversion: Conversion, depth = 0): JsonSchema {
  if (typeof value === 'boolean') return value;
  if (!isObject(value)) {
    conversion.warnings.add(pointer, 'A schema must be an object. Any value is allowed here.');
    return true;
  }
  conversion.nodes += 1;
  if (depth > maxDepth || conversion.nodes > maxNodes) {
    const limit = depth > maxDepth ? `deeper than ${maxDepth} levels` : `larger than ${maxNodes} parts`;
    conversion.warnings.add(pointer, `This schema is ${limit}. Any value is allowed beyond that.`);
    return true;
  }
  const reference = textOf(own(value, '$ref')) ?? textOf(own(value, '$dynamicRef')) ?? recursive(value);
  if (reference !== undefined) return convertReference(reference, { value, pointer }, { conversion, depth });
  return nullable(value, convertObject(value, pointer, { conversion, depth }));
}

interface Context {
  conversion: Conversion;
  depth: number;
}

function recursive(schema: JsonObject): string | undefined {
  return own(schema, '$recursiveRef') === '#' ? '#' : undefined;
}

/** Before 3.1, keywords beside a reference are ignored, except for descriptions and keywords that only widen it. */
const siblingsOfReference = ['description', 'default', 'deprecated', 'nullable', 'x-nullable'];

function convertReference(reference: string, { value, pointer }: Located, context: Context): JsonSchema {
  const { conversion } = context;
  const schema = value as JsonObject;
  const siblings: JsonObject = {};
  for (const key of conversion.dialect === 'openapi3.1' ? Object.keys(schema) : siblingsOfReference) {
    if (Object.hasOwn(schema, key) && !key.endsWith('ef')) setOwn(siblings, key, schema[key]);
  }
  const target = follow(reference, pointer, conversion);
  const converted = convertObject(siblings, pointer, context);
  if (target === undefined || target.value === true) return nullable(siblings, converted);
  if (target.value === false) return false;
  const name = conversion.defineTarget(target);
  return nullable(siblings, name === undefined ? converted : { $ref: `#/$defs/${name}`, ...converted });
}

/** A schema that is only a reference is replaced by its target. */
function follow(
  reference: string,
  pointer: JsonPointer,
  { references, warnings }: Conversion,
): Located | undefined {
  let target = references.resolve(reference, pointer);
  for (let step = 0; target; step++) {
    const { value } = target;
    if (typeof value === 'boolean') return target;
    if (!isObject(value) || step > 50) {
      warnings.add(
        pointer,
        `The reference ${reference.slice(0, 200)} points to no schema. Any value is allowed here.`,
      );
      return undefined;
    }
    const next = own(value, '$ref');
    if (typeof next !== 'string' || Object.keys(value).length > 1) return target;
    target = references.resolve(next, target.pointer);
  }
  return undefined;
}

function convertObject(schema: JsonObject, pointer: JsonPointer, context: Context): JsonObject {
  const { warnings } = context.conversion;
  const result: JsonObject = {};
  const typed = Object.hasOwn(schema, 'type');
  const types = typed ? readTypes({ value: schema.type, pointer, warnings }) : undefined;
  if (types) result.type = types.length === 1 ? types[0] : types;
  if (own(schema, 'type') === 'file') result.format = 'binary';
  const dropped = droppedProperties({ value: schema, pointer }, context.conversion);
  for (const key of Object.keys(schema)) {
    const value = schema[key];
    if (schemaMapKeywords.has(key)) convertMap(result, key, value, { pointer, context, dropped });
    else if (schemaListKeywords.has(key)) convertList(result, key, schema, { pointer, context });
    else if (schemaKeywords.has(key)) convertOne(result, key, value, { pointer, context });
    else convertKeyword(result, key, schema, { pointer, warnings, types });
  }
  finishSchema(result, schema, dropped, types);
  acceptAnyAlternative(result);
  if (Object.hasOwn(schema, 'dependencies'))
    convertDependencies(result, schema.dependencies, { pointer, context });
  return result;
}

function convertMap(
  result: JsonObject,
  key: string,
  value: unknown,
  { pointer, context, dropped }: { pointer: JsonPointer; context: Context; dropped: ReadonlySet<string> },
): void {
  const keyPointer = pointer.at(key);
  if (!isObject(value)) {
    context.conversion.warnings.add(keyPointer, 'This must be an object. Executor ignored it.');
    return;
  }
  const converted: JsonObject = {};
  for (const name of Object.keys(value)) {
    if (key === 'properties' && dropped.has(name)) continue;
    setOwn(
      converted,
      name,
      convertSchema(
        { value: value[name], pointer: keyPointer.at(name) },
        context.conversion,
        context.depth + 1,
      ),
    );
  }
  result[key] = converted;
}

function convertList(
  result: JsonObject,
  key: string,
  schema: JsonObject,
  { pointer, context }: { pointer: JsonPointer; context: Context },
): void {
  const keyPointer = pointer.at(key);
  const value = schema[key];
  if (!Array.isArray(value) || value.length === 0) {
    if (!Array.isArray(value))
      context.conversion.warnings.add(keyPointer, 'This must be a list. Executor ignored it.');
    return;
  }
  const branches = value.map((one, index) =>
    convertSchema({ value: one, pointer: keyPointer.at(index) }, context.conversion, context.depth + 1),
  );
  result[key] =
    key === 'oneOf' || key === 'anyOf'
      ? withDiscriminator(branches, { schema, key, pointer }, context.conversion)
      : branches;
}

/**
 * The alternatives of `oneOf` often overlap (an integer is a number, every field is optional). A value that matches any of them is
 * accepted: the API itself decides.
 */
function acceptAnyAlternative(result: JsonObject): void {
  const { oneOf } = result;
  if (oneOf === undefined) return;
  delete result.oneOf;
  if (result.anyOf === undefined) result.anyOf = oneOf;
  else result.allOf = [...(Array.isArray(result.allOf) ? result.allOf : []), { anyOf: oneOf }];
}

function convertOne(
  result: JsonObject,
  key: string,
  value: unknown,
  { pointer, context }: { pointer: JsonPointer; context: Context },
): void {
  const keyPointer = pointer.at(key);
  const convert = (one: unknown, onePointer: JsonPointer) =>
    convertSchema({ value: one, pointer: onePointer }, context.conversion, context.depth + 1);
  if (key === 'items' && Array.isArray(value)) {
    if (value.length > 0) result.prefixItems = value.map((one, index) => convert(one, keyPointer.at(index)));
  } else if (key === 'additionalItems') {
    if (Array.isArray(result.prefixItems)) result.items = convert(value, keyPointer);
  } else if (value === null || value === undefined) {
    context.conversion.warnings.add(keyPointer, 'There is no schema here. Any value is allowed.');
  } else {
    result[key] = convert(value, keyPointer);
  }
}

function convertKeyword(
  result: JsonObject,
  key: string,
  schema: JsonObject,
  { pointer, warnings, types }: { pointer: JsonPointer; warnings: Warnings; types: string[] | undefined },
): void {
  const value = schema[key];
  const keyword = () => ({ value, pointer: pointer.at(key), warnings });
  if (key === 'description') {
    if (typeof value === 'string' && value !== '') result.description = plainText(value, maxDescriptionChars);
  } else if (key === 'title') {
    if (typeof value === 'string' && !Object.hasOwn(schema, 'description'))
      result.title = value.slice(0, 200);
  } else if (key === 'enum') set(result, key, readEnum(keyword(), nullableTypes(schema, types)));
  else if (key === 'default') set(result, key, readDefault(keyword(), nullableTypes(schema, types)));
  else if (key === 'pattern') set(result, key, readPattern(keyword()));
  else if (counts.has(key)) set(result, key, readCount(keyword()));
  else if (numbers.has(key)) set(result, key, readNumber(keyword()));
  else if (key === 'multipleOf') set(result, key, readNumber(keyword(), { above: 0 }));
  else if (key === 'exclusiveMinimum' || key === 'exclusiveMaximum') {
    if (typeof value !== 'boolean') set(result, key, readNumber(keyword()));
  } else if (key === 'dependentRequired') {
    if (isObject(value)) set(result, key, readDependencies(value).required);
  } else if (texts.has(key)) {
    if (typeof value === 'string') result[key] = value.slice(0, 200);
  } else if (flags.has(key)) {
    if (typeof value === 'boolean') result[key] = value;
  } else if (key === 'const') result.const = value;
}

function set(result: JsonObject, key: string, value: unknown): void {
  if (value !== undefined) result[key] = value;
}

function nullableTypes(schema: JsonObject, types: string[] | undefined): string[] | undefined {
  return types && isNullable(schema) ? [...types, 'null'] : types;
}

function convertDependencies(
  result: JsonObject,
  value: unknown,
  { pointer, context }: { pointer: JsonPointer; context: Context },
): void {
  const { required, schemas } = readDependencies(value);
  if (Object.keys(required).length > 0) result.dependentRequired = required;
  if (Object.keys(schemas).length > 0) {
    convertMap(result, 'dependentSchemas', schemas, {
      pointer: pointer.at('dependencies'),
      context,
      dropped: new Set(),
    });
  }
}
