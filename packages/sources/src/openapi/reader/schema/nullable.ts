import { type JsonObject, listOf, own } from '../document/json.ts';

/** How documents before 3.1 say that something may be null. */
export function isNullable(schema: JsonObject): boolean {
  return own(schema, 'nullable') === true || own(schema, 'x-nullable') === true;
}

/** What `nullable` says, in types. */
export function nullable(schema: JsonObject, result: JsonObject): JsonObject {
  if (!isNullable(schema)) return result;
  const { type } = result;
  if (result.enum !== undefined && !listOf(result.enum).includes(null))
    result.enum = [...listOf(result.enum), null];
  if (type !== undefined) {
    const types = Array.isArray(type) ? type : [type];
    if (!types.includes('null')) result.type = [...types, 'null'];
    if (!limits(result)) return result;
  }
  return limits(result) ? orNull(result) : result;
}

/** Whether it says more than a type does, so that null has to be let through beside it. */
function limits(result: JsonObject): boolean {
  return ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'const'].some((key) => result[key] !== undefined);
}

function orNull({ description, default: byDefault, ...rest }: JsonObject): JsonObject {
  return {
    ...(description !== undefined && { description }),
    ...(byDefault !== undefined && { default: byDefault }),
    anyOf: [rest, { type: 'null' }],
  };
}
