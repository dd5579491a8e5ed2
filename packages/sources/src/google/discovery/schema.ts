import { isObject, type JsonObject, listOf, own, setOwn, stringsOf, textOf } from '../../document/json.ts';

/** Keywords that mean the same in OpenAPI. Numbers and defaults of parameters are text, which the reader of schemas converts. */
const sameKeywords = ['description', 'default', 'pattern', 'minimum', 'maximum', 'readOnly', 'deprecated'];

/** Google's names of formats that JSON Schema has too. */
const formats = new Map([
  ['google-datetime', 'date-time'],
  ['google-duration', undefined],
  ['google-fieldmask', undefined],
]);

/** The schema of OpenAPI 3.1 for one of Discovery: a type, a property or a parameter. */
export function openApiSchema(value: unknown): unknown {
  if (!isObject(value)) return value;
  const schema: JsonObject = {};
  const reference = textOf(own(value, '$ref'));
  if (reference !== undefined) schema.$ref = schemaReference(reference);
  const type = own(value, 'type');
  if (type !== undefined && type !== 'any') schema.type = type;
  const format = textOf(own(value, 'format'));
  const sameFormat = format !== undefined && formats.has(format) ? formats.get(format) : format;
  if (sameFormat !== undefined) schema.format = sameFormat;
  for (const key of sameKeywords) if (Object.hasOwn(value, key)) schema[key] = value[key];
  if (listOf(own(value, 'enum')).length > 0) schema.enum = value.enum;
  const properties = own(value, 'properties');
  if (isObject(properties)) schema.properties = openApiSchemas(properties);
  for (const key of ['items', 'additionalProperties'])
    if (Object.hasOwn(value, key)) schema[key] = openApiSchema(value[key]);
  return own(value, 'repeated') === true ? repeated(schema) : schema;
}

export function openApiSchemas(schemas: JsonObject): JsonObject {
  const converted: JsonObject = {};
  for (const [name, schema] of Object.entries(schemas)) setOwn(converted, name, openApiSchema(schema));
  return converted;
}

/** Discovery refers to a schema by its name alone. */
export function schemaReference(name: string): string {
  const token = name.replaceAll('~', '~0').replaceAll('/', '~1');
  return `#/components/schemas/${encodeURIComponent(token.toWellFormed())}`;
}

/** The properties of a schema that a method requires in its body: those that name it. */
export function requiredBy(methodId: string, schema: unknown): string[] {
  const properties = own(schema, 'properties');
  if (!isObject(properties)) return [];
  return Object.keys(properties).filter((name) =>
    stringsOf(own(own(properties[name], 'annotations'), 'required')).includes(methodId),
  );
}

function repeated({ description, default: _, ...items }: JsonObject): JsonObject {
  return { ...(description !== undefined && { description }), type: 'array', items };
}
