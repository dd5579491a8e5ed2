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
    'of the success',
    { 404: content(['application/json', string]), 200: content(['application/json', number]) },
    number,
  ],
  ['of whatever there is', { default: content(['application/json', number]) }, number],
  ['of a range', { '2XX': content(['application/json', number]) }, number],
  ['JSON before text', { 200: content(['text/plain', string], ['application/json', number]) }, number],
  ['text', { 200: content(['text/csv', string]) }, { type: 'string' }],
  ['XML as text', { 200: content(['application/xml', { type: 'object' }]) }, { type: 'string' }],
  ['a list, of lines', { 200: content(['application/x-ndjson', number]) }, { type: 'array', items: number }],
  ['a list, of events', { 200: content(['text/event-stream', number]) }, { type: 'array' }],
  ['nothing', { 204: { description: '' } }, { type: 'null' }],
  ['anything, where it is not said', { 200: { description: '' } }, true],
  [
    'lines under their other name',
    { 200: content(['application/json-stream', number]) },
    { type: 'array', items: number },
  ],
  [
    'one of several',
    { 200: content(['application/json', number]), 201: content(['application/json', string]), 204: {} },
    { anyOf: [number, string, { type: 'null' }] },
  ],
  [
    'the same of several',
    { 200: content(['application/json', number]), 201: content(['application/json', number]) },
    number,
  ],
])('the output is %s', async (_, responses, expected) => {
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

test('asks for the media types of the answers, the best first', async () => {
  const { accept } = await outputOf({
    200: content(['image/png', {}], ['text/plain', string], ['application/hal+json', number]),
  });
  expect(accept).toEqual(['application/hal+json', 'text/plain', 'image/png']);
});

test('Swagger says what is produced once for all', async () => {
  const produces = { openapi: undefined, swagger: '2.0', produces: ['application/vnd.x+json'] };
  expect(await outputOf({ 200: { schema: number } }, produces)).toEqual({
    schema: number,
    accept: ['application/vnd.x+json'],
  });
});

test('is not known where no answers are declared', async () => {
  expect((await outputOf(null as unknown as object)).schema).toBeUndefined();
});
