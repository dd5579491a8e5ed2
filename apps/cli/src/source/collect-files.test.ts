import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { collectFiles } from './collect-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'executor-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function collected(files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const [[main, text] = ['', '']] = Object.entries(files);
  return collectFiles(join(folder, main), text);
}

test('References are followed through all files, also in cycles, and the files are unchanged', () => {
  const others = {
    'schemas/a b.yaml': "A: { b: { $ref: b.json }, again: { $ref: '#/A' } } # kept\r\n",
    'schemas/b.json':
      '{"back":{"$ref":"../openapi.yaml#/x"},"a":{"$ref":"a%20b.yaml#/A"},"web":{"$ref":"https://a.example/b"}}',
  };
  const inFolder = Object.fromEntries(Object.entries(others).map(([name, text]) => [`api/${name}`, text]));
  const files = collected({
    'api/openapi.yaml': "openapi: 3.1.0\nx: { $ref: './schemas/a b.yaml#/A' }\nown: { $ref: '#/x' }\n",
    ...inFolder,
    'api/unused.yaml': 'a: 1',
  });
  expect(files).toEqual({ main: 'openapi.yaml', others });
});

test.each([
  ["a: { $ref: '#/b' }", 'refers to itself only'],
  ['a: { $ref: "https://a.example/b.yaml" }', 'refers to other hosts'],
  ['a: { $ref: Pet }', 'names something that is no file'],
  ["a: { $ref: './b.yaml' }", 'refers to a missing file'],
  ["a: [ { $ref: './b.yaml' }", 'is malformed'],
])('The document %s includes no other file, because it %s', (text) => {
  expect(collected({ 'openapi.yaml': text })).toBeUndefined();
});

test('Files outside the folder are not read by paths, escapes or links', () => {
  writeFileSync(join(folder, 'secret.yaml'), 'token: hunter2');
  const refused = { code: 'usage', message: expect.stringContaining('not in the folder of the document') };
  const attempt = (reference: string) => () =>
    collected({ 'api/openapi.yaml': `a: { $ref: '${reference}' }` });
  expect(attempt('../secret.yaml')).toThrow(expect.objectContaining(refused));
  expect(attempt('..%2Fsecret.yaml#/token')).toThrow(expect.objectContaining(refused));
  expect(attempt(`${folder}/secret.yaml`)).toThrow(expect.objectContaining(refused));
  mkdirSync(join(folder, 'api'), { recursive: true });
  symlinkSync(join(folder, 'secret.yaml'), join(folder, 'api/inside.yaml'));
  expect(attempt('inside.yaml')).toThrow(expect.objectContaining(refused));
  expect(attempt(`file://${folder}/secret.yaml`)()).toBeUndefined();
});

test('Aliases that expand to a huge document are rejected', () => {
  const lines = Array.from({ length: 9 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]`);
  const bomb = ["x: { $ref: './b.yaml' }", 'a0: &a0 [1]', ...lines].join('\n');
  expect(() => collected({ 'openapi.yaml': bomb, 'b.yaml': 'b: 1' })).toThrow(/too large/);
});

test('The files that a discriminator names are included', () => {
  const files = collected({
    'openapi.yaml':
      "a: { oneOf: [ { $ref: './dog.yaml' } ], discriminator: { propertyName: kind, mapping: { dog: './dog.yaml', cat: './cat.yaml', cow: Cow } } }\n",
    'dog.yaml': 'type: object\n',
    'cat.yaml': 'type: object\n',
  });
  expect(Object.keys(files?.others ?? {})).toEqual(['dog.yaml', 'cat.yaml']);
});

test('A file keeps the name that the document uses, also behind a link', () => {
  mkdirSync(join(folder, 'v2'));
  writeFileSync(join(folder, 'v2/order.yaml'), 'a: 1');
  symlinkSync('v2', join(folder, 'current'));
  expect(collected({ 'openapi.yaml': 'a: { $ref: current/order.yaml }' })).toEqual({
    main: 'openapi.yaml',
    others: { 'current/order.yaml': 'a: 1' },
  });
});
