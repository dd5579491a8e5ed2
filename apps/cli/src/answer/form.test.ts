import { expect, test } from 'vitest';
import { flatForm, parseTypedJson, readField } from './form.ts';

test('A flat schema becomes a form', () => {
  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Name', description: 'as on the card', default: 'Ada' },
      size: { oneOf: [{ const: 's', title: 'Small' }, { const: 'l' }] },
      mood: { type: 'string', enum: ['good', 'bad'], enumNames: ['Good', 'Bad'] },
      age: { type: 'integer' },
    },
    required: ['name'],
  };
  expect(flatForm(schema)).toEqual([
    { name: 'name', title: 'Name: as on the card', type: 'string', required: true, initial: 'Ada' },
    {
      name: 'size',
      title: 'size',
      type: 'choice',
      required: false,
      choices: [
        { value: 's', label: 'Small' },
        { value: 'l', label: 'l' },
      ],
    },
    {
      name: 'mood',
      title: 'mood',
      type: 'choice',
      required: false,
      choices: [
        { value: 'good', label: 'Good' },
        { value: 'bad', label: 'Bad' },
      ],
    },
    { name: 'age', title: 'age', type: 'integer', required: false },
  ]);
});

test.each([
  [undefined],
  ['https://example.com'],
  [{ type: 'array' }],
  [{ type: 'object', properties: { inner: { type: 'object', properties: {} } } }],
  [{ type: 'object', properties: { either: { oneOf: [{ type: 'string' }, { type: 'number' }] } } }],
])('The schema %j does not become a form', (schema) => expect(flatForm(schema)).toBeUndefined());

test('Typed text becomes the value of the field', () => {
  const field = { name: 'a', title: 'a', required: false };
  expect(readField({ ...field, type: 'string' }, 'x')).toEqual({ value: 'x' });
  expect(readField({ ...field, type: 'number' }, '1.5')).toEqual({ value: 1.5 });
  expect(readField({ ...field, type: 'integer' }, '1.5')).toEqual({ problem: 'It must be a whole number.' });
  expect(readField({ ...field, type: 'number' }, 'x')).toEqual({ problem: 'It must be a number.' });
  expect(readField({ ...field, type: 'string' }, '')).toEqual({ value: undefined });
  expect(readField({ ...field, type: 'string', required: true }, '')).toEqual({
    problem: 'This field is required.',
  });
});

test('A mistake in JSON is shown with its line, column and a caret', () => {
  expect(() => parseTypedJson('{\n  "a": 1,\n  "b": tru\n}', 'The input')).toThrow(
    'The input must be JSON: a text in "quotes", a number, {…}. See line 3, column 8:\n    "b": tru\n         ^',
  );
  expect(() => parseTypedJson(`[${'1,'.repeat(100)}x]`, 'It')).toThrow(
    /column 202:\n {2}[1,]{30}x\]\n {32}\^$/,
  );
});
