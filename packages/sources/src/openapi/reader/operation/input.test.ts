import { InputValidator } from '@executor/engine';
import { describe, expect, test } from 'vitest';
import { read, withOperation } from '../../../../test/read.ts';

const run = async (operation: object, rest: Record<string, unknown> = {}) => {
  const { tool, warnings } = await read(withOperation(operation, { method: 'post', ...rest }));
  const { inputSchema, plan } = tool('api.t.run');
  return {
    input: inputSchema as Record<string, unknown>,
    plan,
    warnings: warnings.map(({ message }) => message),
  };
};
const string = { type: 'string' };
const json = (schema: unknown, rest = {}) => ({
  requestBody: { content: { 'application/json': { schema } }, ...rest },
});
const parameter = (name: string, where = 'query', rest: object = { schema: string }) => ({
  name,
  in: where,
  ...rest,
});
const objectSchema = { type: 'object', properties: { a: string } };
const swagger = { openapi: undefined, swagger: '2.0', servers: undefined, host: 'api.example.com' };

describe('the input is a flat object', () => {
  test('with the parameters and the fields of the body', async () => {
    const { input, plan } = await run(
      {
        parameters: [
          parameter('id', 'path'),
          parameter('q', 'query', {
            required: true,
            description: 'What to look for',
            schema: { type: 'integer', default: 5 },
          }),
          parameter('X-Trace', 'header'),
          parameter('session', 'cookie'),
        ],
        ...json(
          {
            type: 'object',
            properties: { name: string, tags: { type: 'array', items: string } },
            required: ['name'],
          },
          { required: true },
        ),
      },
      { path: '/things/{id}' },
    );
    expect(input).toEqual({
      type: 'object',
      properties: {
        id: string,
        q: { type: 'integer', default: 5, description: 'What to look for' },
        'X-Trace': string,
        session: string,
        name: string,
        tags: { type: 'array', items: string },
      },
      required: ['id', 'q', 'name'],
      additionalProperties: false,
    });
    expect(plan).toEqual({
      method: 'POST',
      path: '/things/{id}',
      servers: [{ url: 'https://api.example.com' }],
      parameters: [
        { field: 'id', name: 'id', in: 'path', style: 'simple', explode: false },
        { field: 'q', name: 'q', in: 'query', style: 'form', explode: true },
        { field: 'X-Trace', name: 'X-Trace', in: 'header', style: 'simple', explode: false },
        { field: 'session', name: 'session', in: 'cookie', style: 'form', explode: true },
      ],
      body: {
        required: true,
        mediaType: 'application/json',
        kind: 'json',
        from: { type: 'fields', fields: { name: 'name', tags: 'tags' } },
      },
      accept: [],
    });
  });

  test('that prefixes the second of two equal names with its location', async () => {
    const { input, plan } = await run(
      {
        parameters: [
          parameter('id', 'path'),
          parameter('id', 'query'),
          parameter('id', 'header'),
          parameter('id', 'cookie'),
        ],
        ...json({ type: 'object', properties: { id: string } }),
      },
      { path: '/things/{id}' },
    );
    expect(Object.keys(input.properties as object)).toEqual([
      'id',
      'query_id',
      'header_id',
      'cookie_id',
      'body_id',
    ]);
    expect(plan.body?.from).toEqual({ type: 'fields', fields: { body_id: 'id' } });
    expect((await run({ parameters: [parameter('body')], ...json(string) })).plan.body?.from).toEqual({
      type: 'field',
      field: 'body_body',
    });
  });

  test.each([
    ['an array', { type: 'array', items: string }],
    ['a scalar', string],
    [
      'a choice',
      {
        anyOf: [
          { type: 'object', properties: { a: string } },
          { type: 'object', properties: { b: string } },
        ],
      },
    ],
    ['a map', { type: 'object', additionalProperties: string }],
    ['anything', {}],
  ])('with one field for a body that is %s', async (_, schema) => {
    const { input, plan } = await run(json(schema, { required: true, description: 'All of it' }));
    expect(input).toMatchObject({
      properties: { body: { ...schema, description: 'All of it' } },
      required: ['body'],
    });
    expect(plan.body?.from).toEqual({ type: 'field', field: 'body' });
  });

  test('without defaults of an optional body, but with those of a required one', async () => {
    const body = {
      type: 'object',
      required: ['a'],
      properties: { a: string, b: { ...string, default: 'x' } },
    };
    const optional = await run(json(body));
    expect(optional.input).toMatchObject({
      properties: { b: { type: 'string' } },
      dependentRequired: { b: ['a'] },
    });
    expect(optional.input.properties).not.toMatchObject({ b: { default: 'x' } });
    expect(optional.input).toMatchObject({ documentedDefaults: { b: 'x' } });
    const required = await run(json(body, { required: true }));
    expect(required.input).not.toHaveProperty('documentedDefaults');
    expect(required.input.properties).toMatchObject({ b: { default: 'x' } });
  });

  test('that requires one of several groups only if the body has their fields', async () => {
    const fields = {
      type: 'object',
      properties: { a: string, b: string, id: { ...string, readOnly: true } },
    };
    const choose = async (...groups: string[][]) => {
      const oneOf = groups.map((required) => ({ required }));
      return (await run(json({ ...fields, oneOf }, { required: true }))).input.allOf;
    };
    expect(await choose(['a'], ['b'])).toEqual([{ oneOf: [{ required: ['a'] }, { required: ['b'] }] }]);
    expect(await choose(['a'], ['nowhere'])).toEqual([
      { oneOf: [{ required: ['a'] }, { required: ['nowhere'] }] },
    ]);
    expect(await choose(['a'], ['id'])).toBeUndefined();
  });

  test('without read-only fields of any part of the body', async () => {
    const Base = {
      type: 'object',
      required: ['id'],
      properties: { id: { ...string, readOnly: true, default: '1' } },
    };
    const body = {
      allOf: [{ $ref: '#/components/schemas/Base' }, { type: 'object', properties: { a: string } }],
    };
    const { input } = await run(json(body, { required: true }), { components: { schemas: { Base } } });
    expect(Object.keys(input.properties as object)).toEqual(['a']);
    expect(input.required).toBeUndefined();
  });

  test('with the fields of everything that a body is all of', async () => {
    const components = {
      schemas: { Base: { type: 'object', properties: { id: string }, required: ['id'] } },
    };
    const allOf = [
      { $ref: '#/components/schemas/Base' },
      { type: 'object', properties: { name: string, id: { minLength: 2 } } },
    ];
    const { input } = await run(json({ allOf, required: ['name'] }, { required: true }), { components });
    expect(input).toMatchObject({
      properties: { id: { allOf: [string, { minLength: 2 }] }, name: string },
      required: ['name', 'id'],
    });
  });

  test('that asks for the required fields of a body only with others of it, where the body may be left out', async () => {
    const { input } = await run({
      parameters: [parameter('q')],
      ...json({ type: 'object', properties: { a: string, b: string, c: string }, required: ['a', 'b'] }),
    });
    expect(input.required).toBeUndefined();
    expect(input.dependentRequired).toEqual({ a: ['b'], b: ['a'], c: ['a', 'b'] });
  });

  test('with additional fields if the body allows them or has unknown subtypes', async () => {
    const body = { type: 'object', properties: { a: string } };
    const open = await run(json({ ...body, additionalProperties: { type: 'number' } }));
    expect(open.input.additionalProperties).toEqual({ type: 'number' });
    expect(open.plan.body?.from).toEqual({ type: 'fields', fields: { a: 'a' }, rest: true });
    expect(
      (await run(json({ ...body, discriminator: { propertyName: 'a' } }))).input.additionalProperties,
    ).toBe(true);
    expect((await run(json({ ...body, additionalProperties: false }))).input.additionalProperties).toBe(
      false,
    );
  });

  test('with required fields that are not described, unless additional fields are forbidden', async () => {
    const schema = { ...objectSchema, required: ['a', 'kind'] };
    const { input, plan } = await run(json(schema, { required: true }));
    expect(input).toMatchObject({ properties: { a: string, kind: true }, required: ['a', 'kind'] });
    expect(plan.body).toMatchObject({ from: { type: 'fields', fields: { a: 'a', kind: 'kind' } } });
    const closed = await run(json({ ...schema, additionalProperties: false }, { required: true }));
    expect(closed.input).toMatchObject({ properties: { a: string }, required: ['a'] });
  });

  test('that keeps choices between required fields and requires at least one', async () => {
    const body = { type: 'object', properties: { a: string, b: string } };
    const choice = await run({
      parameters: [parameter('a')],
      ...json({ ...body, anyOf: [{ required: ['a'] }, { required: ['b'] }] }, { required: true }),
    });
    expect(choice.input.allOf).toEqual([{ anyOf: [{ required: ['body_a'] }, { required: ['b'] }] }]);
    const minimum = await run(json({ ...body, minProperties: 1 }, { required: true }));
    expect(minimum.input.allOf).toEqual([{ anyOf: [{ required: ['a'] }, { required: ['b'] }] }]);
  });

  test('in which names such as __proto__ are ordinary names', async () => {
    const body = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"},"toString":{"type":"number"}},"required":["__proto__"]}',
    );
    const { input, plan } = await run({
      parameters: [parameter('__proto__'), parameter('hasOwnProperty')],
      ...json(body, { required: true }),
    });
    expect(Object.keys(input.properties as object)).toEqual([
      '__proto__',
      'hasOwnProperty',
      'body___proto__',
      'constructor',
      'toString',
    ]);
    expect(input.required).toEqual(['body___proto__']);
    expect(plan.body?.from).toEqual({
      type: 'fields',
      fields: { body___proto__: '__proto__', constructor: 'constructor', toString: 'toString' },
    });
    expect(({} as { type?: string }).type).toBeUndefined();
  });
});

describe('parameters', () => {
  test('have their declared style or the default one', async () => {
    const { plan } = await run(
      {
        parameters: [
          parameter('a', 'path', { style: 'matrix', explode: true, schema: string }),
          parameter('b', 'query', { style: 'deepObject', schema: { type: 'object' } }),
          parameter('c', 'query', { style: 'pipeDelimited', schema: { type: 'array' }, allowReserved: true }),
          parameter('d', 'query', { content: { 'application/json': { schema: { type: 'object' } } } }),
          parameter('e', 'header', { style: 'form', schema: string }),
        ],
      },
      { path: '/things/{a}' },
    );
    expect(plan.parameters.map(({ field: _, ...rest }) => rest)).toEqual([
      { name: 'a', in: 'path', style: 'matrix', explode: true },
      { name: 'b', in: 'query', style: 'deepObject', explode: false },
      { name: 'c', in: 'query', style: 'pipeDelimited', explode: false, allowReserved: true },
      { name: 'd', in: 'query', style: 'form', explode: true, content: 'application/json' },
      { name: 'e', in: 'header', style: 'simple', explode: false },
    ]);
  });

  test('of Swagger have collection formats', async () => {
    const formats = ['csv', 'ssv', 'tsv', 'pipes', 'multi', undefined];
    const parameters = formats.map((collectionFormat, index) => ({
      name: `p${index}`,
      in: 'query',
      type: 'array',
      items: string,
      collectionFormat,
    }));
    const { plan, input } = await run({ parameters }, swagger);
    expect(plan.parameters.map(({ style, explode }) => `${style} ${explode}`)).toEqual([
      'form false',
      'spaceDelimited false',
      'tabDelimited false',
      'pipeDelimited false',
      'form true',
      'form false',
    ]);
    expect(input).toMatchObject({ properties: { p0: { type: 'array', items: string } } });
  });

  test.each(['path', 'header'])('of Swagger have collection formats in a %s too', async (where) => {
    const formats = ['csv', 'ssv', 'tsv', 'pipes', 'multi', undefined];
    const parameters = formats.map((collectionFormat, index) => ({
      name: `p${index}`,
      in: where,
      required: true,
      type: 'array',
      items: string,
      collectionFormat,
    }));
    const path = `/${formats.map((_, index) => `{p${index}}`).join('/')}`;
    const { plan } = await run({ parameters }, { ...swagger, ...(where === 'path' && { path }) });
    expect(plan.parameters.map(({ style, explode }) => `${style} ${explode}`)).toEqual([
      'simple false',
      'spaceDelimited false',
      'tabDelimited false',
      'pipeDelimited false',
      'simple false',
      'simple false',
    ]);
  });

  test('that are missing, repeated, misplaced or without a schema cause at most a warning', async () => {
    const { input, warnings } = await run(
      {
        parameters: [
          parameter('q'),
          parameter('q', 'query', { schema: { type: 'number' } }),
          parameter('gone', 'path'),
          parameter('any', 'query', {}),
          { in: 'query' },
          parameter('x', 'moon'),
          'y',
          { $ref: '#/components/parameters/none' },
        ],
      },
      { path: '/things/{id}/{id}' },
    );
    expect(input.properties).toEqual({ id: string, q: string, any: {} });
    expect(warnings).toHaveLength(8);
    expect(warnings).toContain(
      'The placeholder {id} of the path is not declared. Executor treats it as a string.',
    );
  });

  test('of an operation take precedence over those of its path', async () => {
    const document = withOperation({ parameters: [parameter('a', 'query', { schema: { type: 'number' } })] });
    Object.assign(Object.values(document.paths)[0] as object, {
      parameters: [parameter('a'), parameter('b')],
    });
    const { tool } = await read(document);
    expect(tool('api.t.run').inputSchema).toMatchObject({ properties: { a: { type: 'number' }, b: string } });
  });

  test('in the query of a path become query parameters', async () => {
    const { plan, input } = await run(
      { parameters: [parameter('q')] },
      { path: '/search?q={q}&format=csv&page={number}#one' },
    );
    expect(plan.path).toBe('/search?format=csv');
    expect(plan.parameters.map(({ name, in: where }) => `${where} ${name}`)).toEqual([
      'query q',
      'query page',
    ]);
    expect(input.required).toEqual(['page']);
  });

  test('named Accept, Content-Type or Authorization are not input fields', async () => {
    const { tool, security } = await read(
      withOperation({
        parameters: ['Accept', 'content-type', 'Authorization'].map((name) =>
          parameter(name, 'header', { required: true, schema: string }),
        ),
      }),
    );
    expect(tool('api.t.run').inputSchema).toMatchObject({ properties: {} });
    expect(tool('api.t.run').security).toEqual([[{ scheme: 'Authorization' }]]);
    expect(security).toEqual([{ name: 'Authorization', type: 'apiKey', in: 'header', key: 'Authorization' }]);
  });

  test('for an idempotency key are optional', async () => {
    const { input, plan } = await run({
      parameters: [parameter('Idempotency-Key', 'header', { required: true, schema: string })],
    });
    expect(input.required).toBeUndefined();
    expect(plan).toMatchObject({
      idempotencyHeader: 'Idempotency-Key',
      parameters: [{ field: 'Idempotency-Key' }],
    });
  });
});

describe('bodies', () => {
  const object = { type: 'object', properties: { a: string } };
  const content = async (types: Record<string, unknown>) =>
    (await run({ requestBody: { content: types } })).plan.body;

  test.each([
    [{ 'text/plain': { schema: string }, 'application/json': { schema: object } }, 'application/json json'],
    [
      { 'application/vnd.api+json': { schema: object }, 'application/xml': {} },
      'application/vnd.api+json json',
    ],
    [
      { 'application/merge-patch+json': { schema: object }, 'application/json': { schema: object } },
      'application/json json',
    ],
    [
      { 'multipart/form-data': { schema: object }, 'application/x-www-form-urlencoded': { schema: object } },
      'application/x-www-form-urlencoded form',
    ],
    [{ 'application/xml': { schema: object } }, 'application/xml text'],
    [
      { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
      'application/octet-stream binary',
    ],
    [{ 'image/png': {}, 'image/jpeg': {} }, 'image/png binary'],
    [{ '*/*': { schema: object } }, 'application/json json'],
    [{ '*/*': { schema: { type: 'string', format: 'binary' } } }, 'application/octet-stream binary'],
    [{ 'text/*': {} }, 'text/plain text'],
  ])('are sent in the best of their media types: %j', async (types, expected) => {
    const body = await content(types);
    expect(`${body?.mediaType} ${body?.kind}`).toBe(expected);
  });

  test('that are multipart have files and a plan for each part', async () => {
    const schema = {
      type: 'object',
      properties: {
        note: string,
        photo: { type: 'string', format: 'binary' },
        more: { type: 'array', items: { type: 'string', contentMediaType: 'image/png' } },
        meta: object,
      },
      required: ['photo'],
    };
    const encoding = {
      meta: {
        contentType: 'application/json',
        headers: { 'X-Kind': { schema: { type: 'string', default: 'm' } } },
      },
      photo: { contentType: 'image/png, image/jpeg' },
    };
    const { input, plan } = await run({
      requestBody: { required: true, content: { 'multipart/form-data': { schema, encoding } } },
    });
    const file = { $ref: '#/$defs/FileInput' };
    expect(input).toMatchObject({
      properties: { note: string, photo: file, more: { type: 'array', items: file }, meta: object },
      required: ['photo'],
    });
    expect(plan.body?.parts).toEqual({
      photo: { contentType: 'image/png, image/jpeg', file: true },
      more: { file: true },
      meta: { contentType: 'application/json', headers: { 'X-Kind': 'm' } },
    });
  });

  test.each(['anyOf', 'oneOf'])('that are multipart have files that may be null (%s)', async (keyword) => {
    const binary = { type: 'string', format: 'binary' };
    const orNull = (one: object) => ({ [keyword]: [one, { type: 'null' }], description: 'd' });
    const properties = {
      one: orNull(binary),
      many: orNull({ type: 'array', items: binary }),
      text: orNull(string),
    };
    const { input, plan } = await run(
      { requestBody: { content: { 'multipart/form-data': { schema: { type: 'object', properties } } } } },
      { openapi: '3.1.0' },
    );
    expect(plan.body?.parts).toEqual({ one: { file: true }, many: { file: true } });
    const file = { $ref: '#/$defs/FileInput' };
    const nothing = { type: 'null' };
    expect(input).toMatchObject({
      properties: {
        one: { anyOf: [file, nothing], description: 'd' },
        many: { anyOf: [{ type: 'array', items: file }, nothing] },
      },
    });
  });

  test.each([
    ['3.0.3', { type: 'string', format: 'binary', nullable: true }, true],
    ['3.1.0', { type: ['string', 'null'], format: 'binary' }, true],
    ['3.0.3', { type: 'string', format: 'binary' }, false],
  ])('that are multipart in %s accept null for the file %j: %s', async (openapi, photo, isNullable) => {
    const schema = { type: 'object', properties: { photo } };
    const { input } = await run(
      { requestBody: { content: { 'multipart/form-data': { schema } } } },
      { openapi },
    );
    const file = { $ref: '#/$defs/FileInput' };
    const expected = isNullable ? { anyOf: [file, { type: 'null' }] } : file;
    expect(input.properties).toEqual({ photo: expected });
  });

  test.each([
    [
      ['application/json-patch+json', 'application/merge-patch+json'],
      objectSchema,
      'application/merge-patch+json',
    ],
    [
      ['application/json-patch+json', 'application/json; charset=utf-8'],
      objectSchema,
      'application/json; charset=utf-8',
    ],
    [['application/json-patch+json', 'application/x+json'], { type: 'array' }, 'application/json-patch+json'],
    [['application/jsonish+json', 'application/json'], objectSchema, 'application/json'],
  ])('with the types %j are sent as the simplest one', async (types, schema, mediaType) => {
    const content = Object.fromEntries(types.map((type) => [type, { schema }]));
    const { plan } = await run({ requestBody: { required: true, content } });
    expect(plan.body?.mediaType).toBe(mediaType);
  });

  test('that are optional have no defaults, wherever the document declares them', async () => {
    const mode = { type: 'string', enum: ['a', 'b'], default: 'a', description: 'How' };
    const schema = {
      type: 'object',
      properties: { name: string, mode: { $ref: '#/components/schemas/Mode' }, own: mode },
      required: ['name'],
    };
    const { input } = await run(json(schema), { components: { schemas: { Mode: mode } } });
    expect(input.properties).toEqual({
      name: string,
      mode: { description: 'How', anyOf: [{ $ref: '#/$defs/Mode' }] },
      own: { type: 'string', enum: ['a', 'b'], description: 'How' },
    });
  });

  test('that are forms have the fields of all alternatives', async () => {
    const oneOf = [object, { type: 'object', properties: { b: string }, required: ['b'] }];
    const { input } = await run({
      requestBody: { content: { 'application/x-www-form-urlencoded': { schema: { oneOf } } } },
    });
    expect(input).toMatchObject({ properties: { a: string, b: string } });
    expect(input.required).toBeUndefined();
  });

  test('in JSON may have files if the operation accepts multipart too', async () => {
    const binary = { type: 'string', format: 'binary' };
    const form = (schema: object) => ({ schema: { type: 'object', ...schema } });
    const content = {
      'application/json': form({
        properties: { name: string, url: string, image: string },
        required: ['name', 'url'],
      }),
      'multipart/form-data': form({
        properties: { name: string, file: binary, image: binary, note: string },
        required: ['name', 'file'],
      }),
    };
    const { input, plan } = await run({ requestBody: { required: true, content } });
    const file = { $ref: '#/$defs/FileInput' };
    expect(input).toMatchObject({
      properties: { name: string, url: string, image: { anyOf: [string, file] }, file, note: string },
      required: ['name'],
      allOf: [
        { anyOf: [{ required: ['url'] }, { required: ['file'] }, { required: ['image', 'file'] }] },
        { if: { required: ['image'] } },
      ],
    });
    expect(plan.body).toMatchObject({
      kind: 'json',
      mediaType: 'application/json',
      files: { mediaType: 'multipart/form-data', only: ['file', 'note'], either: ['image'] },
    });
    expect(input.dependentRequired).toEqual({ note: ['file'] });
    const { 'application/json': asJson } = content;
    const without = { 'application/json': asJson, 'multipart/form-data': asJson };
    expect(
      (await run({ requestBody: { required: true, content: without } })).plan.body?.files,
    ).toBeUndefined();
  });

  test('require the multipart fields with files and the JSON fields without', async () => {
    const binary = { type: 'string', format: 'binary' };
    const form = (schema: object) => ({ schema: { type: 'object', ...schema } });
    const content = {
      'application/json': form({
        properties: { channel: string, text: string, blocks: string, image: string },
        required: ['channel'],
        anyOf: [{ required: ['text'] }, { required: ['blocks'] }],
      }),
      'multipart/form-data': form({
        properties: { channel: string, filename: string, file: binary, image: binary },
        required: ['channel', 'filename'],
      }),
    };
    const problemsOf = async (required: boolean) => {
      const { input: inputSchema } = await run({ requestBody: { required, content } });
      const tool = { path: 'a.b', version: '1', inputSchema };
      return (fields: object) => {
        const checked = new InputValidator().check(tool, { channel: 'c', ...fields });
        return checked.type === 'valid' ? [] : checked.details.problems.map(({ field }) => field);
      };
    };
    const problems = await problemsOf(true);
    const image = { base64: 'AA==' };
    for (const fields of [
      { text: 't' },
      { text: 't', image: 'https://a.example/i.png' },
      { file: 'f', filename: 'n' },
      { image, filename: 'n' },
    ])
      expect(problems(fields)).toEqual([]);
    for (const fields of [
      { text: 't', file: 'f' },
      { text: 't', image },
    ])
      expect(problems(fields)).toEqual(['input.filename']);
    for (const fields of [{}, { file: 'f' }]) expect(problems(fields)).not.toEqual([]);
    const optional = await problemsOf(false);
    expect([optional({ text: 't' }), optional({ file: 'f' })]).toEqual([[], ['input.filename']]);
  });

  test('of Swagger are parameters', async () => {
    const { plan, input } = await run(
      {
        parameters: [{ name: 'thing', in: 'body', required: true, schema: object }],
        consumes: ['application/xml', 'application/json'],
      },
      swagger,
    );
    expect(plan.body).toEqual({
      required: true,
      mediaType: 'application/json',
      kind: 'json',
      from: { type: 'fields', fields: { a: 'a' } },
    });
    expect(input.properties).toEqual({ a: string });
  });

  test('of Swagger forms are multipart if they have a file', async () => {
    const fields = [
      { name: 'a', in: 'formData', type: 'string', required: true, description: 'The a' },
      { name: 'l', in: 'formData', type: 'array', items: string, collectionFormat: 'multi' },
    ];
    const form = await run({ parameters: fields }, swagger);
    expect(form.plan.body).toMatchObject({
      kind: 'form',
      required: true,
      parts: { l: { style: 'form', explode: true } },
    });
    expect(form.input).toMatchObject({
      properties: { a: { type: 'string', description: 'The a' } },
      required: ['a'],
    });
    const upload = await run(
      {
        parameters: [...fields, { name: 'f', in: 'formData', type: 'file' }],
        consumes: ['multipart/form-data'],
      },
      swagger,
    );
    expect(upload.plan.body).toMatchObject({
      kind: 'multipart',
      mediaType: 'multipart/form-data',
      parts: { f: { file: true } },
    });
    expect(upload.input).toMatchObject({ properties: { f: { $ref: '#/$defs/FileInput' } } });
  });

  test('in parameters of OpenAPI 3 are read as in Swagger, with a warning', async () => {
    const { plan, warnings } = await run({ parameters: [{ name: 'x', in: 'body', schema: object }] });
    expect(plan.body?.kind).toBe('json');
    expect(warnings).toEqual(['OpenAPI 3 has no body parameters. Executor read it as in Swagger 2.0.']);
  });
});
