import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { previewRequest } from '../../call/preview-request.ts';
import type { BodyPlan, OperationPlan, ParameterPlan, PartPlan } from '../operation.ts';
import type { OpenApiSettings } from '../settings.ts';
import { artifactsOf, planRequest, toHttpRequest } from './build-request.ts';
import type { Artifacts } from './file-input.ts';
import type { InputSchema } from './integer-text.ts';

function operation(plan: Partial<OperationPlan> = {}): OperationPlan {
  return {
    method: 'post',
    path: '/things',
    servers: [{ url: 'https://api.example/v1' }],
    parameters: [],
    accept: ['application/json'],
    ...plan,
  };
}

function parameter(plan: Partial<ParameterPlan> & { name: string; in: ParameterPlan['in'] }): ParameterPlan {
  const style = plan.in === 'query' || plan.in === 'cookie' ? 'form' : 'simple';
  return { field: plan.name, style, explode: style === 'form', ...plan };
}

function plan(
  of: OperationPlan,
  input: unknown,
  settings: OpenApiSettings = {},
  schema: InputSchema = { inputSchema: true },
) {
  return planRequest(of, input, { settings, idempotencyKey: 'exe_1.0', schema });
}

function build(
  of: OperationPlan,
  input: unknown,
  settings: OpenApiSettings = {},
  artifacts: Artifacts = new Map(),
) {
  return toHttpRequest(plan(of, input, settings), artifacts);
}

const url = (path: string, parameters: ParameterPlan[], input: unknown, settings: OpenApiSettings = {}) =>
  build(operation({ path, parameters }), input, settings).url;

describe('the URL', () => {
  const id = parameter({ name: 'id', in: 'path' });

  test.each([
    ['../admin', 'https://api.example/v1/users/..%2Fadmin/posts'],
    ['a/b', 'https://api.example/v1/users/a%2Fb/posts'],
    ['..\\x', 'https://api.example/v1/users/..%5Cx/posts'],
    ['?x=1#y', 'https://api.example/v1/users/%3Fx%3D1%23y/posts'],
    ['%2e%2e', 'https://api.example/v1/users/%252e%252e/posts'],
    ['//evil.example', 'https://api.example/v1/users/%2F%2Fevil.example/posts'],
    ['...', 'https://api.example/v1/users/.../posts'],
    ['\t..\n', 'https://api.example/v1/users/%09..%0A/posts'],
  ])('keeps its path whatever a value is: %j', (value, expected) => {
    expect(url('/users/{id}/posts', [id], { id: value })).toBe(expected);
  });

  test('has values for placeholders in its query', () => {
    const x = parameter({ name: 'x', in: 'path' });
    expect(url('/users/{id}?filter=a:{x}', [id, x], { id: 1, x: 'b&c=d' })).toBe(
      'https://api.example/v1/users/1?filter=a:b%26c%3Dd',
    );
    expect(() => url('/users?filter={y}', [], {})).toThrow('does not declare y,');
  });

  test('has no user name or password from a server variable', () => {
    const servers = [{ url: 'https://{host}/v1', variables: { host: { default: 'me:pw@api.example' } } }];
    expect(build(operation({ servers }), {}).url).toBe('https://api.example/v1/things');
  });

  test.each(['.', '..', '', ['', '..'], null])('is refused for the path value %j', (value) => {
    const refused = () => url('/users/{id}/posts', [id], { id: value });
    if (Array.isArray(value)) expect(refused()).toBe('https://api.example/v1/users/,../posts');
    else expect(refused).toThrow(/cannot be "." or ".."|must not be empty/);
  });

  test('is refused if two values form a segment of two dots', () => {
    const both = [id, parameter({ name: 'more', in: 'path' })];
    expect(() => url('/users/{id}{more}', both, { id: '.', more: '.' })).toThrow('cannot be "." or ".."');
    expect(url('/users/{id}.{more}', both, { id: 'a', more: 'json' })).toBe(
      'https://api.example/v1/users/a.json',
    );
  });

  test('is refused if a placeholder has no parameter', () => {
    expect(() => url('/users/{id}', [], {})).toThrow(
      'The document does not declare id, which is part of the path.',
    );
    expect(() => url('/users/{constructor}', [], {})).toThrow('constructor');
  });

  test('has the query parameters in the order of the document', () => {
    const parameters = ['b', 'a', 'c'].map((name) => parameter({ name, in: 'query' }));
    expect(url('/x', parameters, { c: 3, a: 1, b: 2 })).toBe('https://api.example/v1/x?b=2&a=1&c=3');
  });

  test('keeps a query in the path of the document and drops a fragment', () => {
    expect(url('/x?version=2#Action=Y', [parameter({ name: 'a', in: 'query' })], { a: 1 })).toBe(
      'https://api.example/v1/x?version=2&a=1',
    );
  });

  test('reads a parameter only from own fields of the input', () => {
    const parameters = [
      parameter({ name: 'id', in: 'query', field: 'query_id' }),
      parameter({ name: 'constructor', in: 'query' }),
      parameter({ name: 'toString', in: 'query' }),
    ];
    expect(url('/x', parameters, { id: 1, query_id: 2 })).toBe('https://api.example/v1/x?id=2');
  });

  test('keeps path and query of the base URL in the settings', () => {
    const settings = { baseUrl: 'http://localhost:8080/proxy/?tenant=a' };
    expect(url('/x/{id}', [id, parameter({ name: 'q', in: 'query' })], { id: 1, q: 2 }, settings)).toBe(
      'http://localhost:8080/proxy/x/1?tenant=a&q=2',
    );
    expect(url('', [], {}, settings)).toBe('http://localhost:8080/proxy?tenant=a');
  });

  test('has values for server variables', () => {
    const servers = [
      {
        url: 'https://{region}.example.com:{port}/{base}',
        variables: {
          region: { default: 'eu', enum: ['eu', 'us'] },
          port: { default: '443' },
          base: { default: 'v2' },
        },
      },
      { url: 'https://other.example' },
    ];
    const at = (serverVariables?: Record<string, string>) =>
      build(operation({ servers, path: '/x' }), {}, serverVariables ? { serverVariables } : {}).url;
    expect(at()).toBe('https://eu.example.com/v2/x');
    expect(at({ region: 'us', port: '8443' })).toBe('https://us.example.com:8443/v2/x');
    expect(() => at({ region: 'mars' })).toThrow(
      'The server variable region must be one of eu, us, not mars.',
    );
  });

  test('is refused if it is invalid, and the error says what to do', () => {
    const at = (...servers: string[]) =>
      build(operation({ servers: servers.map((server) => ({ url: server })) }), {});
    expect(() => at()).toThrow('Set a base URL for the source');
    expect(() => at('/relative')).toThrow('Set a base URL for the source');
    expect(() => at('ftp://a.example')).toThrow('Set a base URL for the source');
    expect(() => at('https://{tenant}.example')).toThrow(
      'The server variable tenant of this operation has no value',
    );
  });
});

describe('headers', () => {
  test('accept lists the media types of the responses, best first', () => {
    const accept = (types: string[]) => build(operation({ accept: types }), {}).headers.accept;
    expect(accept([])).toBe('application/json, */*;q=0.5');
    expect(accept(['application/json'])).toBe('application/json');
    expect(accept(['application/json', 'text/csv'])).toBe('application/json, text/csv;q=0.8');
    expect(accept(['*/*'])).toBe('*/*');
  });

  test('headers of the settings take precedence over the input', () => {
    const parameters = [
      parameter({ name: 'X-Version', in: 'header' }),
      parameter({ name: 'X-Other', in: 'header' }),
    ];
    const { headers } = build(
      operation({ parameters }),
      { 'X-Version': '1', 'X-Other': 'o' },
      {
        headers: { 'x-version': '2', Accept: 'text/csv' },
      },
    );
    expect(headers).toEqual({
      accept: 'text/csv',
      'user-agent': 'executor',
      'x-version': '2',
      'x-other': 'o',
    });
  });

  test('cookies are joined to one header', () => {
    const parameters = [
      parameter({ name: 'a', in: 'cookie' }),
      parameter({ name: 'b', in: 'cookie', explode: false }),
    ];
    expect(build(operation({ parameters }), { a: 'x y', b: [1, 2] }).headers.cookie).toBe('a=x%20y; b=1,2');
  });

  test('the idempotency key is the id of the call, unless the input has a key', () => {
    const idempotent = operation({
      idempotencyHeader: 'Idempotency-Key',
      parameters: [parameter({ name: 'Idempotency-Key', in: 'header' })],
    });
    expect(build(idempotent, {}).headers['idempotency-key']).toBe('exe_1.0');
    expect(build(idempotent, { 'Idempotency-Key': 'mine' }).headers['idempotency-key']).toBe('mine');
  });

  test('a line break in a header of the settings is refused', () => {
    expect(() => build(operation(), {}, { headers: { 'x-a': 'a\r\nb: c' } })).toThrow('one line');
  });
});

describe('bodies', () => {
  const json: BodyPlan = {
    required: true,
    mediaType: 'application/json',
    kind: 'json',
    from: { type: 'fields', fields: { name: 'name', body_id: 'id' } },
  };

  test('fields of the input become properties of the body', () => {
    const parameters = [parameter({ name: 'id', in: 'path' })];
    const {
      body,
      headers,
      url: at,
    } = build(operation({ path: '/x/{id}', parameters, body: json }), {
      id: 1,
      body_id: 2,
      name: 'n',
      $response: 'full',
      more: 1,
    });
    expect([at, headers['content-type'], body]).toEqual([
      'https://api.example/v1/x/1',
      'application/json',
      '{"name":"n","id":2}',
    ]);
  });

  test('large integers are numbers in JSON if the schema expects numbers', () => {
    const large = '9007199254740993';
    const id = { type: 'integer' };
    const definitions = { get: () => ({ anyOf: [id, { type: 'null' }] }), tracksEvaluated: false };
    const inputSchema = {
      properties: {
        id,
        name: { type: 'string' },
        either: { anyOf: [id, { type: 'string' }] },
        list: { type: 'array', items: { $ref: '#/$defs/id' } },
        map: { additionalProperties: { properties: { id } } },
      },
    };
    const from = { type: 'field', field: 'body' } as const;
    const body = { id: large, name: large, either: large, list: [large, 1], map: { a: { id: `-${large}` } } };
    const planned = plan(
      operation({ body: { ...json, from } }),
      { body },
      {},
      {
        inputSchema: { properties: { body: inputSchema } },
        definitions,
      },
    );
    expect(toHttpRequest(planned, new Map()).body).toBe(
      `{"id":${large},"name":"${large}","either":"${large}","list":[${large},1],"map":{"a":{"id":-${large}}}}`,
    );
    expect(previewRequest(planned).body).toEqual(body);
  });

  const large = '9007199254740993';
  const id = { type: 'integer' };
  const withId = { properties: { id } };
  const written = (of: OperationPlan, input: unknown, inputSchema: InputSchema['inputSchema']) =>
    toHttpRequest(plan(of, input, {}, { inputSchema }), new Map());

  test('large integers are numbers by property patterns and by the matching alternative', () => {
    const kind = (name: string, type: string) => ({
      properties: { kind: { const: name }, id: { type } },
      required: ['kind'],
    });
    const schema = {
      properties: {
        body: {
          properties: { choice: { oneOf: [kind('text', 'string'), kind('number', 'integer')] } },
          patternProperties: { '^x-': id },
          additionalProperties: { type: 'string' },
        },
      },
    };
    const post = operation({ body: { ...json, from: { type: 'field', field: 'body' } } });
    const sent = (body: unknown) => written(post, { body }, schema).body;
    expect(sent({ 'x-a': large, other: large })).toBe(`{"x-a":${large},"other":"${large}"}`);
    expect(sent({ choice: { kind: 'number', id: large } })).toBe(
      `{"choice":{"kind":"number","id":${large}}}`,
    );
    expect(sent({ choice: { kind: 'text', id: large } })).toBe(`{"choice":{"kind":"text","id":"${large}"}}`);
  });

  test('large integers are numbers in JSON of parameters, forms and parts, and digits elsewhere', () => {
    const inputSchema = { properties: { plain: id, filter: withId, about: withId, list: { items: withId } } };
    const input = { plain: large, filter: { id: large }, about: { id: large }, list: [{ id: large }] };
    const parameters = [
      parameter({ name: 'plain', in: 'query' }),
      parameter({ name: 'filter', in: 'query', content: 'application/json' }),
    ];
    const body = (kind: 'form' | 'multipart'): BodyPlan => ({
      required: true,
      kind,
      mediaType: kind === 'form' ? 'application/x-www-form-urlencoded' : 'multipart/form-data',
      from: { type: 'fields', fields: { plain: 'plain', about: 'about', list: 'list' } },
      parts: { about: { contentType: 'application/json' } },
    });
    const form = written(operation({ parameters, body: body('form') }), input, inputSchema);
    const query = new URL(form.url).searchParams;
    expect(Object.fromEntries(query)).toEqual({ plain: large, filter: `{"id":${large}}` });
    const asJson = `{"id":${large}}`;
    expect([...new URLSearchParams(form.body as string)]).toEqual([
      ['plain', large],
      ['about', asJson],
      ['list', asJson],
    ]);
    const { body: bytes } = written(operation({ body: body('multipart') }), input, inputSchema);
    const parts = Buffer.from(bytes as Uint8Array)
      .toString()
      .matchAll(/\r\n\r\n(.*)\r\n--/g);
    expect([...parts].map(([, text]) => text)).toEqual([large, asJson, asJson]);
  });

  test('a body with files is multipart instead of JSON', () => {
    const files = {
      mediaType: 'multipart/form-data',
      fields: { name: 'name', image: 'image', photo: 'photo' },
      parts: { image: { file: true }, photo: { file: true } },
      only: ['photo'],
      either: ['image'],
    } as const;
    const from = { type: 'fields', fields: { name: 'name', image: 'image' } } as const;
    const both = operation({
      body: { ...json, from, files: { ...files, only: ['photo'], either: ['image'] } },
    });
    expect(plan(both, { name: 'n', image: 'https://a.example/i.png' }).body).toMatchObject({
      type: 'json',
      value: { name: 'n', image: 'https://a.example/i.png' },
    });
    for (const input of [{ photo: 'text' }, { image: { base64: 'AA==' } }, { image: [{ artifact: 'a' }] }])
      expect(plan(both, { name: 'n', ...input }).body).toMatchObject({
        type: 'multipart',
        parts: [
          { name: 'name', content: { text: 'n' } },
          { name: Object.keys(input)[0], content: { file: {} } },
        ],
      });
  });

  test('additional fields are sent in a body that allows them, except for parameters', () => {
    const open = {
      ...json,
      from: { type: 'fields' as const, fields: { name: 'name' }, rest: true as const },
    };
    const parameters = [parameter({ name: 'q', in: 'query' })];
    const input = JSON.parse('{"name":"n","q":1,"more":{"a":[null]},"$response":"full","__proto__":{"x":1}}');
    expect(build(operation({ parameters, body: open }), input).body).toBe(
      '{"name":"n","more":{"a":[null]},"__proto__":{"x":1}}',
    );
  });

  test('an optional body without fields is omitted', () => {
    expect(build(operation({ body: json }), {}).body).toBe('{}');
    const { body, headers } = build(operation({ body: { ...json, required: false } }), {});
    expect([body, headers['content-type']]).toEqual([undefined, undefined]);
  });

  test.each([[[1, 2]], ['text'], [null], [false], [{ a: 1 }]])('the field body may be %j', (value) => {
    const field = { ...json, from: { type: 'field' as const, field: 'body' } };
    expect(build(operation({ body: field }), { body: value }).body).toBe(JSON.stringify(value));
  });

  test('a form follows the styles of its parts', () => {
    const body: BodyPlan = {
      required: true,
      mediaType: 'application/x-www-form-urlencoded',
      kind: 'form',
      from: { type: 'field', field: 'body' },
      parts: {
        deep: { style: 'deepObject', explode: true },
        csv: { style: 'form', explode: false },
        piped: { style: 'pipeDelimited', explode: false },
        json: { contentType: 'application/json' },
      },
    };
    const value = {
      plain: 'a b&c',
      none: null,
      flag: true,
      list: [1, 2],
      object: { a: 1 },
      deep: { a: { b: [1] }, items: [{ price: 'p' }] },
      csv: [1, 2],
      piped: ['x', 'y'],
      json: [1],
      'na me': '',
    };
    expect(build(operation({ body }), { body: value }).body).toBe(
      [
        'plain=a%20b%26c',
        'flag=true',
        'list=1',
        'list=2',
        'object=%7B%22a%22%3A1%7D',
        'deep%5Ba%5D%5Bb%5D%5B%5D=1',
        'deep%5Bitems%5D%5B0%5D%5Bprice%5D=p',
        'csv=1,2',
        'piped=x%7Cy',
        'json=%5B1%5D',
        'na%20me=',
      ].join('&'),
    );
  });

  const binary: BodyPlan = {
    required: true,
    mediaType: 'application/octet-stream',
    kind: 'binary',
    from: { type: 'field', field: 'body' },
  };
  const artifacts = new Map([
    ['art_1', { bytes: Buffer.from([0, 255]), mediaType: 'image/png', name: 'a.png' }],
  ]);

  test.each([
    ['text', 'text', 'application/octet-stream'],
    [{ text: 'text' }, 'text', 'application/octet-stream'],
    [{ base64: 'dGV4dA==', mediaType: 'text/css' }, 'text', 'text/css'],
    [{ base64: 'dGV4dA' }, 'text', 'application/octet-stream'],
    [{ artifact: 'art_1' }, '\0\xff', 'image/png'],
  ])('a file may be %j', (file, bytes, mediaType) => {
    const request = build(operation({ body: binary }), { body: file }, {}, artifacts);
    expect(Buffer.from(request.body as Uint8Array).toString('latin1')).toBe(bytes);
    expect(request.headers['content-type']).toBe(mediaType);
  });

  test.each([
    [{ base64: '!!' }, 'not valid'],
    [{ artifact: 'art_2' }, 'This run has no artifact art_2'],
    [{ file: 1 }, 'must be a file'],
    [{ text: 'x', mediaType: 'a/b\r\nx: y' }, 'must be like image/png'],
  ])('%j is rejected as a file', (file, message) => {
    expect(() => build(operation({ body: binary }), { body: file }, {}, artifacts)).toThrow(message);
  });

  test('text and XML are sent unchanged', () => {
    const text: BodyPlan = { ...binary, kind: 'text', mediaType: 'application/xml' };
    const request = build(operation({ body: text }), { body: '<a>ä</a>' });
    expect([request.body, request.headers['content-type']]).toEqual(['<a>ä</a>', 'application/xml']);
  });
});

describe('multipart', () => {
  const body: BodyPlan = {
    required: true,
    mediaType: 'multipart/form-data',
    kind: 'multipart',
    from: { type: 'field', field: 'body' },
    parts: {
      file: { file: true },
      images: { file: true, contentType: 'image/png, image/jpeg' },
      about: { contentType: 'application/json', headers: { 'X-Part': '1' } },
    },
  };
  const artifacts = new Map([
    ['art_1', { bytes: Buffer.from([0, 255]), mediaType: 'image/gif', name: 'a.gif' }],
  ]);

  async function parsed(value: unknown): Promise<[string, unknown][]> {
    const request = build(operation({ body }), { body: value }, {}, artifacts);
    const response = new Response(request.body as Uint8Array<ArrayBuffer>, { headers: request.headers });
    const form = await response.formData();
    return Promise.all(
      [...form].map(
        async ([name, part]): Promise<[string, unknown]> => [
          name,
          typeof part === 'string'
            ? part
            : [part.name, part.type, Buffer.from(await part.arrayBuffer()).toString('latin1')],
        ],
      ),
    );
  }

  test('text, lists, JSON and files become parts', async () => {
    expect(
      await parsed({
        title: 'x',
        count: 2,
        none: null,
        tags: ['a', 'b'],
        nested: { a: 1 },
        about: { b: 1 },
        file: { text: 'hello', name: 'ä"b\r\n.txt' },
        images: [{ base64: 'AA==', name: '1.png' }, { artifact: 'art_1' }],
      }),
    ).toEqual([
      ['title', 'x'],
      ['count', '2'],
      ['tags', 'a'],
      ['tags', 'b'],
      ['nested', '{"a":1}'],
      ['about', '{"b":1}'],
      ['file', [expect.stringMatching(/^.+"b\r\n\.txt$/s), 'text/plain; charset=utf-8', 'hello']],
      ['images', ['1.png', 'image/png', '\0']],
      ['images', ['a.gif', 'image/gif', '\0\xff']],
    ]);
  });

  test('a list is one part if its style joins its items', () => {
    const part = (plan: PartPlan) => {
      const request = build(operation({ body: { ...body, parts: { l: plan } } }), {
        body: { l: ['a', 'b'] },
      });
      return [
        ...Buffer.from(request.body as Uint8Array)
          .toString()
          .matchAll(/name="l"\r\n\r\n([^\r]*)/g),
      ].map(([, text]) => text);
    };
    expect(part({ style: 'form', explode: false })).toEqual(['a,b']);
    expect(part({ style: 'pipeDelimited', explode: false })).toEqual(['a|b']);
    expect(part({ style: 'tabDelimited', explode: false })).toEqual(['a\tb']);
    expect(part({ style: 'form', explode: true })).toEqual(['a', 'b']);
    expect(part({})).toEqual(['a', 'b']);
  });

  test('parts have types and headers, and names cannot end their line', () => {
    const request = build(operation({ body }), { body: { about: { b: 1 }, 'a"\r\nX: y': 'v' } });
    const text = Buffer.from(request.body as Uint8Array).toString();
    expect(text).toContain('name="about"\r\nContent-Type: application/json\r\nX-Part: 1\r\n\r\n{"b":1}\r\n');
    expect(text).toContain('name="a%22%0D%0AX: y"\r\n\r\nv\r\n');
  });

  test('the boundary is the same each time, and no part can contain it', () => {
    const at = (value: unknown) => build(operation({ body }), { body: value }).headers['content-type'];
    expect(at({ a: 1 })).toBe(at({ a: 1 }));
    expect(at({ a: 1 })).not.toBe(at({ a: 2 }));
    const planned = plan(operation({ body }), { body: { file: { artifact: 'art_2' } } });
    // The boundary depends on all parts, so planning does not compute it.
    expect(planned.headers['content-type']).toBe('multipart/form-data');
    const { headers } = previewRequest(planned) as { headers: Record<string, string> };
    const boundary = headers['content-type']?.split('boundary=')[1] ?? '';
    const evil = new Map([['art_2', { bytes: Buffer.from(`\r\n--${boundary}--`), mediaType: 'a/b' }]]);
    expect(() => toHttpRequest(planned, evil)).toThrow('contains the multipart boundary');
    expect(artifactsOf(planned)).toEqual(['art_2']);
  });
});

describe('the preview', () => {
  const shown = (of: OperationPlan, input: unknown, settings: OpenApiSettings = {}) =>
    previewRequest(plan(of, input, settings));
  const body = (kind: BodyPlan['kind'], mediaType: string): BodyPlan => ({
    required: true,
    kind,
    mediaType,
    from: { type: 'field', field: 'body' },
    ...(kind === 'multipart' && { parts: { file: { file: true } } }),
  });

  test('is the request without the user name and password of its URL', () => {
    const post = operation({ body: body('json', 'application/json') });
    expect(shown(post, { body: { a: 1 } }, { baseUrl: 'https://me:pw@api.example/' })).toEqual({
      method: 'POST',
      url: 'https://api.example/things',
      headers: {
        accept: 'application/json',
        'user-agent': 'executor',
        'content-type': 'application/json',
      },
      body: { a: 1 },
    });
  });

  test('shows a long or binary body by length and hash', () => {
    const long = 'x'.repeat(20_000);
    const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
    expect(shown(operation({ body: body('json', 'application/json') }), { body: long })).toMatchObject({
      body: { bytes: 20_002, mediaType: 'application/json', sha256: sha256(JSON.stringify(long)) },
    });
    expect(
      shown(operation({ body: body('binary', 'image/png') }), { body: { base64: 'AP8=' } }),
    ).toMatchObject({
      body: { bytes: 2, mediaType: 'image/png', sha256: sha256(Buffer.from([0, 255])) },
    });
    expect(
      shown(operation({ body: body('binary', 'image/png') }), { body: { artifact: 'art_1' } }),
    ).toMatchObject({
      body: { artifact: 'art_1', mediaType: 'image/png' },
    });
  });

  test('is marked as shortened if any part is not shown in full', () => {
    const long = 'x'.repeat(17_000);
    const [json, binary] = [body('json', 'application/json'), body('binary', 'image/png')];
    const parts = body('multipart', 'multipart/form-data');
    const text = body('text', 'text/plain');
    const cases: [BodyPlan, unknown, true | undefined][] = [
      [json, { amount: 1_000_000, to: 'mallory', note: long }, true],
      [json, { amount: 1 }, undefined],
      [text, long, true],
      [text, 'short', undefined],
      [binary, { base64: 'AP8=' }, true],
      [binary, { artifact: 'art_1' }, true],
      [binary, { text: 'short' }, undefined],
      [parts, { a: long }, true],
      [parts, { file: { text: long } }, true],
      [parts, { file: { base64: 'AP8=' } }, true],
      [parts, { file: { artifact: 'art_1' } }, true],
      [parts, { a: 'b', file: { text: 't' } }, undefined],
    ];
    for (const [plan, input, shortened] of cases) {
      expect(shown(operation({ body: plan }), { body: input }).shortened).toBe(shortened);
    }
  });

  test('shows each part of a multipart body', () => {
    const input = { body: { a: 'b', o: { c: 1 }, file: { text: 't', name: 'n.txt' } } };
    expect(shown(operation({ body: body('multipart', 'multipart/form-data') }), input)).toMatchObject({
      headers: {
        'content-type': expect.stringMatching(/^multipart\/form-data; boundary=executor-[0-9a-f]{40}$/),
      },
      body: {
        parts: [
          { name: 'a', value: 'b' },
          { name: 'o', mediaType: 'application/json', value: '{"c":1}' },
          { name: 'file', file: { name: 'n.txt', text: 't' } },
        ],
      },
    });
  });

  test('shows the type and name of files as sent', () => {
    const declared = {
      ...body('multipart', 'multipart/form-data'),
      parts: { file: { file: true as const, contentType: 'image/png, image/jpeg' } },
    };
    const parts = (bodyPlan: BodyPlan, file: unknown, artifact: Artifacts = new Map()) => {
      const planned = plan(operation({ body: bodyPlan }), { body: { file } });
      const text = Buffer.from(toHttpRequest(planned, artifact).body as Uint8Array).toString('latin1');
      const [, name, type] = /filename="([^"]*)"\r\nContent-Type: ([^\r]*)/.exec(text) ?? [];
      const preview = previewRequest(planned) as {
        body: { parts: { file: { name: string; mediaType: string } }[] };
      };
      return { sent: { name, mediaType: type }, shown: preview.body.parts[0]?.file };
    };
    const plain = body('multipart', 'multipart/form-data');
    for (const [bodyPlan, file, expected] of [
      [plain, 't', { name: 'file', mediaType: 'text/plain; charset=utf-8' }],
      [plain, { base64: 'AA==' }, { name: 'file', mediaType: 'application/octet-stream' }],
      [declared, { base64: 'AA==', name: 'n' }, { name: 'n', mediaType: 'image/png' }],
      [declared, { base64: 'AA==', mediaType: 'image/jpeg' }, { name: 'file', mediaType: 'image/jpeg' }],
    ] as const) {
      const { sent, shown: seen } = parts(bodyPlan, file);
      expect(sent).toEqual(expected);
      expect(seen).toMatchObject(expected);
    }
    const artifacts = new Map([
      ['art_1', { bytes: Buffer.from('x'), mediaType: 'image/jpeg', name: 'a.jpg' }],
    ]);
    expect(parts(declared, { artifact: 'art_1' }, artifacts)).toEqual({
      sent: { name: 'a.jpg', mediaType: 'image/jpeg' },
      shown: {
        artifact: 'art_1',
        name: "(the artifact's name; file if it has none)",
        mediaType: "(the artifact's type; image/png if unknown)",
      },
    });
  });

  test('says that the type of an artifact is not known yet', () => {
    const post = operation({ body: body('binary', 'application/octet-stream') });
    expect(shown(post, { body: { artifact: 'art_1' } })).toMatchObject({
      headers: { 'content-type': "(the artifact's type; application/octet-stream if unknown)" },
      body: { artifact: 'art_1', mediaType: "(the artifact's type; application/octet-stream if unknown)" },
    });
    // A body that is a file has no name.
    expect(shown(post, { body: { text: 't', name: 'n', mediaType: 'text/csv' } })).toMatchObject({
      headers: { 'content-type': 'text/csv' },
      body: { text: 't', mediaType: 'text/csv' },
    });
  });
});
