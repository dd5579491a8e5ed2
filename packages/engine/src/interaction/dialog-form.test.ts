import { expect, test } from 'vitest';
import { dialogForm } from './dialog-form.ts';

const form = (properties: Record<string, unknown>, required?: unknown) =>
  dialogForm({ type: 'object', properties, ...(required !== undefined && { required }) }, 'What else?');

test('A flat form is asked unchanged, with defaults in words, so that no client submits them unseen', () => {
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
      name: {
        type: 'string',
        title: 'Name',
        description: 'Yours (Left empty: "x")',
        minLength: 1,
        format: 'email',
      },
      count: { type: 'integer', description: '(Left empty: 3)', minimum: 1, maximum: 9 },
      colour: { type: 'string', enum: ['red', 'green'] },
      sure: { type: 'boolean', description: '(Left empty: true)' },
    },
    required: ['name'],
  });
});

test('A dialog never asks for a secret', () => {
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

test('A secret is recognised by the words of its name, however they are joined', () => {
  const names =
    'user_pin pinCode PINCode userPIN pincode passwd db_passwd pwd dbPwd user-pass otp_code otpCode totp accessKey access_key securityCode security_code cvc cardCVV2 mfaCode mfa_code 2faCode seedPhrase recovery_code verificationCode cardNumber sessionId ssn passkey';
  for (const name of names.split(' ')) {
    expect([name, form({ [name]: { type: 'string' } })]).toEqual([name, undefined]);
  }
  const harmless =
    'shipping opinion spinner compass passenger keyboard primaryKeyboard postcode country note';
  for (const name of harmless.split(' ')) expect(form({ [name]: { type: 'string' } })).toBeDefined();
});

test('Only the page shows a form whose prompt, title or description asks for a secret', () => {
  const properties = { value: { type: 'string' } };
  const schema = { type: 'object', properties };
  expect(dialogForm(schema, 'What should it say?')).toBeDefined();
  for (const words of ['Your seed phrase', 'Enter the PIN', 'pass\u200Bword?', 'The code: one-time code']) {
    expect(dialogForm(schema, words)).toBeUndefined();
    expect(dialogForm({ ...schema, title: words }, '')).toBeUndefined();
    expect(dialogForm({ ...schema, description: words }, '')).toBeUndefined();
  }
});

test('No value is filled in that the dialog does not show', () => {
  const hidden = { type: 'object', properties: { amount: { type: 'number', default: 1_000 } } };
  const shown = { type: 'object', properties: { note: { type: 'string' } } };
  expect(dialogForm({ ...shown, allOf: [hidden] }, '')).toBeUndefined();
  expect(dialogForm({ ...shown, $ref: '#/$defs/hidden', $defs: { hidden } }, '')).toBeUndefined();
  expect(form({ a: { type: 'string', allOf: [{ default: 'x' }] } })).toBeUndefined();
  expect(form({ a: { type: 'string', default: 'x'.repeat(300) } })).toBeUndefined();
  expect(form({ a: { type: 'string', default: 'x\u202Ey' } })).toBeUndefined();
  const long = form({ a: { type: 'string', description: 'x'.repeat(900), default: 'plain' } });
  expect(long?.properties.a?.description).toContain('(Left empty: "plain")');
});

test('Only the page shows forms that a dialog would have to change', () => {
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
  expect(dialogForm({ type: 'string' }, '')).toBeUndefined();
  expect(form({ a: { type: 'string', title: 'x\u202Ey' } })?.properties.a?.title).toBe('x\\u{202e}y');
});
