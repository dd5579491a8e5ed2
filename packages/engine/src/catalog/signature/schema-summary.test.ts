import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { Definitions, JsonSchema } from '../../ports/source.ts';
import { fieldOf, summaryOf } from './schema-summary.ts';

const definitionsOf = (all: Record<string, JsonSchema>): Definitions => {
  return { tracksEvaluated: false, get: (name) => all[name] };
};
const chars = (value: unknown) => JSON.stringify(value).length;

test('A short schema is shown whole, without references', () => {
  const schema = {
    type: 'object',
    required: ['a'],
    additionalProperties: false,
    properties: { a: { $ref: '#/$defs/A', description: 'First' }, b: { enum: ['x', 'y'] } },
  };
  expect(
    summaryOf(schema, definitionsOf({ A: { type: 'string', maxLength: 5 } }), { maxChars: 1_000 }),
  ).toEqual({
    schema: {
      type: 'object',
      required: ['a'],
      additionalProperties: false,
      properties: { a: { type: 'string', maxLength: 5, description: 'First' }, b: { enum: ['x', 'y'] } },
    },
  });
});

test('A large schema keeps its fields and says what is cut', () => {
  const leaf = Object.fromEntries(
    Array.from({ length: 50 }, (_, n) => [`f${n}`, { type: 'string', description: 'd'.repeat(80) }]),
  );
  const schema = {
    type: 'object',
    required: ['small'],
    properties: { large: { type: 'array', items: { properties: leaf } }, small: { type: 'integer' } },
  };
  const { schema: summary, cutField } = summaryOf(schema, undefined, { maxChars: 1_000 });
  expect(chars(summary)).toBeLessThanOrEqual(1_000);
  expect(summary).toMatchObject({ required: ['small'], properties: { small: { type: 'integer' } } });
  expect(JSON.stringify(summary)).toContain('"$comment":"cut');
  expect(cutField).toMatch(/^large/);
  const field = fieldOf(schema, undefined, 'large');
  const whole = 'schema' in field && summaryOf(field.schema, undefined, { maxChars: 8_000, path: 'large' });
  expect(whole).toEqual({ schema: schema.properties.large });
});

test('No schema exceeds the maximum or runs for long', () => {
  const fields = (count: number, of: JsonSchema) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${'k'.repeat(60)}${n}`, of]));
  const loop = definitionsOf({
    A: { $ref: '#/$defs/B' },
    B: { $ref: '#/$defs/A' },
    Tree: { properties: fields(9, { $ref: '#/$defs/Tree' }) },
    Any: { anyOf: [{ $ref: '#/$defs/Any' }, { $ref: '#/$defs/Any' }] },
  });
  const hostile: JsonSchema[] = [
    { $ref: '#/$defs/A' },
    { $ref: '#/$defs/Tree' },
    { $ref: '#/$defs/Any' },
    { properties: fields(5_000, { type: 'string' }), required: Object.keys(fields(5_000, true)) },
    { enum: Array.from({ length: 10_000 }, (_, n) => `value ${n}`) },
    { description: 'x'.repeat(100_000), pattern: 'y'.repeat(100_000), default: 'z'.repeat(100_000) },
    { properties: { ['n'.repeat(100_000)]: true } },
  ];
  for (const schema of hostile) {
    const { schema: summary } = summaryOf(schema, loop, { maxChars: 1_450 });
    expect(chars(summary)).toBeLessThanOrEqual(1_450);
  }
});

test('A summary of exclusive alternatives accepts a value of each, although others are cut', () => {
  const text = 'x'.repeat(900);
  const member = (n: number) => ({
    type: 'object',
    required: ['kind'],
    properties: { kind: { const: `kind ${n}` }, [`field${n}`]: { type: 'string', description: text } },
  });
  const schema = { oneOf: Array.from({ length: 12 }, (_, n) => member(n)) };
  const { schema: summary } = summaryOf(schema, undefined, { maxChars: 1_450 });
  expect(JSON.stringify(summary)).toContain('cut: ');
  const accepts = new Ajv2020().compile(summary as object);
  expect([0, 5, 11].map((n) => accepts({ kind: `kind ${n}` }))).toEqual([true, true, true]);
});

test('A field is found through references, lists and alternatives, and by a name with a dot', () => {
  const schema = {
    properties: {
      'a.b': { const: 1 },
      list: { type: 'array', items: { $ref: '#/$defs/Item' } },
      choice: { oneOf: [{ type: 'string' }, { properties: { deep: { const: 3 } } }] },
    },
  };
  const definitions = definitionsOf({ Item: { allOf: [{ properties: { id: { const: 2 } } }] } });
  const find = (path: string) => fieldOf(schema, definitions, path);
  expect(find('a.b')).toEqual({ schema: { const: 1 } });
  expect(find('list.id')).toEqual({ schema: { const: 2 } });
  expect(find('choice.deep')).toEqual({ schema: { const: 3 } });
  expect(find('list.other')).toEqual({ known: ['id'] });
  expect(find('__proto__')).toEqual({ known: ['a.b', 'list', 'choice'] });
});
