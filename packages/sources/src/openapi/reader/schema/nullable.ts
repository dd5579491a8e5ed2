import { type JsonObject, listOf, own } from '../../../document/json.ts';

/** Whether a schema allows null with the keywords of dialects before 3.1. */
export function isNullable(schema: JsonObject): boolean {
  return own(schema, 'nullable') === true || own(schema, 'x-nullable') === true;
}

/** Converts `nullable` to a type list. */
export function nullable(schema: JsonObject, result: JsonObject): JsonObject {
  if (!isNullable(schema)) return result;
  const { type } = result;
  if (result.enum !== undefined && !listOf(result.enum).includes(null))
    result.enum = [...listOf(result.enum), null];
  if (type !== undefined) {
    const types = Array.isArray(type) ? type : [type];
    if (!types.includes('null')) result.type = [...types, 'null'];
    if (!hasConstraints(result)) return result;
  }
  return hasConstraints(result) ? anyOfNull(result) : result;
}

/** Whether the schema has more than a type, so that null must be an alternative beside it. */
function hasConstraints(result: JsonObject): boolean {
  return ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'const'].some((key) => result[key] !== undefined);
}

function anyOfNull({ description, default: defaultValue, ...others }: JsonObject): JsonObject {
  return {
    ...(description !== undefined && { description }),
    ...(defaultValue !== undefined && { default: defaultValue }),
    anyOf: [others, { type: 'null' }],
  };
}
