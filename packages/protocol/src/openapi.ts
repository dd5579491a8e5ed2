import * as z from 'zod';
import { ErrorBody } from './error-body.ts';
import { pathParams, type Route, successStatus } from './route.ts';
import { routeRows } from './routes.ts';

type Json = Record<string, unknown>;

/** The API as an OpenAPI 3.1 document, made from the table of routes. */
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
        Error: { description: 'What went wrong', content: { 'application/json': { schema: errorSchema } } },
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
      ...queryParameters(route),
    ],
    ...(route.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemas.reference(route.body, 'input') } },
      },
    }),
    responses: {
      [success]: route.response
        ? {
            description: 'Success',
            content: { 'application/json': { schema: schemas.reference(route.response, 'output') } },
          }
        : { description: 'Done' },
      default: { $ref: '#/components/responses/Error' },
    },
  };
}

function queryParameters(route: Route): Json[] {
  if (!route.query) return [];
  const schema = z.toJSONSchema(route.query, { io: 'input' });
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    in: 'query',
    required: schema.required?.includes(name) ?? false,
    schema: property,
  }));
}

/** Schemas with an id are written once, under components, and referred to. */
class Components {
  readonly #schemas: Record<string, Json> = {};

  reference(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { $schema, $defs, ...json } = z.toJSONSchema(schema, { io }) as Json;
    for (const [id, definition] of Object.entries(($defs ?? {}) as Record<string, Json>))
      this.#add(id, definition);
    const id = z.globalRegistry.get(schema)?.id;
    if (id === undefined) return rewriteReferences(json) as Json;
    this.#add(id, json);
    return { $ref: `#/components/schemas/${id}` };
  }

  all(): Record<string, Json> {
    return this.#schemas;
  }

  #add(id: string, definition: Json): void {
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
