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

test('each kind of property has its field', () => {
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

test('what is typed becomes what was asked for, and what is left empty is left out', () => {
  const fields = formFields({ schema }, 'elicitation') ?? [];
  const typed = { name: 'Ada', urgent: 'false', colour: '2', tags: '["a"]', __proto__: 'x' };
  expect(readForm(fields, typed)).toEqual({
    type: 'read',
    data: { name: 'Ada', count: 3, urgent: false, colour: null, tags: ['a'] },
  });
});

test('what cannot be right is said beside its field', () => {
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

test('what a credential asks for is hidden, unless it is an address', () => {
  const fields = formFields(
    { properties: { key: { type: 'string' }, site: { type: 'string', format: 'uri' } } },
    'credential',
  );
  expect(fields?.map(({ type }) => type)).toEqual(['password', 'text']);
});

test('a form that is no object is typed as JSON', () => {
  expect(formFields({ type: 'string' }, 'elicitation')).toBeUndefined();
  expect(formFields('https://example.com', 'oauth')).toBeUndefined();
});
