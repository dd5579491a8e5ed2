import { declarationOf, exampleOf, type JsonSchema, signatureOf, type Tool } from '@executor/engine';
import { schema as github } from '@octokit/graphql-schema';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { buildSchema } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { typeScriptErrors } from '../../../engine/test/typescript.ts';
import { openCalls } from '../../test/graphql/calling.ts';
import { minimalInput, startGenerated } from '../../test/graphql/generated-answers.ts';
import { readerFolder } from '../../test/reader-folder.ts';
import { createHttpClient } from '../http/create-http-client.ts';
import type { FieldPlan } from './field-plan.ts';
import { createGraphQlSource } from './graphql-source.ts';

/* GitHub's whole schema, on a server that validates each request and generates its answers. */

// One of its types has a field twice.
const schema = buildSchema(github.idl, { assumeValidSDL: true });
const http = createHttpClient();
let server: Awaited<ReturnType<typeof startGenerated>>;
let api: Awaited<ReturnType<typeof openCalls>>;

beforeAll(async () => {
  server = await startGenerated(schema);
  const source = createGraphQlSource({ http, readerFolder });
  api = await openCalls(source, { url: server.endpoint, allowPrivateNetwork: true }, 'github');
});
afterAll(async () => {
  await Promise.all([http.close(), server.close()]);
});

test('Every field is a tool', () => {
  const count = (type = schema.getQueryType()) => Object.keys(type?.getFields() ?? {}).length;
  expect(api.pack.size).toBe(count() + count(schema.getMutationType()));
  expect(api.pack.size).toBeGreaterThan(270);
  expect(api.loaded.warnings).toEqual([]);
});

test('Every tool is called with its least input, and its result is what its type says', async () => {
  const matches = validator();
  for (const path of api.pack.paths()) {
    const tool = api.find(path);
    const input = minimalInput(schema, tool.origin as { operation: string; field: string });
    expect(matches(tool.inputSchema, input), `input of ${path}`).toBe('');
    const outcome = await api.call(path, input);
    if (outcome.type !== 'value') throw new Error(`${path}: ${JSON.stringify(outcome)}`);
    expect(matches(tool.outputSchema as JsonSchema, outcome.value), `result of ${path}`).toBe('');
  }
});

test('Default selections are bounded', () => {
  for (const path of api.pack.paths()) {
    const { result } = api.find(path).plan as FieldPlan;
    expect((result?.selection ?? '').split(' ').length, path).toBeLessThan(200);
  }
});

test('Signatures are short, and parse with the examples', async () => {
  const parts: string[] = [];
  for (const path of api.pack.paths()) {
    const tool = api.find(path);
    const signature = signatureOf(tool);
    expect(signature.length, path).toBeLessThan(1_500);
    const { type, types } = declarationOf(tool, { prefix: 'T', anyOutput: true });
    const [, ...segments] = path.split('.');
    const tools = segments.reduceRight((inner, segment) => `{ ${segment}: ${inner} }`, type);
    parts.push(
      `namespace N${parts.length} {\n${types.join('\n')}\ndeclare const tools: { github: ${tools} };\nexport async function run() { ${exampleOf(tool)}; }\n}`,
    );
  }
  expect(await typeScriptErrors({ 'all.ts': parts.join('\n') }, { types: true })).toEqual([]);
});

test('select reaches any part of the schema', async () => {
  const select = `
    nameWithOwner
    issues(first: 5, states: [OPEN]) { nodes { title author { login ... on User { bio } } labels(first: 2) { nodes { name } } } }
    object(expression: "HEAD:README.md") { ... on Blob { text } }`;
  const repository = { owner: 'octo', name: 'hello' };
  expect(await api.call('github.query.repository', { ...repository, select })).toMatchObject({
    type: 'value',
    value: { nameWithOwner: 'text', issues: { nodes: [{ title: 'text' }] } },
  });
  expect(
    await api.check('github.query.repository', { ...repository, select: 'issues(frist: 3) { totalCount }' }),
  ).toMatchObject({
    message: expect.stringContaining('Did you mean "first"'),
  });
  expect(await api.check('github.query.node', { id: 'x', select: 'login' })).toMatchObject({
    message: expect.stringContaining('Did you mean to use an inline fragment'),
  });
});

/** Checks with an independent validator. Formats of custom scalars are the server's matter. */
function validator(): (schema: JsonSchema, value: unknown) => string {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
  const $defs: Record<string, JsonSchema> = {};
  const open: unknown[] = [...api.pack.tools()].flatMap(({ inputSchema, outputSchema }: Tool) => [
    inputSchema,
    outputSchema,
  ]);
  for (const one of open)
    for (const [, name] of JSON.stringify(one ?? true).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)) {
      if (name === undefined || Object.hasOwn($defs, name)) continue;
      $defs[name] = api.pack.get(name) ?? false;
      open.push($defs[name]);
    }
  ajv.addSchema({ $id: 'all', $defs });
  return (one, value) => {
    const text = JSON.stringify(one).replaceAll('"#/$defs/', '"all#/$defs/');
    const validate = ajv.compile(JSON.parse(text));
    return validate(value) ? '' : ajv.errorsText(validate.errors);
  };
}
