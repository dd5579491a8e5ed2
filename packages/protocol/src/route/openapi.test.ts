import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { openApiDocument } from './openapi.ts';
import { routeRows } from './routes.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads into the document
const document = openApiDocument('1.2.3') as any;

test('The document is a valid OpenAPI 3.1 document', async () => {
  const validator = new Validator();
  expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('Every row of the route table is an operation of the document', () => {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, { operationId: string; 'x-access': string }>).map(
      ([method, operation]) => `${operation.operationId} ${operation['x-access']} ${method} ${path}`,
    ),
  );
  expect(operations.sort()).toEqual(
    routeRows()
      .map(
        ({ name, route }) =>
          `${name} ${route.access} ${route.method.toLowerCase()} ${route.path.replace(/:(\w+)/g, '{$1}')}`,
      )
      .sort(),
  );
});

test('Every reference can be resolved', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    (match) => match[1] as string,
  );
  expect(references.length).toBeGreaterThan(10);
  for (const reference of references) {
    const target = reference.split('/').reduce((node, key) => node?.[key], document);
    expect(target, reference).toBeDefined();
  }
});

test('No schema is only a reference to itself', () => {
  for (const [name, schema] of Object.entries(document.components.schemas))
    expect(schema, name).not.toEqual({ $ref: `#/components/schemas/${name}` });
});

test('Streams, bytes and proof of presence are described', () => {
  const events = document.paths['/v1/executions/{id}/events'].get;
  expect(Object.keys(events.responses['200'].content)).toEqual(['text/event-stream']);
  expect(events.responses['200'].content['text/event-stream']['x-event-data']).toEqual({
    $ref: '#/components/schemas/ExecutionEvent',
  });
  expect(events.parameters.map((parameter: { in: string; name: string }) => parameter.name)).toEqual([
    'id',
    'after',
    'follow',
    'last-event-id',
  ]);
  expect(Object.keys(document.paths['/v1/artifacts/{id}'].get.responses['200'].content)).toEqual(['*/*']);
  expect(
    document.paths['/v1/policies/{id}'].delete.parameters.map(
      (parameter: { in: string; name: string }) => `${parameter.in} ${parameter.name}`,
    ),
  ).toEqual(['path id', 'header x-executor-presence']);
});
