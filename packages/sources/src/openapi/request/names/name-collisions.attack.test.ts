import type { Auth } from '@executor/engine';
import { credentialNamesOf } from '@executor/engine';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type LocalServer, startLocalServer } from '../../../../test/local-server.ts';
import { read, withOperation } from '../../../../test/read.ts';
import { createHttpClient } from '../../../http/create-http-client.ts';
import type { HttpClient } from '../../../http/http-client.ts';
import { createOpenApiSource } from '../../openapi-source.ts';

/* An input may not carry a second value for a parameter that a rule or a reviewer has looked at. */

let http: HttpClient;
let server: LocalServer;
let received: string[];
beforeAll(async () => {
  http = createHttpClient();
  server = await startLocalServer((request, response) => {
    received.push(request.url ?? '');
    response.end('{}');
  });
});
afterAll(async () => {
  await http.close();
  await server.close();
});
beforeEach(() => {
  received = [];
});

interface Attempt {
  operation: object;
  input: object;
  baseQuery?: string;
  path?: string;
  auth?: Auth;
}

async function attempt({ operation, input, baseQuery = '', path, auth = {} }: Attempt) {
  const source = createOpenApiSource({ http, readerFolder: '' });
  const { tool } = await read(withOperation(operation, { method: 'post', ...(path && { path }) }));
  const settings = { document: '', baseUrl: server.url + baseQuery, allowPrivateNetwork: true };
  const call = { tool: tool('api.t.run'), input, settings };
  const context = {
    workspaceId: 'ws',
    credentials: credentialNamesOf(auth),
    hasArtifact: async () => false,
  };
  const problem = await source.check?.(call, context);
  const outcome = await source.invoke(
    {
      ...call,
      auth,
      call: { workspaceId: 'ws', executionId: 'exe', index: 0, attempt: 1, id: 'exe.0' },
      ask: () => Promise.reject(new Error('There is no user.')),
      putArtifact: async () => ({ artifactId: 'art', mediaType: '', bytes: 0 }),
      readArtifact: async () => undefined,
      allowAnswer: async () => {},
    },
    AbortSignal.timeout(20_000),
  );
  return { problem, outcome, received };
}

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
    'a header that servers read as the header of a credential',
    {
      operation: { parameters: [{ ...owner, name: 'X_Key', in: 'header' }] },
      input: { X_Key: 'eve' },
      auth: { headers: { 'X-Key': 'sesame' } },
    },
    ['x_key', 'x-key'],
  ],
])('The call is refused before anyone is asked: %s', async (_, call, named) => {
  const { problem, outcome, received } = await attempt(call);
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
])('Names that no server mistakes for each other are sent: %j', async (call, sent) => {
  const { problem, received } = await attempt(call);
  expect(problem).toBeUndefined();
  expect(received).toEqual([expect.stringContaining(sent)]);
});
