import { expect, test } from 'vitest';
import { formFields, readForm } from './form-fields.ts';

const schema = {
  type: 'object',
  required: ['name', 'count'],
  properties: {
    name: { type: 'string', title: 'Your name', description: 'As on the letter' },
    story: { type: 'string', maxLength: 5_000 },
    count: { type: 'integer', default: 3 },
    urgent: { type: 'boolean', default: true },
    colour: { enum: ['red', 2, null], default: 2 },
    size: { oneOf: [{ const: 's', title: 'Small' }, { const: 'l' }] },
    token: { type: 'string', format: 'password', default: 'never shown' },
    tags: { type: 'array', items: { type: 'string' } },
  },
};

test('Each type of property has its own field', () => {
  const fields = formFields(schema, 'elicitation') ?? [];
  expect(fields.map(({ name, type, required, initial }) => [name, type, required, initial])).toEqual([
    ['name', 'text', true, ''],
    ['story', 'lines', false, ''],
    ['count', 'number', true, '3'],
    ['urgent', 'boolean', false, 'true'],
    ['colour', 'choice', false, '1'],
    ['size', 'choice', false, ''],
    ['token', 'password', false, ''],
    ['tags', 'json', false, ''],
  ]);
  expect(fields[0]).toMatchObject({ label: 'Your name', hint: 'As on the letter' });
  expect(fields[5]?.choices).toEqual([
    { value: 's', label: 'Small' },
    { value: 'l', label: 'l' },
  ]);
});

test('Typed texts become data of the schema, and empty fields are left out', () => {
  const fields = formFields({ schema }, 'elicitation') ?? [];
  const typed = { name: 'Ada', urgent: 'false', colour: '2', tags: '["a"]', __proto__: 'x' };
  expect(readForm(fields, typed)).toEqual({
    type: 'read',
    data: { name: 'Ada', count: 3, urgent: false, colour: null, tags: ['a'] },
  });
});

test('Invalid values are reported beside their field', () => {
  const fields = formFields(schema, 'elicitation') ?? [];
  expect(readForm(fields, { count: 'many', tags: '[' })).toEqual({
    type: 'problems',
    problems: {
      name: 'This field is required.',
      count: 'Enter a number.',
      tags: 'Enter JSON: a text in "quotes", a number, {…}, […] or null.',
    },
  });
});

test('Fields of a credential are hidden, unless they are addresses', () => {
  const fields = formFields(
    { properties: { key: { type: 'string' }, site: { type: 'string', format: 'uri' } } },
    'credential',
  );
  expect(fields?.map(({ type }) => type)).toEqual(['password', 'text']);
});

test('A schema that is not an object is answered as JSON', () => {
  expect(formFields({ type: 'string' }, 'elicitation')).toBeUndefined();
  expect(formFields('https://example.com', 'oauth')).toBeUndefined();
});
