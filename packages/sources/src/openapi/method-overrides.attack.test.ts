import type { Auth, Tool } from '@executor/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalServer, startLocalServer } from '../../test/local-server.ts';
import { read, withOperation } from '../../test/read.ts';
import { createHttpClient } from '../http/create-http-client.ts';
import type { HttpClient } from '../http/http-client.ts';
import { createOpenApiSource } from './openapi-source.ts';

/* A call may not be more dangerous than its effect, even if a header or field replaces its method. */

let http: HttpClient;
let server: LocalServer;
const received: string[] = [];
beforeAll(async () => {
  http = createHttpClient();
  server = await startLocalServer((request, response) => {
    received.push(`${request.method} ${request.url}`);
    response.end('{}');
  });
});
afterAll(async () => {
  await http.close();
  await server.close();
});

const source = () => createOpenApiSource({ http, readerFolder: '' });
const string = { type: 'string' };
const worst = { effect: 'destructive', repeatable: false };
const harmless = { effect: 'read', repeatable: true };

async function effects(operation: object, { method = 'get', path = '/things', settings = {} } = {}) {
  const { tool, warnings } = await read(withOperation(operation, { method, path }));
  const loaded = tool('api.t.run');
  const { effect, repeatable } = loaded;
  // As an older version packed it.
  const old: Tool = { ...loaded, effect: 'read', repeatable: true };
  return { loaded: { effect, repeatable }, opened: pick(source().worstEffect?.(old, settings)), warnings };
}

function pick(tool: Pick<Tool, 'effect' | 'repeatable'> | undefined) {
  return tool && { effect: tool.effect, repeatable: tool.repeatable };
}

const declared = (name: string, schema: object = string, location = 'header') => ({
  parameters: [{ name, in: location, schema }],
});
const body = (mediaType: string) => ({
  requestBody: {
    content: { [mediaType]: { schema: { type: 'object', properties: { _method: string, a: string } } } },
  },
});

test.each<readonly [string, object]>([
  ...[
    'X-HTTP-Method-Override',
    'x-http-method',
    'X-METHOD-OVERRIDE',
    'X_Http_Method_Override',
    'X-Method',
  ].map((name) => [name, declared(name)] as const),
  ['_method in the query', declared('_method', string, 'query')],
  ['_METHOD in the query', declared('_METHOD', string, 'query')],
  ['X-HTTP-Method-Override in the query', declared('X-HTTP-Method-Override', string, 'query')],
  ['_method as a cookie', declared('_method', string, 'cookie')],
  ['_method in a form', body('application/x-www-form-urlencoded')],
  ['_method in a multipart body', body('multipart/form-data')],
  ['_method in a JSON body', body('application/json')],
  [
    'an alternative without parentheses',
    declared('_method', { type: 'string', pattern: '^GET|POST$' }, 'query'),
  ],
  [
    'an enum with an unknown method',
    declared('_method', { type: 'string', enum: ['GET', 'PURGE'] }, 'query'),
  ],
  [
    'an enum with two methods in one',
    declared('_method', { type: 'string', enum: ['GET, DELETE'] }, 'query'),
  ],
])(
  'A read that can replace its method by any other is as dangerous as a delete: %s',
  async (_, operation) => {
    const { loaded, opened, warnings } = await effects(operation);
    expect(loaded).toEqual(worst);
    expect(opened).toEqual(worst);
    expect(warnings.map(({ message }) => message).join()).toContain('can replace the method');
  },
);

test.each<[object, object]>([
  [{ enum: ['GET', 'head'] }, harmless],
  [{ const: 'GET' }, harmless],
  [{ enum: ['GET', 'PUT'] }, { effect: 'write', repeatable: true }],
  [{ enum: ['GET', 'POST'] }, { effect: 'write', repeatable: false }],
  [{ enum: ['GET', 'DELETE'] }, { effect: 'destructive', repeatable: true }],
  [
    { type: 'string', pattern: '^(GET|PATCH)$' },
    { effect: 'write', repeatable: false },
  ],
  [{ type: 'array', items: { enum: ['GET'] } }, harmless],
])('A method that is bounded by %j counts as the worst that it allows', async (schema, expected) => {
  const { loaded, opened } = await effects(declared('X-HTTP-Method-Override', schema));
  expect(loaded).toEqual(expected);
  expect(opened).toEqual(expected);
});

test.each<[string, { path?: string; settings?: object }]>([
  ['the path', { path: '/things?_method=delete' }],
  ['the base URL', { settings: { baseUrl: 'https://api.example.com/?_method=DELETE' } }],
  ['a header of the source', { settings: { headers: { 'X-HTTP-Method-Override': 'DELETE' } } }],
])('A constant method in %s counts', async (_, { path, settings }) => {
  const { opened } = await effects({}, { ...(path && { path }), ...(settings && { settings }) });
  expect(opened).toEqual({ effect: 'destructive', repeatable: true });
});

test('A header that replaces the method removes the suggestion that a call only reads', async () => {
  const operation = { operationId: 'search', ...declared('X-HTTP-Method-Override') };
  const { tool } = await read(withOperation(operation, { method: 'post' }));
  expect(tool('api.t.search')).toMatchObject(worst);
  expect(tool('api.t.search').suggestion).toBeUndefined();
});

test('Ordinary fields called method change nothing', async () => {
  for (const name of ['method', 'payment_method', 'Access-Control-Request-Method', 'methods', 'http_methods'])
    for (const location of ['header', 'query'])
      expect((await effects(declared(name, string, location))).loaded).toEqual(harmless);
});

const map = { type: 'object', additionalProperties: true };
const free = (mediaType: string) => ({
  requestBody: { content: { [mediaType]: { schema: { ...map, properties: { a: string } } } } },
});
const exploded = declared('filter', map, 'query');
const deleted = { _method: 'DELETE' };

test.each<[string, object, object, Auth?]>([
  ['a key of an exploded object', exploded, { filter: deleted }],
  ['a key in capitals', exploded, { filter: { _METHOD: 'DELETE' } }],
  ['an encoded key', exploded, { filter: { '%5fmethod': 'DELETE' } }],
  ['a key with a header name', exploded, { filter: { 'X-HTTP-Method-Override': 'DELETE' } }],
  ['an additional field of a form', free('application/x-www-form-urlencoded'), { a: 'b', ...deleted }],
  ['an additional part', free('multipart/form-data'), { a: 'b', ...deleted }],
  ['an additional field of a JSON body', free('application/json'), { a: 'b', ...deleted }],
  [
    'a field of a free-form JSON body',
    { requestBody: { content: { 'application/json': { schema: map } } } },
    { body: deleted },
  ],
  [
    'a file that is sent as a form',
    { requestBody: { content: { 'application/octet-stream': { schema: { ...string, format: 'binary' } } } } },
    { body: { text: '_method=DELETE', mediaType: 'application/x-www-form-urlencoded' } },
  ],
  [
    'the text of a whole form',
    { requestBody: { content: { 'application/x-www-form-urlencoded': { schema: string } } } },
    { body: '_method=DELETE' },
  ],
  ['a credential', {}, {}, { headers: { 'X-HTTP-Method-Override': 'DELETE' } }],
  ['a credential in the query', {}, {}, { query: deleted }],
])(
  'A method that the document does not declare is never sent: %s',
  async (_, operation, input, auth = {}) => {
    const { tool } = await read(withOperation(operation, { method: 'post' }));
    const settings = { document: '', baseUrl: server.url, allowPrivateNetwork: true };
    const outcome = await source().invoke(
      {
        tool: tool('api.t.run'),
        input,
        settings,
        auth,
        call: { workspaceId: 'ws', executionId: 'exe', index: 0, attempt: 1, id: 'exe.0' },
        ask: () => Promise.reject(new Error('There is no user.')),
        putArtifact: async () => ({ artifactId: 'art', mediaType: '', bytes: 0 }),
        readArtifact: async () => undefined,
        sourceId: 'src',
        progress() {},
        log() {},
        allowAnswer: async () => {},
      },
      AbortSignal.timeout(20_000),
    );
    expect(outcome).toMatchObject({
      type: 'error',
      message: expect.stringMatching(
        /replace(s)? the method of the request|read parameters from such a body/,
      ),
      details: { code: 'invalidRequest' },
    });
    expect(received).toEqual([]);
  },
);
