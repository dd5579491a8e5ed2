import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Attempt, startAttempts } from '../../../../test/attempts.ts';

/* A file may not be sent as fields that no rule and no reviewer has looked at. */

let attempts: Awaited<ReturnType<typeof startAttempts>>;
beforeAll(async () => {
  attempts = await startAttempts();
});
afterAll(() => attempts.close());

const string = { type: 'string' };
const owner = { name: 'owner', in: 'query', schema: string };
const content = (mediaType: string, schema: object) => ({
  requestBody: { required: true, content: { [mediaType]: { schema } } },
});
const file = content('application/octet-stream', { type: 'string', format: 'binary' });
const anyType = content('*/*', { type: 'string', format: 'binary' });
/** Types of bodies from which servers read fields. */
const fieldTypes = [
  'application/x-www-form-urlencoded',
  'APPLICATION/X-WWW-FORM-URLENCODED; charset=utf-8',
  'multipart/form-data; boundary=x',
  'multipart/mixed; boundary=x',
  'application/json',
  'application/vnd.api+json',
  'text/x-json',
  'image/png; type="application/json"',
];

test.each<[string, Attempt, string[]]>([
  ...fieldTypes.map((mediaType): [string, Attempt, string[]] => [
    `a file that is sent as ${mediaType}`,
    {
      operation: { parameters: [owner], ...file },
      input: { owner: 'ada', body: { text: 'owner=eve', mediaType } },
    },
    ['mediaType', mediaType, 'application/octet-stream'],
  ]),
  [
    'a form as a body of any type',
    {
      operation: anyType,
      input: { body: { base64: 'b3duZXI9ZXZl', mediaType: 'application/x-www-form-urlencoded' } },
    },
    ['mediaType', 'application/octet-stream'],
  ],
  [
    'a form as a text',
    {
      operation: content('text/plain', string),
      input: { body: { text: 'owner=eve', mediaType: 'application/x-www-form-urlencoded' } },
    },
    ['body', 'text'],
  ],
])('The call is refused before anyone is asked: %s', async (_, call, named) => {
  const { problem, outcome, received } = await attempts.attempt(call);
  expect(problem).toMatchObject({ type: 'error', details: { code: 'invalidRequest' } });
  expect(outcome).toEqual(problem);
  for (const name of named) expect(problem?.message).toContain(name);
  expect(received).toEqual([]);
});

test.each(fieldTypes)('An artifact of the type %s is refused as a body', async (artifactType) => {
  const { outcome, received } = await attempts.attempt({
    operation: { parameters: [owner], ...file },
    input: { owner: 'ada', body: { artifact: 'art' } },
    artifactType,
  });
  expect(outcome).toMatchObject({
    type: 'error',
    message: expect.stringContaining('Set mediaType to application/octet-stream'),
    details: { code: 'invalidRequest' },
  });
  expect(received).toEqual([]);
});

test.each<[object, string | undefined, string]>([
  [{ artifact: 'art' }, 'image/png', 'image/png'],
  [{ artifact: 'art' }, 'application/x-ndjson', 'application/x-ndjson'],
  // Rack reads a body without a type as a form.
  [{ artifact: 'art' }, '', 'application/octet-stream'],
  [{ artifact: 'art' }, ' ; a', 'application/octet-stream'],
  [
    { artifact: 'art', mediaType: 'application/octet-stream' },
    'application/json',
    'application/octet-stream',
  ],
  [{ artifact: 'art', mediaType: 'text/csv' }, 'application/json', 'text/csv'],
  [{ text: 'a', mediaType: 'text/plain; charset=utf-8' }, undefined, 'text/plain; charset=utf-8'],
])('The file %j with an artifact of the type %s is sent as %s', async (body, artifactType, sent) => {
  const { problem, received } = await attempts.attempt({
    operation: file,
    input: { body },
    ...(artifactType !== undefined && { artifactType }),
  });
  expect(problem).toBeUndefined();
  expect(received).toEqual([expect.objectContaining({ contentType: sent })]);
});

test('A file may have the type of a stream of JSON values that the document declares', async () => {
  const declared = 'application/stream+json';
  const { received } = await attempts.attempt({
    operation: content(declared, string),
    input: { body: { text: '{}', mediaType: declared } },
  });
  expect(received).toEqual([expect.objectContaining({ contentType: declared })]);
});

test('The type of an artifact cannot add headers to its part', async () => {
  const photo = { type: 'string', format: 'binary' };
  const { received } = await attempts.attempt({
    operation: content('multipart/form-data', { type: 'object', properties: { owner: string, photo } }),
    input: { owner: 'ada', photo: { artifact: 'art' } },
    artifactType: 'text/plain\r\nContent-Disposition: form-data; name="owner"',
  });
  expect(received).toHaveLength(1);
  expect(received[0]?.body.match(/name="owner"/g)).toHaveLength(1);
});
