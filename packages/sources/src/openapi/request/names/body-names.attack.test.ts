import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Attempt, startAttempts } from '../../../../test/attempts.ts';

/* A body may not carry a second value for a parameter that a rule or a reviewer has looked at. */

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
const inPath = { ...owner, in: 'path', required: true };
const content = (mediaType: string, schema: object) => ({
  requestBody: { required: true, content: { [mediaType]: { schema } } },
});
const open = (mediaType: string, properties: object) =>
  content(mediaType, { type: 'object', properties, additionalProperties: true });
const mapBody = content('application/json', map);
const oneOfBody = content('application/json', { oneOf: [map, { type: 'array', items: string }] });
const alternatives = (properties: object) =>
  content('application/json', {
    oneOf: [
      { type: 'object', properties },
      { type: 'array', items: string },
    ],
  });
const formText = content('application/x-www-form-urlencoded', string);

test.each<[string, Attempt, string[]]>([
  [
    'the text of a whole form',
    {
      operation: { parameters: [owner], ...formText },
      input: { owner: 'ada', body: 'a=b&own%65r=eve' },
    },
    ['body', 'owner'],
  ],
  [
    'a pair after a semicolon in the text of a whole form',
    { operation: { parameters: [owner], ...formText }, input: { owner: 'ada', body: 'a=b;owner=eve' } },
    ['body', 'owner'],
  ],
  ...[mapBody, oneOfBody].flatMap((one): [string, Attempt, string[]][] =>
    ['eve', null].map((value) => [
      'a key of a JSON body that is also a parameter',
      { operation: { parameters: [owner], ...one }, input: { owner: 'ada', body: { owner: value } } },
      ['body.owner', 'owner'],
    ]),
  ),
  [
    'a key of a JSON body that names an omitted parameter',
    { operation: { parameters: [owner], ...mapBody }, input: { body: { owner: 'eve' } } },
    ['body.owner', 'owner'],
  ],
  [
    'a key of a JSON body that is also a deep object',
    {
      operation: { parameters: [deep], ...mapBody },
      input: { deep: { owner: 'ada' }, body: { deep: { owner: 'eve' } } },
    },
    ['body.deep', 'deep'],
  ],
  [
    'a key of a JSON body that is in the base URL',
    { operation: mapBody, input: { body: { tenant: 'eve' } }, baseQuery: '/?tenant=ada' },
    ['body.tenant', 'the base URL'],
  ],
  [
    'a key of a JSON body that names a credential in the query',
    { operation: mapBody, input: { body: { key: 'eve' } }, auth: { query: { key: 'sesame' } } },
    ['body.key', 'the credential key'],
  ],
  [
    'two keys of a JSON body',
    { operation: mapBody, input: { body: { owner: 'ada', OWNER: 'eve' } } },
    ['body.owner', 'body.OWNER'],
  ],
  [
    'two additional fields of a JSON body',
    { operation: open('application/json', { owner: string }), input: { tenant: 'ada', Tenant: 'eve' } },
    ['tenant', 'Tenant'],
  ],
  [
    'a field of a free form that names a parameter of the path',
    {
      operation: { parameters: [inPath], ...content('application/x-www-form-urlencoded', map) },
      input: { owner: 'ada', body: { 'owner[]': 'eve' } },
      path: '/users/{owner}',
    },
    ['body.owner[]', 'owner'],
  ],
  [
    // Go reads the long s as s.
    'two keys with one capital form',
    { operation: mapBody, input: { body: { user: 'ada', 'u\u017fer': 'eve' } } },
    ['body.user', 'body.u\u017fer'],
  ],
  [
    'a method override that an alternative declares',
    { operation: alternatives({ _method: string }), input: { body: { _method: 'DELETE' } } },
    ['body._method', 'the method of the request'],
  ],
  [
    'a key beside those that an alternative declares',
    { operation: alternatives({ owner: string }), input: { body: { owner: 'ada', Owner: 'eve' } } },
    ['body.owner', 'body.Owner'],
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
    {
      operation: { parameters: [inPath, filter], ...mapBody },
      input: { owner: 'ada', filter: { a: 1 }, body: { owner: 'ada', b: { c: 1, d: 2 } } },
      path: '/users/{owner}',
    },
    '/users/ada?a=1',
  ],
  [
    {
      operation: {
        parameters: [
          { ...owner, name: 'id' },
          { ...inPath, name: 'id' },
        ],
        ...open('application/json', { id: string }),
      },
      input: { id: '1', query_id: '2', body_id: '3' },
      path: '/users/{id}',
    },
    '/users/1?id=2',
  ],
  [
    { operation: { parameters: [owner], ...formText }, input: { owner: 'ada', body: 'a=b&c=d' } },
    '?owner=ada',
  ],
  [
    {
      operation: { parameters: [owner], ...alternatives({ owner: string }) },
      input: { owner: 'ada', body: { owner: 'bob' } },
    },
    '?owner=ada',
  ],
  // Rules read all spellings of a field, and names of environment variables differ in case.
  [{ operation: mapBody, input: { body: { env: { a: 1, A: 2 } } } }, '/things'],
])('Names that no server mistakes for each other are sent: %j', async (call, sent) => {
  const { problem, received } = await attempts.attempt(call);
  expect(problem).toBeUndefined();
  expect(received).toEqual([expect.objectContaining({ url: expect.stringContaining(sent) })]);
});
