import { isObject, type JsonObject, own, stringsOf } from '../../../document/json.ts';

/** Rules that depend on several keywords. */
export function finishSchema(
  result: JsonObject,
  schema: JsonObject,
  dropped: ReadonlySet<string>,
  types: string[] | undefined,
): void {
  for (const [flag, bound, exclusive] of [
    ['exclusiveMinimum', 'minimum', 'exclusiveMinimum'],
    ['exclusiveMaximum', 'maximum', 'exclusiveMaximum'],
  ] as const) {
    if (own(schema, flag) !== true || result[bound] === undefined) continue;
    result[exclusive] = result[bound];
    delete result[bound];
  }
  if (Array.isArray(schema.enum) && result.type === 'array') moveEnum(result, schema.enum);
  const required = requiredOf(schema).filter((name) => !dropped.has(name));
  if (required.length > 0) result.required = required;
  if (types === undefined && !Object.hasOwn(schema, 'type') && !combines(schema)) {
    if (result.properties !== undefined) result.type = 'object';
    else if (result.items !== undefined) result.type = 'array';
  }
}

/** Enum values of an array that are not arrays belong to its items. */
function moveEnum(result: JsonObject, values: unknown[]): void {
  if (values.length === 0 || values.some((value) => typeof value === 'object')) return;
  const { items } = result;
  delete result.enum;
  if (items === undefined || items === true) result.items = { enum: values };
  else if (isObject(items) && items.enum === undefined && items.$ref === undefined) {
    result.items = { ...items, enum: values };
  }
}

/** The `required` list, with properties that have `required: true` themselves, as in old drafts. */
function requiredOf(schema: JsonObject): string[] {
  const required = new Set(stringsOf(own(schema, 'required')));
  const properties = own(schema, 'properties');
  for (const name of isObject(properties) ? Object.keys(properties) : []) {
    if (own(own(properties, name), 'required') === true) required.add(name);
  }
  return [...required];
}

function combines(schema: JsonObject): boolean {
  return ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'enum', 'const'].some((key) => Object.hasOwn(schema, key));
}
