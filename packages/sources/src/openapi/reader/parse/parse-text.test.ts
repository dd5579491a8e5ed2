import { dump } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { read, withOperation } from '../../../../test/read.ts';

const document = withOperation({
  summary: 'Run «it» 😀',
  parameters: [{ name: 'on', in: 'query', schema: { type: 'string', enum: ['no', '2020-01-01'] } }],
});
const json = JSON.stringify(document);
const messages = async (text: string | Uint8Array) =>
  (await read(text)).warnings.map(({ message }) => message);
const refusal = (text: string | Uint8Array) =>
  read(text).then(
    () => 'read',
    ({ message }: Error) => message,
  );

describe('the same document gives the same tools', () => {
  const utf16 = Buffer.from(`\uFEFF${json}`, 'utf16le');
  test.each([
    ['JSON', json],
    ['JSON with a byte order mark', `\uFEFF${json}`],
    ['UTF-16', utf16],
    ['UTF-16, the other way round', Buffer.from(utf16).swap16()],
    ['UTF-16 without a mark', utf16.subarray(2)],
    ['YAML', dump(document)],
    ['YAML with a byte order mark', `\uFEFF${dump(document)}`],
    ['YAML with Windows line ends', dump(document).replaceAll('\n', '\r\n')],
    ['YAML after a marker and comments', `# an API\n%YAML 1.2\n---\n${dump(document)}`],
  ])('as %s', async (_, text) => {
    const expected = await read(json);
    expect((await read(text)).tools).toEqual(
      expected.tools.map((tool) => ({ ...tool, definitions: expect.anything() })),
    );
    expect(await messages(text)).toEqual([]);
  });

  test('as JSON with comments and trailing commas, with a warning', async () => {
    const loose = json.replace('{', '{\n# ours\n').replace(/\}$/, ',}');
    expect((await read(loose)).tools).toHaveLength(1);
    expect(await messages(loose)).toEqual([expect.stringContaining('not valid JSON')]);
  });
});

describe('YAML', () => {
  const yaml = (rest: string) => `openapi: 3.0.0\ninfo: {title: T, version: 1.0}\n${rest}`;

  test('keeps dates and words as strings, and accepts numbers as keys', async () => {
    const { tool } = await read(
      yaml(`paths:
  /a:
    get:
      operationId: run
      tags: [t]
      parameters:
        - {name: d, in: query, schema: {type: string, enum: [2020-01-01, on, no]}}
      responses:
        200: {description: fine, content: {text/plain: {schema: {type: string}}}}
`),
    );
    expect(tool('api.t.run').inputSchema).toMatchObject({
      properties: { d: { enum: ['2020-01-01', 'on', 'no'] } },
    });
    expect(tool('api.t.run').outputSchema).toEqual({ type: 'string' });
  });

  test('follows aliases and merge keys', async () => {
    const { tool } = await read(
      yaml(`x-base: &base {tags: [t], responses: {204: {description: ''}}}
paths:
  /a:
    get: {<<: *base, operationId: one}
    post: {<<: [*base], operationId: two}
`),
    );
    expect([tool('api.t.one').plan.method, tool('api.t.two').plan.method]).toEqual(['GET', 'POST']);
  });

  test('uses the last of repeated keys, reads tabs as spaces, and ignores tags and further documents', async () => {
    const path = 'paths:\n  /a:\n    get: !mine {operationId: run, responses: {}}\n';
    expect(await messages(yaml(`x: 1\nx: 2\n${path}`))).toEqual([
      'A key is repeated at line 4. Executor used the last value of each repeated key.',
    ]);
    expect(await messages(yaml(path.replaceAll('  ', '\t')))).toEqual([
      expect.stringContaining('indented with tabs'),
    ]);
    expect(await messages(yaml(`${path}---\na: 1\n`))).toEqual([
      expect.stringContaining('several documents'),
    ]);
  });

  test('with aliases that expand to billions of values or to themselves is refused', async () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 12; level++)
      lines.push(
        `a${level}: &a${level} [${Array(10)
          .fill(`*a${level - 1}`)
          .join(', ')}]`,
      );
    expect(await refusal(yaml(`${lines.join('\n')}\npaths: *a11`))).toMatch(
      /^The YAML aliases of the document expand to more than/,
    );
    expect(await refusal(yaml('paths: &p {/a: *p}'))).toMatch(/^The YAML aliases|^The document/);
    const merges = [
      'm0: &m0 {k: 1}',
      ...Array.from({ length: 30 }, (_, at) => `m${at + 1}: &m${at + 1} {<<: [*m${at}, *m${at}], k${at}: 1}`),
    ];
    expect(await refusal(yaml(`${merges.join('\n')}\npaths: {}`))).toBe('read');
  });
});

describe('other documents are refused with their probable format', () => {
  test.each([
    ['', /is empty/],
    ['  \n\t ', /is empty/],
    ['<!DOCTYPE html><html><body>Swagger UI</body></html>', /HTML/],
    ['<?xml version="1.0"?>\n<wsdl:definitions/>', /WSDL/],
    ['<?xml version="1.0"?><catalog/>', /XML/],
    ['type Query {\n  me: User\n}', /GraphQL schema/],
    ['# ours\n"""The root"""\nschema { query: Query }', /GraphQL schema/],
    ['{"data":{"__schema":{}}}', /introspection of a GraphQL server/],
    ['{"info":{"_postman_id":"1","name":"x"},"item":[]}', /Postman collection/],
    ['asyncapi: 3.0.0', /AsyncAPI/],
    ['{"swaggerVersion":"1.2","apis":[]}', /before 2\.0/],
    ['{"openapi":"4.0.0","paths":{}}', /unknown version, 4\.0\.0\./],
    ['{"errors":[{"message":"Must provide query string."}]}', /response of a GraphQL server/],
    ['{"error":"slow down","code":429}', /It has error, code\./],
    ['{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}', /JSON Schema/],
    ['#%RAML 1.0\ntitle: x', /RAML/],
    ['[]', /is a list/],
    ['"openapi"', /plain text/],
    ['hello', /plain text/],
    ['null', /empty/],
    ['{}', /none of the keys openapi, swagger and paths/],
    ['not: [yaml', /not valid JSON or YAML: .*at line 1, column \d+/],
  ])('%j', async (text, message) => {
    expect(await refusal(text)).toMatch(message);
  });

  test('and with line and column if they are cut off', async () => {
    const pretty = JSON.stringify(document, null, 2);
    expect(await refusal(pretty.slice(0, 300))).toMatch(
      /^The document is not valid JSON: there is a syntax error at line 20, column \d+\. It seems to be cut off there\.$/,
    );
    expect(await refusal(dump(document).replace('title:', 'title: ['))).toMatch(/at line \d+, column \d+/);
  });

  test('and if they are nested a million levels deep', async () => {
    const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
    const object = `${'{"a":'.repeat(1_000_000)}1${'}'.repeat(1_000_000)}`;
    for (const text of [
      deep,
      object,
      `{"openapi":"3.0.0","paths":{},"x":${deep}}`,
      `openapi: 3.0.0\npaths: ${deep}`,
      '- '.repeat(100_000),
    ]) {
      expect(await refusal(text)).toMatch(/nested deeper than the limit of 500 levels/);
    }
    expect(await refusal(`{"openapi":"3.0.0","paths":{},"x":"${'['.repeat(1000)}\\""}`)).toBe('read');
  });

  test('but a document without a version is read with a warning', async () => {
    const { openapi: _, ...rest } = document;
    expect(await messages(JSON.stringify(rest))).toEqual([expect.stringContaining('as OpenAPI 3.0')]);
    expect(await messages(JSON.stringify({ ...rest, host: 'a.example' }))).toContainEqual(
      expect.stringContaining('as Swagger 2.0'),
    );
    expect((await read(JSON.stringify(rest))).tools).toHaveLength(1);
  });
});
