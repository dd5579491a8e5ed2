import { signatureOf } from '@executor/engine';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openCalls, readSchema } from '../../test/graphql/calling.ts';
import { type LocalServer, startLocalServer } from '../../test/local-server.ts';
import { readerFolder } from '../../test/reader-folder.ts';
import { createHttpClient } from '../http/create-http-client.ts';
import { createGraphQlSource } from './graphql-source.ts';

/* Servers that describe themselves in hostile ways. Each test chooses the answer to the introspection. */

const http = createHttpClient();
const source = createGraphQlSource({ http, readerFolder });
let server: LocalServer;
let answer: (body: string) => { status?: number; text: string };
const asked: string[] = [];

beforeAll(async () => {
  server = await startLocalServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push(`${request.headers.authorization ?? ''}${body}`);
    const { status = 200, text } = answer(body);
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  });
});
afterAll(async () => {
  await Promise.all([http.close(), server.close()]);
});
beforeEach(() => {
  asked.splice(0);
});

const open = () => openCalls(source, { url: `${server.url}/graphql`, allowPrivateNetwork: true });
const text = { kind: 'SCALAR', name: 'String' };

function introspection(fields: object[], types: object[] = []): string {
  const query = { kind: 'OBJECT', name: 'Query', fields, interfaces: [] };
  const schema = { queryType: { name: 'Query' }, directives: [], types: [query, ...types, text] };
  return JSON.stringify({ data: { __schema: schema } });
}
const field = (name: string, type: object = text, args: object[] = []) => ({
  name,
  args,
  type,
  isDeprecated: false,
});

test('100,000 fields are read within the limits', async () => {
  const fields = Array.from({ length: 100_000 }, (_, index) => field(`field${index}`));
  answer = () => ({ text: introspection(fields) });
  const api = await open();
  expect(api.pack.size).toBe(100_000);
});

test('An introspection of 50 MB is read or refused with a sentence', async () => {
  const description = 'x'.repeat(5_000);
  const fields = Array.from({ length: 10_000 }, (_, index) => ({ ...field(`field${index}`), description }));
  answer = () => ({ text: introspection(fields) });
  expect(answer('').text.length).toBeGreaterThan(50_000_000);
  const api = await open();
  expect(api.pack.size).toBe(10_000);
  expect(api.find('api.query.field1').description.length).toBeLessThan(1_100);
});

test('More than 64 MB are refused while they arrive', async () => {
  answer = () => ({ text: `{"data":"${'x'.repeat(65 * 1024 * 1024)}"}` });
  await expect(open().then(() => 'loaded')).rejects.toMatchObject({ code: 'payloadTooLarge' });
});

test('Types of a long cycle, and types that all refer to each other, have bounded selections', async () => {
  const count = 300;
  const names = Array.from({ length: count }, (_, index) => `T${index}`);
  const sdl = [
    'type Query { start: T0 }',
    ...names.map(
      (name) => `type ${name} { id: ID! ${names.map((other) => `to${other}: ${other}`).join(' ')} }`,
    ),
  ].join('\n');
  const { pack } = await readSchema(sdl);
  const tool = pack.find('api.query.start');
  if (tool === undefined) throw new Error('There is no tool.');
  expect(JSON.stringify(tool.plan).length).toBeLessThan(2_000);
  expect(signatureOf(tool).length).toBeLessThan(1_500);
});

test('Input types that contain themselves are definitions that refer to themselves', async () => {
  const { pack } = await readSchema(
    'type Query { find(by: Filter!): Int } input Filter { and: [Filter!], not: Filter, id: ID }',
  );
  expect(pack.get('Filter')).toMatchObject({
    properties: { not: { anyOf: [{ $ref: '#/$defs/Filter' }, { type: 'null' }] } },
  });
});

test('Names such as __proto__ are ordinary names', async () => {
  const sdl = `type Query { __proto__(__proto__: constructor!): __proto__  constructor: Int then: Int toString(hasOwnProperty: Int): String }
    type __proto__ { __proto__: __proto__  constructor: String }
    input constructor { __proto__: Int }`;
  const { pack } = await readSchema(sdl);
  expect([...pack.paths()].sort()).toEqual([
    'api.query.__proto___',
    'api.query.constructor_',
    'api.query.then_',
    'api.query.toString_',
  ]);
  const tool = pack.find('api.query.__proto___');
  const { properties } = (tool?.inputSchema ?? {}) as { properties: object };
  expect(Object.keys(properties)).toEqual(['__proto__', 'select']);
  expect(Object.getPrototypeOf(properties)).toBe(Object.prototype);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('Names that differ only in case or in their end get different paths, and keep them', async () => {
  const long = 'x'.repeat(100);
  const sdl = `type Query { user: Int User: Int ${long}a: Int ${long}b: Int }`;
  const first = await readSchema(sdl);
  const paths = [...first.pack.paths()];
  expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(4);
  const second = await readSchema(`type Query { ${long}b: Int User: Int }`, {
    previous: [...first.pack.rows()],
  });
  expect(
    [...second.pack.rows()].every(({ path, origin }) => first.pack.row(path)?.origin.field === origin.field),
  ).toBe(true);
});

const nested = (depth: number) => {
  let type: object = text;
  for (let level = 0; level < depth; level++) type = { kind: 'LIST', ofType: type };
  return type;
};

test.each<[string, () => string, RegExp]>([
  ['deep nesting', () => `{"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, /nested deeper/],
  [
    'unknown types',
    () => introspection([field('a', { kind: 'OBJECT', name: 'Missing' })]),
    /invalid: .*Missing/,
  ],
  ['a list of nothing', () => introspection([field('a', { kind: 'LIST', ofType: null })]), /invalid/],
  [
    'an object as a scalar',
    () => introspection([field('a', text, [field('b', { kind: 'OBJECT', name: 'Query' })])]),
    /invalid/,
  ],
  [
    'fields that are no list',
    () => JSON.stringify({ data: { __schema: { queryType: { name: 'Query' }, types: 5 } } }),
    /invalid/,
  ],
  ['names that are no names', () => introspection([field('a b')]), /invalid/],
  ['no data', () => '{"data":null}', /not the answer to an introspection query/],
  [
    'errors',
    () => '{"errors":[{"message":"Introspection is off"}]}',
    /refuses to describe its schema: Introspection is off/,
  ],
  ['errors that are no errors', () => '{"errors":{"message":5}}', /not the answer to an introspection query/],
  ['no queries', () => introspection([]), /nothing to call|invalid/],
  ['text', () => '<html></html>', /web page/],
  ['nothing', () => '', /empty/],
  ['half a document', () => introspection([field('a')]).slice(0, -20), /not valid JSON/],
])('An introspection with %s is refused with a sentence', async (_, schema, message) => {
  answer = () => ({ text: schema() });
  await expect(open().then(() => 'loaded')).rejects.toMatchObject({
    code: 'unusableDocument',
    message: expect.stringMatching(message),
  });
});

test('A type of many nested lists has a short signature', async () => {
  answer = () => ({ text: introspection([field('a', nested(200))]) });
  expect(signatureOf((await open()).find('api.query.a')).length).toBeLessThan(1_500);
});

test('A selection of interfaces and unions with very many types is refused before it is checked', async () => {
  const members = Array.from({ length: 300 }, (_, index) => `T${index}`);
  const unions = Array.from({ length: 100 }, (_, index) => `U${index}`);
  const document = [
    `type Query { any: U0 }`,
    ...members.map((name) => `type ${name} { id: ID }`),
    ...unions.map((name) => `union ${name} = ${members.join(' | ')}`),
  ].join('\n');
  const { check } = await openCalls(source, {
    document,
    baseUrl: `${server.url}/graphql`,
    allowPrivateNetwork: true,
  });
  const selectOf = (names: string[]) => names.map((name) => `... on ${name} { __typename }`).join(' ');
  expect(await check('api.query.any', { select: selectOf(unions.slice(0, 5)) })).toBeUndefined();
  expect(await check('api.query.any', { select: selectOf(unions) })).toMatchObject({
    type: 'error',
    message: expect.stringContaining('select uses interfaces and unions of more than 5000 types'),
  });
});

test('Wrong names are not compared with very many or very long names', async () => {
  const long = 'a'.repeat(300);
  const names = Array.from({ length: 300 }, (_, index) => `${long}${index}`);
  const document = [
    'type Query { any: T }',
    `type T { near: ID pick(as: E): ID ${names.map((name) => `${name}: ID`).join(' ')} }`,
    `enum E { NEAR ${names.join(' ')} }`,
  ].join('\n');
  const { check } = await openCalls(source, {
    document,
    baseUrl: `${server.url}/graphql`,
    allowPrivateNetwork: true,
  });
  const problem = async (select: string) => (await check('api.query.any', { select }))?.message;
  for (const select of [long, `pick(as: ${long})`, `pick(as: "${long}")`, `pick(as: [{ x: ${long} }])`]) {
    expect(await problem(select)).toMatch(/Cannot query field|does not exist|cannot represent/);
    expect(await problem(select)).not.toContain('Did you mean');
  }
  expect(await problem('naer')).toContain('Did you mean "near"?');
});

test('Only subscriptions are refused with one sentence', async () => {
  await expect(readSchema('schema { query: Q subscription: S } type Q type S { on: Int }')).rejects.toThrow(
    /^The schema has only subscriptions, which Executor does not support, because a call has one result\.$/,
  );
});

test('SDL that is nested too deeply, or too large, is refused with a sentence', async () => {
  const deep = `type Query { a: ${'['.repeat(50_000)}Int${']'.repeat(50_000)} }`;
  await expect(openCalls(source, { document: deep })).rejects.toMatchObject({ code: 'unusableDocument' });
});

test('A server of an older specification is asked again without new fields', async () => {
  answer = (body) =>
    body.includes('isOneOf')
      ? { status: 400, text: '{"errors":[{"message":"Cannot query field \\"isOneOf\\""}]}' }
      : { text: introspection([field('a')]) };
  expect((await open()).pack.size).toBe(1);
  expect(asked).toHaveLength(2);
});

test('A schema file on another host gets no credentials', async () => {
  const other = await startLocalServer((request, response) => {
    asked.push(String(request.headers.authorization));
    response.end('type Query { a: Int }');
  });
  const signal = AbortSignal.timeout(60_000);
  const auth = { headers: { authorization: 'Bearer secret' } };
  const settings = {
    url: `${other.url}/schema.graphql`,
    baseUrl: `${server.url}/graphql`,
    allowPrivateNetwork: true,
  };
  const loaded = await source.load(settings, { sourceId: 'src', namespace: 'api', signal, auth });
  expect(loaded.baseUrl).toBe(settings.baseUrl);
  expect(asked).toEqual(['undefined']);
  await other.close();
});
