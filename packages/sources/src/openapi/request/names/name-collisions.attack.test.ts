import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Attempt, startAttempts } from '../../../../test/attempts.ts';

/* An input may not carry a second value for a parameter that a rule or a reviewer has looked at. body-names.attack.test.ts has bodies. */

let attempts: Awaited<ReturnType<typeof startAttempts>>;
beforeAll(async () => {
  attempts = await startAttempts();
});
afterAll(() => attempts.close());

const string = { type: 'string' };
const map = { type: 'object', additionalProperties: true };
const owner = { name: 'owner', in: 'query', schema: string };
const filter = { name: 'filter', in: 'query', schema: map };
const deep = { name: 'deep', in: 'query', style: 'deepObject', explode: true, schema: map };
const body = (mediaType: string, properties: object = { owner: string }) => ({
  requestBody: {
    required: true,
    content: { [mediaType]: { schema: { type: 'object', properties, additionalProperties: true } } },
  },
});
const form = body('application/x-www-form-urlencoded');
const query = { parameters: [owner, filter] };
const inPath = { ...owner, in: 'path', required: true };
const alike = ['owner', 'owner[]', 'owner[0]', 'owner[x]', 'Owner', '%6fwner', ' owner', 'owner\0x'];

test.each<[string, Attempt, string[]]>([
  ...alike.map((name): [string, Attempt, string[]] => [
    `the key ${JSON.stringify(name)} of an exploded object`,
    { operation: query, input: { owner: 'ada', filter: { [name]: 'eve' } } },
    [`filter.${name}`, 'owner'],
  ]),
  [
    'a key that names an omitted parameter',
    { operation: query, input: { filter: { owner: 'eve' } } },
    ['filter.owner', 'owner'],
  ],
  [
    'keys of two exploded objects',
    {
      operation: { parameters: [filter, { ...filter, name: 'other' }] },
      input: { filter: { owner: 'ada' }, other: { owner: 'eve' } },
    },
    ['filter.owner', 'other.owner'],
  ],
  [
    'two keys of one exploded object',
    { operation: { parameters: [filter] }, input: { filter: { owner: 'ada', 'owner[]': 'eve' } } },
    ['filter.owner', 'filter.owner[]'],
  ],
  [
    'a key of a deep object that is also a parameter',
    {
      operation: { parameters: [{ ...owner, name: 'deep[owner]' }, deep] },
      input: { 'deep[owner]': 'ada', deep: { owner: 'eve' } },
    },
    ['deep', 'deep[owner]'],
  ],
  [
    'a key with brackets in a deep object',
    { operation: { parameters: [deep] }, input: { deep: { a: { x: 'ada' }, 'a][x': 'eve' } } },
    ['deep', 'brackets'],
  ],
  [
    'a key that is like a deep object',
    {
      operation: { parameters: [deep, filter] },
      input: { deep: { owner: 'ada' }, filter: { 'deep.owner': 'eve' } },
    },
    ['filter.deep.owner', 'deep'],
  ],
  [
    'a key that is in the base URL',
    { operation: query, input: { filter: { tenant: 'eve' } }, baseQuery: '/?tenant=ada' },
    ['filter.tenant', 'the base URL'],
  ],
  [
    'a parameter that is in the base URL',
    { operation: query, input: { owner: 'eve' }, baseQuery: '/?owner=ada' },
    ['the base URL', 'owner'],
  ],
  [
    'a key that is in the query of the path',
    { operation: query, input: { filter: { kind: 'eve' } }, path: '/t?kind=ada' },
    ['filter.kind', 'the path of the operation'],
  ],
  [
    'a key that names a credential in the query',
    { operation: query, input: { filter: { 'key[]': 'eve' } }, auth: { query: { key: 'sesame' } } },
    ['filter.key[]', 'the credential key'],
  ],
  [
    'a key that names a field of a form',
    { operation: { parameters: [filter], ...form }, input: { owner: 'ada', filter: { owner: 'eve' } } },
    ['filter.owner', 'owner'],
  ],
  [
    'a key that names a field of a JSON body',
    {
      operation: { parameters: [filter], ...body('application/json') },
      input: { owner: 'ada', filter: { owner: 'eve' } },
    },
    ['filter.owner', 'owner'],
  ],
  [
    'an additional field of a form',
    { operation: form, input: { owner: 'ada', 'owner[]': 'eve' } },
    ['owner[]', 'owner'],
  ],
  [
    'an additional part of a multipart body',
    { operation: body('multipart/form-data'), input: { owner: 'ada', Owner: 'eve' } },
    ['Owner', 'owner'],
  ],
  [
    'an additional field of a JSON body',
    { operation: body('application/json'), input: { owner: 'ada', OWNER: 'eve' } },
    ['OWNER', 'owner'],
  ],
  [
    'a key that names a cookie',
    {
      operation: {
        parameters: [
          { ...owner, in: 'cookie' },
          { ...filter, in: 'cookie' },
        ],
      },
      input: { owner: 'ada', filter: { owner: 'eve' } },
    },
    ['filter.owner', 'owner'],
  ],
  [
    'a key that names the cookie of a credential',
    {
      operation: { parameters: [{ ...filter, in: 'cookie' }] },
      input: { filter: { session: 'eve' } },
      auth: { cookies: { session: 'sesame' } },
    },
    ['filter.session', 'the credential session'],
  ],
  [
    'a key that names a parameter of the path',
    {
      operation: { parameters: [inPath, filter] },
      input: { owner: 'ada', filter: { owner: 'eve' } },
      path: '/users/{owner}/items',
    },
    ['filter.owner', 'owner'],
  ],
  ...['Owner', '%6fwner', ' owner', 'owner\0x'].map((name): [string, Attempt, string[]] => [
    `the keys owner and ${JSON.stringify(name)} of a deep object`,
    { operation: { parameters: [deep] }, input: { deep: { owner: 'ada', [name]: 'eve' } } },
    ['deep', '"owner"', JSON.stringify(name)],
  ]),
  [
    'two keys of an object within a deep object',
    { operation: { parameters: [deep] }, input: { deep: { a: [{ owner: 'ada', Owner: 'eve' }] } } },
    ['deep', '"owner"', '"Owner"'],
  ],
  [
    'a blank key in a deep object',
    { operation: { parameters: [deep] }, input: { deep: { ' ': 'eve' } } },
    ['deep', 'empty'],
  ],
  [
    'a key with encoded brackets in a deep object',
    { operation: { parameters: [deep] }, input: { deep: { a: { x: 'ada' }, 'a%5D%5Bx': 'eve' } } },
    ['deep', 'brackets'],
  ],
  [
    'a header that servers read as the header of a credential',
    {
      operation: { parameters: [{ ...owner, name: 'X_Key', in: 'header' }] },
      input: { X_Key: 'eve' },
      auth: { headers: { 'X-Key': 'sesame' } },
    },
    ['x_key', 'x-key'],
  ],
])('The call is refused before anyone is asked: %s', async (_, call, named) => {
  const { problem, outcome, received } = await attempts.attempt(call);
  expect(problem).toMatchObject({ type: 'error', details: { code: 'invalidRequest' } });
  expect(outcome).toEqual(problem);
  for (const name of named) expect(problem?.message).toContain(name);
  expect(received).toEqual([]);
});

test.each<[Attempt, string]>([
  [
    { operation: query, input: { owner: 'ada', filter: { a: 1, 'owner.x': 2, b: ['c', 'd'] } } },
    '?owner=ada&a=1&owner.x=2&b=c&b=d',
  ],
  [
    { operation: { parameters: [deep] }, input: { deep: { a: [{ x: 1 }, { x: 2 }] } } },
    '?deep%5Ba%5D%5B0%5D%5Bx%5D=1&deep%5Ba%5D%5B1%5D%5Bx%5D=2',
  ],
  [
    {
      operation: {
        parameters: [
          { ...owner, name: 'q' },
          { ...owner, name: 'q.op' },
        ],
      },
      input: { q: 'a', 'q.op': 'AND' },
    },
    '?q=a&q.op=AND',
  ],
  [{ operation: query, input: { owner: 'ada' }, baseQuery: '/?owner=ada' }, '?owner=ada&owner=ada'],
  [{ operation: query, input: { owner: 'eve' }, auth: { query: { owner: 'ada' } } }, '?owner=ada'],
  [
    {
      operation: { parameters: [{ ...owner, name: 'q', allowReserved: true }] },
      input: { q: 'x;owner=eve,a/b' },
    },
    '?q=x%3Bowner=eve,a/b',
  ],
  [
    {
      operation: { parameters: [deep] },
      input: { deep: { 1: 'a', 2: 'b', x: [1, { y: 2 }], z: null, Z: 3 } },
    },
    '?deep%5B1%5D=a&deep%5B2%5D=b&deep%5Bx%5D%5B%5D=1&deep%5Bx%5D%5B1%5D%5By%5D=2&deep%5BZ%5D=3',
  ],
])('Names that no server mistakes for each other are sent: %j', async (call, sent) => {
  const { problem, received } = await attempts.attempt(call);
  expect(problem).toBeUndefined();
  expect(received).toEqual([expect.objectContaining({ url: expect.stringContaining(sent) })]);
});
