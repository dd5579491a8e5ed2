import * as z from 'zod';
import { ErrorBody } from '../error/error-body.ts';
import { presenceHeader } from '../identity/presence.ts';
import { pathParams, type Route, successStatus } from './route.ts';
import { routeRows } from './routes.ts';

type Json = Record<string, unknown>;

/** The API as an OpenAPI 3.1 document, generated from the table of routes. */
export function openApiDocument(version: string): Json {
  const schemas = new Components();
  const paths: Record<string, Json> = {};
  for (const { name, route } of routeRows()) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route, schemas) };
  }
  const errorSchema = schemas.reference(ErrorBody, 'output');
  return {
    openapi: '3.1.0',
    info: {
      title: 'Executor',
      version,
      description: 'A local-first execution environment and control plane for AI agents.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    paths,
    components: {
      schemas: schemas.all(),
      responses: {
        Error: { description: 'An error', content: { 'application/json': { schema: errorSchema } } },
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      },
    },
    security: [{ bearer: [] }, { apiKey: [] }],
  };
}

function operation(name: string, route: Route, schemas: Components): Json {
  const success = String(successStatus(route));
  return {
    operationId: name,
    tags: [name.split('.')[0]],
    summary: route.summary,
    'x-access': route.access,
    ...(route.access === 'public' && { security: [] }),
    parameters: [
      ...pathParams(route.path).map((param) => ({
        name: param,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...queryParameters(route, schemas),
      ...headerParameters(route),
    ],
    ...(route.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemas.reference(route.body, 'input') } },
      },
    }),
    responses: {
      [success]: answer(route, schemas),
      default: { $ref: '#/components/responses/Error' },
    },
  };
}

function answer(route: Route, schemas: Components): Json {
  if (route.response) {
    const schema = schemas.reference(route.response, 'output');
    return { description: 'Success', content: { 'application/json': { schema } } };
  }
  if (route.events) {
    return {
      description:
        'Server-sent events: `id`, `event` (the type) and `data` (JSON, one line). A stream that ends is complete. Resume a broken one with the last `id` as Last-Event-ID.',
      content: {
        'text/event-stream': {
          schema: { type: 'string' },
          // OpenAPI 3.1 has no keyword for the schema of one event.
          'x-event-data': schemas.reference(route.events, 'output'),
        },
      },
    };
  }
  if (route.bytes) {
    return {
      description: 'The bytes, with their own content type, as an attachment',
      headers: { 'content-disposition': { schema: { type: 'string' } } },
      content: { '*/*': {} },
    };
  }
  return { description: 'Done' };
}

function headerParameters(route: Route): Json[] {
  const optional = (name: string, description: string) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string', maxLength: 200 },
  });
  return [
    ...(route.events
      ? [optional('last-event-id', 'The id of the last event received; overrides `after`')]
      : []),
    ...(route.presence ? [optional(presenceHeader, 'The PIN, if presence is on')] : []),
  ];
}

function queryParameters(route: Route, schemas: Components): Json[] {
  if (!route.query) return [];
  const schema = schemas.reference(route.query, 'input') as { properties?: Json; required?: string[] };
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    in: 'query',
    required: schema.required?.includes(name) ?? false,
    schema: property,
  }));
}

/** A field that a variant of a union does not have. JSON Schema has no word for it. */
const absentFields: z.core.ToJSONSchemaParams = {
  unrepresentable: 'any',
  override: ({ zodSchema, jsonSchema }) => {
    if (zodSchema._zod.def.type === 'undefined') jsonSchema.not = {};
  },
};

/**
 * Schemas with an id are written once, under components, and referenced. A schema that is used in requests and responses is written as
 * requests use it: fields with a default are not required, which is also true of responses.
 */
class Components {
  readonly #schemas: Record<string, Json> = {};
  readonly #inputs = new Set<string>();

  reference(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { $schema, $defs, ...json } = z.toJSONSchema(schema, { io, ...absentFields }) as Json;
    for (const [id, definition] of Object.entries(($defs ?? {}) as Record<string, Json>))
      this.#add(id, definition, io);
    const id = z.globalRegistry.get(schema)?.id;
    if (id === undefined) return rewriteReferences(json) as Json;
    // A recursive schema with an id is in its own definitions already.
    if (json.$ref === undefined) this.#add(id, json, io);
    return { $ref: `#/components/schemas/${id}` };
  }

  all(): Record<string, Json> {
    return this.#schemas;
  }

  #add(id: string, definition: Json, io: 'input' | 'output'): void {
    if (io === 'output' && this.#inputs.has(id)) return;
    if (io === 'input') this.#inputs.add(id);
    const { id: _, $id: __, ...rest } = definition;
    this.#schemas[id] = rewriteReferences(rest) as Json;
  }
}

function rewriteReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewriteReferences);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) =>
      key === '$ref' && typeof entry === 'string'
        ? [key, entry.replace(/^#\/\$defs\//, '#/components/schemas/')]
        : [key, rewriteReferences(entry)],
    ),
  );
}
