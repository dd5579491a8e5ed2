import { expect, test } from 'vitest';
import { compactJson } from '../json/compact-json.ts';
import { scrubJson } from './scrub-json.ts';

const secrets = ['top-secret-"quoted"', 'secret-key-1', '1234567890'];
const clean = (text: string) => secrets.reduce((left, secret) => left.replaceAll(secret, '[secret]'), text);
const scrub = (json: string) =>
  scrubJson(Buffer.from(compactJson(Buffer.from(json), { quoteLarge: true })).toString(), secrets, clean);

test('Secrets are removed from strings and keys, however they are escaped', () => {
  expect(scrub('{"a":"x secret-key-1 y","secret-key-1":["\\u0073ecret-key-1","secret\\u002dkey-1"]}')).toBe(
    '{"a":"x [secret] y","[secret]":["[secret]","[secret]"]}',
  );
  expect(scrub(JSON.stringify({ a: 'top-secret-"quoted"', b: ['\\', 'secret-key-1\\'] }))).toBe(
    '{"a":"[secret]","b":["\\\\","[secret]\\\\"]}',
  );
});

test('A number is removed only if all of it is a secret', () => {
  expect(scrub('[1234567890, 12345678901, {"n": 1234567890.5}]')).toBe(
    '["[secret]",12345678901,{"n":1234567890.5}]',
  );
});

test('Text without secrets is returned as it is', () => {
  const json = '{"a":"public","b":[1,2]}';
  expect(scrub(json)).toBe(json);
});
