import { describe, expect, test } from 'vitest';
import { read, readSchema, withOperation } from '../../../../test/read.ts';

const schemaOf = async (schema: unknown, rest?: Record<string, unknown>) =>
  (await readSchema(schema, rest)).schema;
const v31 = { openapi: '3.1.0' };

describe('schemas of each dialect become JSON Schema 2020-12', () => {
  test.each([
    [{ type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [
      { type: 'string', nullable: true, enum: ['a'] },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [{ type: 'string', 'x-nullable': true }, { type: ['string', 'null'] }],
    [
      { nullable: true, allOf: [{ type: 'object' }] },
      { anyOf: [{ allOf: [{ type: 'object' }] }, { type: 'null' }] },
    ],
    [
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      { type: 'number', exclusiveMinimum: 1 },
    ],
    [
      { type: 'number', maximum: 1, exclusiveMaximum: false },
      { type: 'number', maximum: 1 },
    ],
    [
      { type: 'number', exclusiveMinimum: 1 },
      { type: 'number', exclusiveMinimum: 1 },
    ],
    [{ type: ['string', 'null'] }, { type: ['string', 'null'] }],
    [{ const: 'a' }, { const: 'a' }],
    [
      { type: 'array', items: [{ type: 'string' }], additionalItems: false },
      { type: 'array', prefixItems: [{ type: 'string' }], items: false },
    ],
    [{ properties: { a: true } }, { type: 'object', properties: { a: true } }],
    [
      { dependencies: { a: ['b'], c: { required: ['d'] } } },
      { dependentRequired: { a: ['b'] }, dependentSchemas: { c: { required: ['d'] } } },
    ],
    [{ type: 'file' }, { type: 'string', format: 'binary' }],
    [
      {
        title: 'T',
        description: 'D',
        example: 1,
        examples: [1],
        xml: {},
        externalDocs: {},
        'x-y': 1,
        $schema: 's',
        $comment: 'c',
      },
      { description: 'D' },
    ],
  ])('%j', async (schema, expected) => {
    expect(await readSchema(schema)).toMatchObject({ schema: expected, warnings: [] });
    expect(await schemaOf(schema)).toEqual(expected);
  });
});

describe('an invalid keyword is ignored with a warning', () => {
  test.each<[unknown, unknown]>([
    [{ type: 'strnig', maxLength: 3 }, { maxLength: 3 }],
    [{ type: 'int' }, { type: 'integer' }],
    [{ type: 'String' }, { type: 'string' }],
    [{ type: 7 }, {}],
    [{ type: 'string', maxLength: 'x' }, { type: 'string' }],
    [{ type: 'string', pattern: '(' }, { type: 'string' }],
    [{ type: 'string', enum: [] }, { type: 'string' }],
    [{ type: 'string', enum: 'a' }, { type: 'string' }],
    [{ type: 'integer', enum: ['a'] }, { type: 'integer' }],
    [{ type: 'integer', default: 'many' }, { type: 'integer' }],
    [{ allOf: 'x' }, {}],
    [{ properties: [] }, {}],
    [{ $ref: '#/nowhere' }, {}],
    [{ $ref: '#/info/title', description: 'kept' }, { description: 'kept' }],
    ['string', true],
    [null, true],
    [{ items: null, type: 'array' }, { type: 'array' }],
  ])('%j', async (schema, expected) => {
    const { schema: made, warnings } = await readSchema(schema);
    expect(made).toEqual(expected);
    expect(warnings).toEqual([
      {
        place: expect.stringMatching(/^\/paths\/~1things\/get\/parameters\/0/),
        message: expect.stringMatching(/\.$/),
      },
    ]);
  });

  test.each([
    [
      { type: 'integer', minimum: '1', default: '10' },
      { type: 'integer', minimum: 1, default: 10 },
    ],
    [
      { type: 'boolean', default: 'true' },
      { type: 'boolean', default: true },
    ],
    [
      { type: 'string', default: 5 },
      { type: 'string', default: '5' },
    ],
    [
      { type: 'string', enum: [1, 2] },
      { type: 'string', enum: ['1', '2'] },
    ],
    [
      { type: 'integer', enum: ['1'] },
      { type: 'integer', enum: [1] },
    ],
    [{ type: 'string', default: null }, { type: 'string' }],
    [
      { type: 'array', enum: ['a'], items: { type: 'string' } },
      { type: 'array', items: { type: 'string', enum: ['a'] } },
    ],
    [
      { type: 'string', pattern: '/^a+$/i' },
      { type: 'string', pattern: '^a+$' },
    ],
    [
      { properties: { a: { type: 'string', required: true } } },
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    ],
    [{ allOf: [], type: 'string' }, { type: 'string' }],
  ])('or converted without a warning if its meaning is clear: %j', async (schema, expected) => {
    expect(await schemaOf(schema)).toEqual(expected);
  });
});

describe('references', () => {
  const components = {
    schemas: {
      Pet: {
        type: 'object',
        properties: { name: { type: 'string' }, mother: { $ref: '#/components/schemas/Pet' } },
      },
      'a/b c': { type: 'string' },
      Same: { $ref: '#/components/schemas/Pet' },
      Loop: { $ref: '#/components/schemas/Loop' },
      ping: { $ref: '#/components/schemas/pong', description: 'x' },
      pong: { $ref: '#/components/schemas/ping', description: 'y' },
    },
  };
  const resolved = (schema: unknown, rest: object = {}) => readSchema(schema, { components, ...rest });

  test('become definitions, which may be cyclic', async () => {
    const { schema, definition } = await resolved({ $ref: '#/components/schemas/Pet' });
    expect(schema).toEqual({ $ref: '#/$defs/Pet' });
    expect(definition('Pet')).toEqual({
      type: 'object',
      properties: { name: { type: 'string' }, mother: { $ref: '#/$defs/Pet' } },
    });
    expect(definition('a_b_c')).toBeUndefined();
  });

  test('skip schemas that are only references, in any spelling', async () => {
    expect((await resolved({ $ref: '#/components/schemas/Same' })).schema).toEqual({ $ref: '#/$defs/Pet' });
    for (const $ref of ['#/components/schemas/a~1b c', '#/components/schemas/a~1b%20c']) {
      expect((await resolved({ $ref })).schema).toEqual({ $ref: '#/$defs/a_b_c' });
    }
  });

  test('keep sibling keywords: descriptions in 3.0, all in 3.1', async () => {
    const beside = {
      $ref: '#/components/schemas/Pet',
      description: 'mine',
      nullable: true,
      required: ['name'],
    };
    expect((await resolved(beside)).schema).toEqual({
      description: 'mine',
      anyOf: [{ $ref: '#/$defs/Pet' }, { type: 'null' }],
    });
    expect((await resolved({ ...beside, nullable: false }, v31)).schema).toEqual({
      $ref: '#/$defs/Pet',
      description: 'mine',
      required: ['name'],
    });
  });

  test('to themselves end', async () => {
    expect((await resolved({ $ref: '#/components/schemas/Loop' })).schema).toEqual({});
    const { definition } = await resolved({ $ref: '#/components/schemas/ping' }, v31);
    expect(definition('ping')).toEqual({ $ref: '#/$defs/pong', description: 'x' });
  });

  test('to other parts of the document become definitions with names', async () => {
    const { schema, definition } = await resolved({ $ref: '#/components/schemas/Pet/properties/name' });
    expect(schema).toEqual({ $ref: '#/$defs/Pet_name' });
    expect(definition('Pet_name')).toEqual({ type: 'string' });
    const pathRef = '#/paths/~1things/get/parameters/1/schema';
    const { tool } = await read(
      withOperation({
        parameters: [
          { name: 'a', in: 'query', schema: { $ref: pathRef } },
          { name: 'b', in: 'query', schema: { type: 'number' } },
        ],
      }),
    );
    expect(tool('api.t.run').inputSchema).toMatchObject({
      properties: { a: { $ref: '#/$defs/things_get_1' } },
    });
  });

  test('work by anchor, id, dynamic anchor, name, and $defs', async () => {
    const schemas = {
      A: { $anchor: 'here', type: 'string' },
      B: { $id: 'https://ids.example/b', type: 'number', $defs: { inner: { type: 'boolean' } } },
      C: { $dynamicAnchor: 'node', type: 'array' },
    };
    const by = async (schema: unknown) =>
      (await readSchema(schema, { ...v31, components: { schemas } })).schema;
    expect(await by({ $ref: '#here' })).toEqual({ $ref: '#/$defs/A' });
    expect(await by({ $ref: 'https://ids.example/b' })).toEqual({ $ref: '#/$defs/B' });
    expect(await by({ $ref: 'https://ids.example/b#/$defs/inner' })).toEqual({ $ref: '#/$defs/B_inner' });
    expect(await by({ $dynamicRef: '#node' })).toEqual({ $ref: '#/$defs/C' });
    expect(await by({ $ref: 'A' })).toEqual({ $ref: '#/$defs/A' });
  });

  test('to other documents are relative to the document that has them', async () => {
    const files = new Map([
      [
        'https://api.example.com/docs/pets.yaml',
        'Pet: {type: object, properties: {owner: {$ref: "people/person.json#/Person"}}}',
      ],
      [
        'https://api.example.com/docs/people/person.json',
        '{"Person":{"type":"object","properties":{"pet":{"$ref":"../pets.yaml#/Pet"}}}}',
      ],
    ]);
    const asked: string[] = [];
    const { tool, definition, warnings } = await read(
      withOperation({
        parameters: [
          { name: 'p', in: 'query', schema: { $ref: './pets.yaml#/Pet' } },
          { name: 'q', in: 'query', schema: { $ref: 'gone.json' } },
        ],
      }),
      {
        fetch(url) {
          asked.push(url);
          const text = files.get(url);
          return text === undefined ? { refused: 'it answered 404.' } : { url, bytes: Buffer.from(text) };
        },
      },
    );
    expect(tool('api.t.run').inputSchema).toMatchObject({
      properties: { p: { $ref: '#/$defs/pets_Pet' }, q: {} },
    });
    expect(definition('pets_Pet')).toEqual({
      type: 'object',
      properties: { owner: { $ref: '#/$defs/person_Person' } },
    });
    expect(definition('person_Person')).toEqual({
      type: 'object',
      properties: { pet: { $ref: '#/$defs/pets_Pet' } },
    });
    expect(warnings).toEqual([
      {
        place: '/paths/~1things/get/parameters/1/schema',
        message: 'The reference gone.json cannot be resolved: it answered 404.',
      },
    ]);
    expect(asked.toSorted()).toEqual([...files.keys(), 'https://api.example.com/docs/gone.json'].toSorted());
  });

  test('to other documents cannot be resolved in a document passed as text', async () => {
    const { warnings } = await read(
      withOperation({ parameters: [{ name: 'p', in: 'query', schema: { $ref: './pets.yaml#/Pet' } }] }),
      { url: undefined },
    );
    expect(warnings[0]?.message).toMatch(/was passed as text/);
  });
});

describe('read-only and write-only properties', () => {
  const schemas = {
    Pet: {
      type: 'object',
      required: ['id', 'name'],
      properties: {
        id: { type: 'string', readOnly: true },
        name: { type: 'string' },
        pin: { type: 'string', writeOnly: true },
        next: { $ref: '#/components/schemas/Pet' },
      },
    },
    Shelter: {
      type: 'object',
      properties: {
        pets: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
        plain: { $ref: '#/components/schemas/Plain' },
      },
    },
    Plain: { type: 'object', properties: { a: { type: 'string' } } },
  };
  const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });

  test('are dropped in one direction, and a definition that differs exists twice', async () => {
    const shelter = { $ref: '#/components/schemas/Shelter' };
    const { tool, definition } = await read(
      withOperation(
        { requestBody: json({ type: 'array', items: shelter }), responses: { 200: json(shelter) } },
        { components: { schemas }, method: 'post' },
      ),
    );
    expect(tool('api.t.run').inputSchema).toMatchObject({
      properties: { body: { items: { $ref: '#/$defs/ShelterInput' } } },
    });
    expect(tool('api.t.run').outputSchema).toEqual({ $ref: '#/$defs/Shelter' });
    expect(definition('ShelterInput')).toMatchObject({
      properties: { pets: { items: { $ref: '#/$defs/PetInput' } }, plain: { $ref: '#/$defs/Plain' } },
    });
    expect(definition('PetInput')).toEqual({
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, pin: { type: 'string' }, next: { $ref: '#/$defs/PetInput' } },
    });
    expect(definition('Pet')).toEqual({
      type: 'object',
      required: ['id', 'name'],
      properties: { id: { type: 'string' }, name: { type: 'string' }, next: { $ref: '#/$defs/Pet' } },
    });
    expect(definition('PlainInput')).toBeUndefined();
  });

  test('are not body fields and not required', async () => {
    const { tool } = await read(
      withOperation(
        { requestBody: { required: true, ...json({ $ref: '#/components/schemas/Pet' }) } },
        { components: { schemas }, method: 'post' },
      ),
    );
    expect(tool('api.t.run').inputSchema).toMatchObject({ required: ['name'] });
    expect(Object.keys((tool('api.t.run').inputSchema as { properties: object }).properties)).toEqual([
      'name',
      'pin',
      'next',
    ]);
  });
});

test('a discriminator adds its value to each alternative', async () => {
  const pet = (name: string) => ({
    type: 'object',
    properties: { kind: { type: 'string' }, [name]: { type: 'string' } },
  });
  const schemas = {
    Cat: pet('claws'),
    Dog: pet('bark'),
    Own: { type: 'object', properties: { kind: { const: 'o' } } },
  };
  const oneOf = Object.keys(schemas).map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const branch = (name: string, value: string) => ({
    $ref: `#/$defs/${name}`,
    properties: { kind: { enum: [value] } },
    required: ['kind'],
  });
  expect(
    await schemaOf({ oneOf, discriminator: { propertyName: 'kind' } }, { components: { schemas } }),
  ).toEqual({
    anyOf: [branch('Cat', 'Cat'), branch('Dog', 'Dog'), { $ref: '#/$defs/Own' }],
  });
  const mapping = { cat: '#/components/schemas/Cat', dog: 'Dog' };
  expect(
    await schemaOf({ oneOf, discriminator: { propertyName: 'kind', mapping } }, { components: { schemas } }),
  ).toEqual({
    anyOf: [branch('Cat', 'cat'), branch('Dog', 'dog'), { $ref: '#/$defs/Own' }],
  });
});
