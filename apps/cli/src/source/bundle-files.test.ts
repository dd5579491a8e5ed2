import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bundleFiles } from './bundle-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'executor-bundle-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function bundled(files: Record<string, string>): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const [[main, text] = ['', '']] = Object.entries(files);
  return bundleFiles(join(folder, main), text);
}

test('files become parts of the document, and references lead to them, in circles too', () => {
  const document = bundled({
    'api/openapi.yaml': "openapi: 3.1.0\nx: { $ref: './schemas/a b.yaml#/A' }\nown: { $ref: '#/x' }\n",
    'api/schemas/a b.yaml': "A: { b: { $ref: b.json }, again: { $ref: '#/A' }, date: 2026-01-02 }\n",
    'api/schemas/b.json':
      '{"back":{"$ref":"../openapi.yaml#/x"},"a":{"$ref":"a%20b.yaml#/A"},"web":{"$ref":"https://a.example/b"}}',
  });
  const a = '#/x-files/schemas~1a%20b.yaml/A';
  expect(JSON.parse(document)).toEqual({
    openapi: '3.1.0',
    x: { $ref: a },
    own: { $ref: '#/x' },
    'x-files': {
      'schemas/a b.yaml': {
        A: { b: { $ref: '#/x-files/schemas~1b.json' }, again: { $ref: a }, date: '2026-01-02' },
      },
      'schemas/b.json': { back: { $ref: '#/x' }, a: { $ref: a }, web: { $ref: 'https://a.example/b' } },
    },
  });
});

test.each([
  ["a: { $ref: '#/b' }", 'refers to itself only'],
  ['a: { $ref: "https://a.example/b.yaml" }', 'refers to other hosts'],
  ['a: { $ref: Pet }', 'names what is no file'],
  ["a: { $ref: './b.yaml' }", 'refers to a file that is not there'],
  ["a: [ { $ref: './b.yaml' }", 'is broken'],
])('%s is given as it is: it %s', (text) => {
  expect(bundled({ 'openapi.yaml': text })).toBe(text);
});

test('no file outside of the folder is read, by whatever way', () => {
  writeFileSync(join(folder, 'secret.yaml'), 'token: hunter2');
  const refused = { code: 'usage', message: expect.stringContaining('not in the folder of the document') };
  const attempt = (reference: string) => () => bundled({ 'api/openapi.yaml': `a: { $ref: '${reference}' }` });
  expect(attempt('../secret.yaml')).toThrow(expect.objectContaining(refused));
  expect(attempt('..%2Fsecret.yaml#/token')).toThrow(expect.objectContaining(refused));
  expect(attempt(`${folder}/secret.yaml`)).toThrow(expect.objectContaining(refused));
  mkdirSync(join(folder, 'api'), { recursive: true });
  symlinkSync(join(folder, 'secret.yaml'), join(folder, 'api/inside.yaml'));
  expect(attempt('inside.yaml')).toThrow(expect.objectContaining(refused));
  expect(attempt(`file://${folder}/secret.yaml`)()).not.toContain('hunter2');
});

test('aliases that stand for more than there is room for are refused', () => {
  const lines = Array.from({ length: 9 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]`);
  const bomb = ["x: { $ref: './b.yaml' }", 'a0: &a0 [1]', ...lines].join('\n');
  expect(() => bundled({ 'openapi.yaml': bomb, 'b.yaml': 'b: 1' })).toThrow(/too large/);
});

test('a discriminator leads to the files that it named', () => {
  const document = bundled({
    'openapi.yaml':
      "a: { oneOf: [ { $ref: './dog.yaml' } ], discriminator: { propertyName: kind, mapping: { dog: './dog.yaml', cat: Cat } } }\n",
    'dog.yaml': 'type: object\n',
  });
  expect(JSON.parse(document)).toMatchObject({
    a: {
      oneOf: [{ $ref: '#/x-files/dog.yaml' }],
      discriminator: { mapping: { dog: '#/x-files/dog.yaml', cat: 'Cat' } },
    },
  });
});
