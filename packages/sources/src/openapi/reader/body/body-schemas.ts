import type { JsonSchema } from '@executor/engine';
import { isObject, listOf, own, textOf } from '../../../document/json.ts';
import type { Located } from '../../../document/json-pointer.ts';
import type { Api } from '../operation/api.ts';
import { fileInput } from '../schema/file-input.ts';
import { withDescription } from '../schema/with-description.ts';
import type { DeclaredBody } from './body-choice.ts';
import { mayBeNull, withoutNull } from './parts.ts';

const maxParts = 100;

export interface PropertySchema {
  schema: JsonSchema;
  /** A default that the schema does not have, because Executor must not fill it in by itself. */
  documentedDefault?: unknown;
}

/** The schema of a body property, combined from all parts that describe it. */
export function propertySchema(
  located: Located[],
  { required }: Pick<DeclaredBody, 'required'>,
  api: Api,
): PropertySchema {
  const all = located.map((one) => api.schemas.read(one, 'input'));
  const schemas = required
    ? all
    : all.map((schema, index) => withoutDefault(schema, located[index] as Located, api));
  const schema = schemas.length === 1 ? (schemas[0] as JsonSchema) : { allOf: schemas };
  const documented = required ? undefined : all.find((one) => own(one, 'default') !== undefined);
  return { schema, ...(documented !== undefined && { documentedDefault: own(documented, 'default') }) };
}

/** Removes defaults: a default that Executor fills in would create a body that the caller did not send. Choices are not searched. */
function withoutDefault(schema: JsonSchema, located: Located, { references }: Api): JsonSchema {
  if (!isObject(schema)) return schema;
  const { default: _, ...others } = schema;
  if (!hasDefault(located, references)) return others;
  const description = own(others, 'description') ?? own(references.follow(located)?.value, 'description');
  return withDescription({ anyOf: [others] }, description);
}

/** Whether a schema has a default, directly or through `$ref` or `allOf`. */
function hasDefault(located: Located, references: Api['references']): boolean {
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

function partsOf({ value, pointer }: Located, references: Api['references']): Located[] {
  const reference = textOf(own(value, '$ref'));
  const target = reference === undefined ? undefined : references.find(reference, pointer);
  const all = listOf(own(value, 'allOf')).map((part, index) => ({
    value: part,
    pointer: pointer.at('allOf').at(index),
  }));
  return target ? [target, ...all] : all;
}

/** The input schema of a file or a list of files. */
export function fileSchema(schema: Located | undefined, api: Api): JsonSchema {
  const file = api.schemas.builtIn('FileInput', fileInput);
  const description = own(schema && api.references.follow(schema)?.value, 'description');
  const target = schema && withoutNull(schema, api.references);
  const isList = own(target?.value, 'type') === 'array' || own(target?.value, 'items') !== undefined;
  const one = isList ? { type: 'array', items: file } : isObject(file) ? { ...file } : file;
  const isNullable = schema !== undefined && mayBeNull(schema, api.references);
  return withDescription(isNullable ? { anyOf: [one, { type: 'null' }] } : one, description);
}
