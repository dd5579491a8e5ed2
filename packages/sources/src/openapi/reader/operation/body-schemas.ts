import type { JsonSchema } from '@executor/engine';
import { isObject, listOf, own, textOf } from '../document/json.ts';
import type { Located } from '../document/place.ts';
import { fileInput } from '../schema/file-input.ts';
import type { Api } from './api.ts';
import type { DeclaredBody } from './body-choice.ts';
import { described } from './described.ts';
import { mayBeNull, orNull } from './parts.ts';

const maxParts = 100;

/** The schema of a body property, combined from all parts that describe it. */
export function propertySchema(
  located: Located[],
  { required }: Pick<DeclaredBody, 'required'>,
  api: Api,
): JsonSchema {
  const schemas = located.map((one) => {
    const schema = api.schemas.read(one, 'input');
    return required ? schema : withoutDefault(schema, one, api);
  });
  return schemas.length === 1 ? (schemas[0] as JsonSchema) : { allOf: schemas };
}

/** Removes defaults, because a filled-in default would create a body that nobody meant. Choices are not searched. */
function withoutDefault(schema: JsonSchema, located: Located, { references }: Api): JsonSchema {
  if (!isObject(schema)) return schema;
  const { default: _, ...rest } = schema;
  if (!leadsToDefault(located, references)) return rest;
  const description = own(rest, 'description') ?? own(references.follow(located)?.value, 'description');
  return described({ anyOf: [rest] }, description);
}

/** Whether a schema has a default, directly or through `$ref` or `allOf`. */
function leadsToDefault(located: Located, references: Api['references']): boolean {
  const open = partsOf(located, references);
  const seen = new Set<unknown>();
  for (const part of open) {
    if (seen.has(part.value) || seen.size > maxParts) continue;
    seen.add(part.value);
    if (own(part.value, 'default') !== undefined) return true;
    open.push(...partsOf(part, references));
  }
  return false;
}

function partsOf({ value, place }: Located, references: Api['references']): Located[] {
  const reference = textOf(own(value, '$ref'));
  const target = reference === undefined ? undefined : references.find(reference, place);
  const all = listOf(own(value, 'allOf')).map((part, index) => ({
    value: part,
    place: place.at('allOf').at(index),
  }));
  return target ? [target, ...all] : all;
}

/** Whether a schema is a file or a list of files. */
export function fileSchema(schema: Located | undefined, api: Api): JsonSchema {
  const file = api.schemas.builtIn('FileInput', fileInput);
  const description = own(schema && api.references.follow(schema)?.value, 'description');
  const target = schema && orNull(schema, api.references);
  const isList = own(target?.value, 'type') === 'array' || own(target?.value, 'items') !== undefined;
  const one = isList ? { type: 'array', items: file } : isObject(file) ? { ...file } : file;
  const isNullable = schema !== undefined && mayBeNull(schema, api.references);
  return described(isNullable ? { anyOf: [one, { type: 'null' }] } : one, description);
}
