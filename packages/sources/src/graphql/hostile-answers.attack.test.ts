import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCalls } from '../../test/graphql/calling.ts';
import { type LocalServer, startLocalServer } from '../../test/local-server.ts';
import { readerFolder } from '../../test/reader-folder.ts';
import { createHttpClient } from '../http/create-http-client.ts';
import { createGraphQlSource } from './graphql-source.ts';

/* A server that answers calls in hostile ways. Each test chooses the answer. */

const document = `type Query { user(id: ID): User count: Int list: [User!]! } type User { id: ID! name: String friends(first: Int): [User] }
  type Mutation { rename(name: String!): User }`;
const http = createHttpClient();
let server: LocalServer;
let api: Awaited<ReturnType<typeof openCalls>>;
let answer: { status?: number; type?: string; text: string } | undefined;
let attempts = 0;

beforeAll(async () => {
  server = await startLocalServer((request, response) => {
    attempts += 1;
    request.resume();
    if (answer === undefined) return;
    const { status = 200, type = 'application/json', text } = answer;
    response.writeHead(status, { 'content-type': type }).end(text);
  });
  const source = createGraphQlSource({ http, readerFolder });
  api = await openCalls(source, { document, baseUrl: `${server.url}/graphql`, allowPrivateNetwork: true });
});
afterAll(async () => {
  await Promise.all([http.close(), server.close()]);
});

async function called(text: string, more: Partial<typeof answer> = {}) {
  answer = { text, ...more };
  return api.call('api.query.user', {});
}

test('Values of other types than the schema says are passed on', async () => {
  for (const value of [5, 'text', [1, [2]], { other: true }, { id: null, name: { deep: [] } }])
    expect(await called(JSON.stringify({ data: { user: value } }))).toEqual({ type: 'value', value });
});

test('An answer without the field is null', async () => {
  for (const data of [{}, { other: 1 }, null, 'text', [1]])
    expect(await called(JSON.stringify({ data }))).toEqual({ type: 'value', value: null });
});

test('The names __proto__ and constructor are ordinary keys of a result', async () => {
  const json = '{"data":{"__proto__":{"a":1},"user":{"__proto__":{"polluted":1},"constructor":2}}}';
  const outcome = await called(json);
  expect(JSON.stringify(outcome)).toBe(
    '{"type":"value","value":{"__proto__":{"polluted":1},"constructor":2}}',
  );
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('Text in strings and keys is not mistaken for members', async () => {
  const tricky = { '"user":': '},"errors":[{"message":"no"}],{', 'a\\"': '\\"}', '': { '}': ']' } };
  const json = JSON.stringify(
    { extensions: tricky, data: { ...tricky, user: tricky, after: tricky } },
    null,
    2,
  );
  expect(await called(json)).toEqual({ type: 'value', value: tricky });
});

test('If a key occurs twice, the last one counts, as in JSON.parse', async () => {
  expect(await called('{"data":{"user":1,"\\u0075ser":2},"data":{"user":3,"user":4}}')).toEqual({
    type: 'value',
    value: 4,
  });
});

test.each<[string, unknown, string]>([
  ['a text', 'broken', 'broken.'],
  ['an object', { message: 'broken' }, 'broken.'],
  ['null in a list', [null], 'The server reports an error.'],
  ['a message that is no text', [{ message: { a: 1 } }], 'The server reports an error.'],
  ['a number', 7, 'The server reports an error.'],
  ['a hostile path', [{ message: 'm', path: [{ a: 1 }, 'user', 0, null] }], 'm (at user.0).'],
  ['a long message', [{ message: 'x'.repeat(100_000) }], 'xxx'],
  ['very many errors', Array.from({ length: 50_000 }, () => ({ message: 'm' })), 'm, and 49999 more errors.'],
])('Errors that are %s become one short error', async (_, errors, message) => {
  const outcome = await called(JSON.stringify({ data: null, errors }));
  expect(outcome).toMatchObject({ type: 'error', message: expect.stringContaining(message) });
  expect(JSON.stringify(outcome).length).toBeLessThan(10_000);
});

test('A mutation that failed after it was executed says that it may have taken effect', async () => {
  const rename = async (error: object) => {
    answer = { text: JSON.stringify({ data: { rename: null }, errors: [error] }) };
    return api.call('api.mutation.rename', { name: 'x' });
  };
  expect(await rename({ message: 'm', path: ['rename', 'friends'] })).toMatchObject({
    message: 'm (at rename.friends). It is not known whether the call took effect.',
  });
  expect(await rename({ message: 'm', path: ['rename'] })).toMatchObject({ message: 'm (at rename).' });
});

test('An empty list of errors, or null, is no error', async () => {
  for (const errors of [[], null])
    expect(await called(JSON.stringify({ data: { user: 1 }, errors }))).toEqual({ type: 'value', value: 1 });
});

test('Large data beside errors becomes an artifact', async () => {
  const user = { name: 'x'.repeat(1_000_000) };
  expect(await called(JSON.stringify({ data: { user }, errors: [{ message: 'm' }] }))).toMatchObject({
    type: 'error',
    details: { data: { type: 'artifact', id: 'art' } },
  });
});

test.each<[string, string, object]>([
  ['no JSON', '<html>', { code: 'notGraphQl' }],
  ['a list', '[]', { code: 'notGraphQl' }],
  ['an object of another kind', '{"hello":1}', { code: 'notGraphQl' }],
  ['nothing', '', { code: 'notGraphQl' }],
  [
    'nesting without end',
    `{"data":{"user":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`,
    { code: 'resultTooLarge' },
  ],
  [
    'more than the limit',
    JSON.stringify({ data: { user: 'x'.repeat(11 * 1024 * 1024) } }),
    { code: 'answerTooLarge' },
  ],
])('An answer that is %s is an error', async (_, text, details) => {
  expect(await called(text)).toMatchObject({ type: 'error', message: expect.stringMatching(/./), details });
});

test('The errors of a response with an error status are in the message', async () => {
  const text = JSON.stringify({ errors: [{ message: 'No such field' }] });
  expect(await called(text, { status: 400, type: 'application/graphql-response+json' })).toMatchObject({
    type: 'error',
    message: 'No such field (HTTP 400 Bad Request)',
    details: { status: 400 },
  });
});

test('A server that never answers ends with the signal, and a write is sent once', async () => {
  answer = undefined;
  attempts = 0;
  const end = new AbortController();
  const pending = api.call('api.mutation.rename', { name: 'x' }, { signal: end.signal });
  await expect.poll(() => attempts).toBe(1);
  end.abort(new Error('enough'));
  await expect(pending).rejects.toThrow('enough');
  expect(attempts).toBe(1);
});

test('The message about a wrong selection is short', async () => {
  for (const select of [
    'x'.repeat(30_000),
    `name @${'x'.repeat(30_000)}`,
    `friends(first: "${'x'.repeat(30_000)}") { id }`,
  ]) {
    const problem = await api.check('api.query.user', { select });
    expect(problem?.message.length).toBeLessThan(2_000);
  }
});

test('Selections that cost time to check are refused', async () => {
  const check = (select: string) => api.check('api.query.user', { select });
  expect(await check(Array.from({ length: 2_000 }, (_, index) => `a${index}: name`).join(' '))).toMatchObject(
    {
      message: expect.stringContaining('2000 tokens'),
    },
  );
  const deep = `${'friends {'.repeat(200)}id${'}'.repeat(200)}`;
  expect(await check(deep)).toMatchObject({ message: expect.stringContaining('nested deeper') });
  expect(await check(`friends(first: ${'['.repeat(900)}1${']'.repeat(900)}) { id }`)).toMatchObject({
    message: expect.stringMatching(/./),
  });
  expect(await check('name '.repeat(20_000))).toMatchObject({
    message: expect.stringContaining('longer than'),
  });
});
