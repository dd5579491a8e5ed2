import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../store/test/seeded-random.ts';
import { examples } from '../../../test/examples.ts';
import { read, readSchema, withOperation } from '../../../test/read.ts';
import { faultsOf } from '../../../test/soundness.ts';
import { UnusableDocumentError } from './document/document.ts';

const isLong = process.env.EXECUTOR_TEST_LONG === '1';
const json = (text: string) => JSON.parse(text) as unknown;

describe('a document with parts of the wrong type is read as far as possible', () => {
  const wrong = [
    null,
    0,
    '',
    'x',
    true,
    [],
    {},
    [null],
    ['x'],
    { x: null },
    { $ref: 7 },
    { $ref: '#/paths' },
  ];
  test.each(['info', 'servers', 'components', 'security', 'tags', 'paths'])('%s', async (key) => {
    for (const value of wrong) await read(withOperation({}, { [key]: value }));
  });

  test.each([
    'operationId',
    'tags',
    'summary',
    'description',
    'parameters',
    'requestBody',
    'responses',
    'security',
    'servers',
    'deprecated',
  ])('an operation with a wrong %s still becomes a tool', async (key) => {
    for (const value of wrong) expect((await read(withOperation({ [key]: value }))).tools).toHaveLength(1);
  });

  test.each([
    'properties',
    'items',
    'allOf',
    'oneOf',
    'required',
    'enum',
    'default',
    'format',
    'pattern',
    'discriminator',
    'additionalProperties',
    'type',
    '$ref',
    'nullable',
  ])('a schema with a wrong %s still becomes a field', async (key) => {
    for (const value of wrong)
      expect((await readSchema({ description: 'x', [key]: value })).schema).toBeDefined();
  });

  test('invalid paths and methods are ignored with a warning', async () => {
    const get = { operationId: 'run', responses: {} };
    const paths = {
      '/a': { get, GET: get, put: null, post: 'x', 'x-y': {}, summary: 's' },
      b: { get },
      '/c': null,
      '/d': [],
      'x-e': { get },
      '/f': { $ref: '#/paths/~1a' },
    };
    const { tools, warnings } = await read({ openapi: '3.0.0', paths });
    expect(tools.map(({ origin }) => `${origin.method} ${origin.path}`).sort()).toEqual([
      'GET /a',
      'GET /a',
      'GET /b',
      'GET /f',
      'GET /f',
    ]);
    expect(warnings.map(({ place }) => place)).toEqual(
      expect.arrayContaining(['/paths/~1a/put', '/paths/~1a/post', '/paths/b', '/paths/~1c', '/paths/~1d']),
    );
  });
});

describe('names such as __proto__ and constructor', () => {
  test('are ordinary names everywhere', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype'];
    const all = (value: string) => `{${names.map((name) => `"${name}":${value}`).join(',')}}`;
    const document =
      json(`{"openapi":"3.0.0","paths":{"__proto__":{"get":{"responses":${all('{}')},"operationId":"__proto__"}},"/constructor/{__proto__}":{"get":{"tags":["__proto__"],
      "parameters":[{"name":"__proto__","in":"query","schema":{"$ref":"#/components/schemas/__proto__"}}],
      "security":[${all('[]')}],"requestBody":{"content":${all('{"schema":{}}')}},"responses":{}}}},
      "components":{"schemas":${all(`{"properties":${all('{"$ref":"#/components/schemas/constructor"}')}}`)},"securitySchemes":${all('{"type":"http"}')}}}`);
    const { tools, definition, security } = await read(document);
    expect(tools).toHaveLength(2);
    expect(faultsOf(tools, definition)).toEqual([]);
    expect(security.map(({ name }) => name)).toEqual(names);
    expect(Object.keys((definition('constructor') as { properties: object }).properties)).toEqual(names);
    expect(({} as { get?: unknown; type?: unknown }).get).toBeUndefined();
  });
});

describe('parts over a limit are cut with a warning', () => {
  test('a large enum', async () => {
    const { schema, warnings } = await readSchema({
      type: 'string',
      enum: Array.from({ length: 200_000 }, (_, index) => `v${index}`),
    });
    expect(schema).toEqual({ type: 'string' });
    expect(warnings[0]?.message).toMatch(/200000 values is too long/);
  });

  test('a schema that is nested deeply or has many parts', async () => {
    let deep: unknown = { type: 'string' };
    for (let level = 0; level < 120; level++) deep = { type: 'object', properties: { a: deep } };
    expect((await readSchema(deep)).warnings[0]?.message).toMatch(/deeper than 80 levels/);
    const properties = Object.fromEntries(
      Array.from({ length: 20_001 }, (_, index) => [`p${index}`, { type: 'string' }]),
    );
    expect((await readSchema({ properties })).warnings[0]?.message).toMatch(/larger than 20000 parts/);
  });

  test('cycles and ladders of references take linear time', async () => {
    const schemas: Record<string, unknown> = {};
    for (let level = 0; level < 500; level++) {
      const next = { $ref: `#/components/schemas/s${(level + 1) % 500}` };
      schemas[`s${level}`] = { allOf: [next, next], properties: { a: next, b: next } };
    }
    const body = { content: { 'application/json': { schema: { $ref: '#/components/schemas/s0' } } } };
    const { tools, definition } = await read(
      withOperation(
        { requestBody: body, responses: { 200: body } },
        { method: 'post', components: { schemas } },
      ),
    );
    expect(tools).toHaveLength(1);
    expect(definition('s499')).toBeDefined();
  });

  test('the list of warnings', async () => {
    const parameters = Array.from({ length: 400 }, (_, index) => ({
      name: `p${index}`,
      in: 'query',
      schema: { type: `t${index}`, pattern: '(', enum: [] },
    }));
    const { warnings } = await read(withOperation({ parameters }));
    expect(warnings).toHaveLength(1_001);
  });
});

test('randomly mutated documents are refused or give valid tools', async () => {
  const random = seededRandom(11);
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
  const junk = [
    null,
    0,
    1.5,
    '',
    'x',
    true,
    [],
    {},
    [null],
    [{}],
    { $ref: '#' },
    { $ref: '#/a' },
    { $ref: 5 },
    { $ref: 'other.yaml#/x' },
    '__proto__',
    json('{"__proto__":{"type":"string"}}'),
  ];
  const keys = ['__proto__', 'constructor', '$ref', 'allOf', 'type', 'properties'];
  const mutate = (value: unknown, share: number): unknown => {
    if (random() < share) return pick(junk);
    if (Array.isArray(value)) return value.map((item) => mutate(item, share));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [
        random() < share / 4 ? pick(keys) : key,
        mutate(child, share),
      ]),
    );
  };
  const documents = examples()
    .filter(({ path, bytes }) => path.endsWith('.json') && bytes.length < 50_000)
    .map(({ bytes }) => json(bytes.toString()));
  const rounds = isLong ? 300 : 40;
  let made = 0;
  for (let round = 0; round < rounds; round++) {
    const document = mutate(pick(documents), pick([0.002, 0.01, 0.05]));
    const result = await read(document).catch((error) => error);
    if (result instanceof UnusableDocumentError) continue;
    if (result instanceof Error)
      throw new Error(`${result.stack} for ${JSON.stringify(document).slice(0, 5_000)}`);
    expect(
      result.warnings.filter(({ message }: { message: string }) => message.includes('could not be read')),
    ).toEqual([]);
    expect(faultsOf(result.tools, result.definition)).toEqual([]);
    made += result.tools.length;
  }
  expect(made).toBeGreaterThan(rounds * 3);
});

test('texts that make regular expressions slow take little time', async () => {
  const long = (text: string) => `${text.repeat(isLong ? 100_000 : 20_000)}x`;
  const all = ['/', '_', ' ', '{', '[a](', '<a ', '\\', '# ', 'a/', '.+-'].map(long);
  for (const text of all) {
    const components = {
      schemas: { [text]: { pattern: text, description: text, minimum: text } },
      securitySchemes: { [text]: { type: 'http', description: text } },
    };
    const operation = {
      operationId: text,
      summary: text,
      tags: [text],
      parameters: [{ name: text, in: 'query', schema: { $ref: text } }],
      requestBody: { content: { [text]: {} } },
    };
    const { tools } = await read(
      withOperation(operation, { servers: [{ url: text }], path: `/${text}`, components }),
    );
    expect(tools).toHaveLength(1);
    await read(
      withOperation(operation, {
        openapi: undefined,
        swagger: '2.0',
        host: text,
        basePath: text,
        definitions: components.schemas,
      }),
    );
  }
});
