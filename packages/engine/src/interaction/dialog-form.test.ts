import { expect, test } from 'vitest';
import { dialogForm } from './dialog-form.ts';

const form = (properties: Record<string, unknown>, required?: unknown) =>
  dialogForm({ type: 'object', properties, ...(required !== undefined && { required }) });

test('a flat form is asked as it is, without what a client could fill in by itself', () => {
  const properties = {
    name: {
      type: 'string',
      title: 'Name',
      description: 'Yours',
      minLength: 1,
      default: 'x',
      format: 'email',
    },
    count: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
    colour: { type: 'string', enum: ['red', 'green'] },
    sure: { type: 'boolean', default: true },
  };
  expect(form(properties, ['name'])).toEqual({
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Name', description: 'Yours', minLength: 1, format: 'email' },
      count: { type: 'integer', minimum: 1, maximum: 9 },
      colour: { type: 'string', enum: ['red', 'green'] },
      sure: { type: 'boolean' },
    },
    required: ['name'],
  });
});

test('nothing secret is asked in a dialog', () => {
  const secrets: Record<string, unknown>[] = [
    { password: { type: 'string' } },
    { value: { type: 'string', format: 'password' } },
    { value: { type: 'string', writeOnly: true } },
    { value: { type: 'string', title: 'API key' } },
    { value: { type: 'string', description: 'Your access token' } },
    { apiKey: { type: 'string' } },
    { client_secret: { type: 'string' } },
    { harmless: { type: 'string' }, pin: { type: 'integer' } },
  ];
  for (const properties of secrets) expect([properties, form(properties)]).toEqual([properties, undefined]);
});

test('what a dialog cannot show as it is, is for the page', () => {
  const odd: Record<string, unknown>[] = [
    {},
    { deep: { type: 'object' } },
    { list: { type: 'array', items: { type: 'string' } } },
    { any: {} },
    { ref: { $ref: '#/$defs/a' } },
    { choice: { type: 'string', enum: ['a', 'b\u202E'] } },
    { choice: { type: 'string', enum: [] } },
    { choice: { type: 'string', oneOf: [{ const: 'a' }] } },
    { 'na\u200Bme': { type: 'string' } },
    Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`f${index}`, { type: 'string' }])),
  ];
  for (const properties of odd) expect([properties, form(properties)]).toEqual([properties, undefined]);
  expect(form({ a: { type: 'string' } }, ['b'])).toBeUndefined();
  expect(form({ a: { type: 'string' } }, [7])).toBeUndefined();
  expect(dialogForm({ type: 'string' })).toBeUndefined();
  expect(form({ a: { type: 'string', title: 'x\u202Ey' } })?.properties.a?.title).toBe('x\\u{202e}y');
});
