import { expect, test } from 'vitest';
import { read, withOperation } from '../../../../test/read.ts';

const outputOf = async (responses: object, rest: Record<string, unknown> = {}) => {
  const { tool } = await read(withOperation({ responses }, rest));
  return { schema: tool('api.t.run').outputSchema, accept: tool('api.t.run').plan.accept };
};
const content = (...types: [string, unknown][]) => ({
  description: '',
  content: Object.fromEntries(types.map(([type, schema]) => [type, { schema }])),
});
const string = { type: 'string' };
const number = { type: 'number' };
const artifact = { type: 'object', properties: { type: { const: 'artifact' } } };

test.each([
  [
    'the success response',
    { 404: content(['application/json', string]), 200: content(['application/json', number]) },
    number,
  ],
  ['the default response', { default: content(['application/json', number]) }, number],
  ['the response of a range', { '2XX': content(['application/json', number]) }, number],
  ['JSON before text', { 200: content(['text/plain', string], ['application/json', number]) }, number],
  ['text', { 200: content(['text/csv', string]) }, { type: 'string' }],
  ['XML as text', { 200: content(['application/xml', { type: 'object' }]) }, { type: 'string' }],
  ['a list for lines', { 200: content(['application/x-ndjson', number]) }, { type: 'array', items: number }],
  ['a list for events', { 200: content(['text/event-stream', number]) }, { type: 'array' }],
  ['null for 204', { 204: { description: '' } }, { type: 'null' }],
  ['anything if there is no schema', { 200: { description: '' } }, true],
  [
    'a list for another type of lines',
    { 200: content(['application/json-stream', number]) },
    { type: 'array', items: number },
  ],
  [
    'a choice between several responses',
    { 200: content(['application/json', number]), 201: content(['application/json', string]), 204: {} },
    { anyOf: [number, string, { type: 'null' }] },
  ],
  [
    'one schema for several equal responses',
    { 200: content(['application/json', number]), 201: content(['application/json', number]) },
    number,
  ],
])('the output schema is %s', async (_, responses, expected) => {
  expect((await outputOf(responses)).schema).toEqual(expected);
});

test('bytes become an artifact', async () => {
  for (const type of ['image/png', 'application/octet-stream', 'application/pdf']) {
    expect(
      (await outputOf({ 200: content([type, { type: 'string', format: 'binary' }]) })).schema,
    ).toMatchObject(artifact);
  }
  const swagger = { openapi: undefined, swagger: '2.0' };
  expect((await outputOf({ 200: { schema: { type: 'file' } } }, swagger)).schema).toMatchObject(artifact);
});

test('accept lists the media types of the responses, best first', async () => {
  const { accept } = await outputOf({
    200: content(['image/png', {}], ['text/plain', string], ['application/hal+json', number]),
  });
  expect(accept).toEqual(['application/hal+json', 'text/plain', 'image/png']);
});

test('the media types of a Swagger document apply to all operations', async () => {
  const produces = { openapi: undefined, swagger: '2.0', produces: ['application/vnd.x+json'] };
  expect(await outputOf({ 200: { schema: number } }, produces)).toEqual({
    schema: number,
    accept: ['application/vnd.x+json'],
  });
});

test('the output schema is unknown if there are no responses', async () => {
  expect((await outputOf(null as unknown as object)).schema).toBeUndefined();
});
