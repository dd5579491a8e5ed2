import { expect, test } from 'vitest';
import { InputValidator } from './input-validator.ts';
import { excerpt } from './location.ts';

/* The largest legal input of a call has 1 MB. Whatever it is and whatever the schema says, checking it takes a bounded number of steps. */

const validator = new InputValidator();
const toolOf = (inputSchema: object) => ({ path: 'a', version: '1', inputSchema: inputSchema as never });
const check = (schema: object, input: unknown) => validator.check(toolOf(schema), input);

const alternatives = (count: number, schemaOf: (index: number) => object) => ({
  anyOf: Array.from({ length: count }, (_, index) => schemaOf(index)),
});
const keys = (count: number, prefix = '') =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index.toString(36)}`, 1]));
const list = {
  anyOf: [{ type: 'string' }, { type: 'array', uniqueItems: true, items: { $ref: '#/$defs/L' } }],
};
const nested = (text: string, levels: number) =>
  Array.from({ length: levels }).reduce<unknown>((value) => [value, 0], text);
const required = (index: number) => Array.from({ length: 10 }, (_, at) => `a_required_name_${index}_${at}`);

test.each<[title: string, schema: object, input: unknown]>([
  [
    'the names of many keys, for a field that each alternative misses',
    alternatives(50, (index) => ({ required: required(index) })),
    keys(40_000, 'a_rquired_name_'),
  ],
  [
    'many unknown keys in each alternative',
    alternatives(50, () => ({ properties: { q: {} }, additionalProperties: false })),
    keys(100_000),
  ],
  [
    'the number of many keys in each alternative',
    alternatives(50, (index) => ({ minProperties: 1e9 + index })),
    keys(100_000),
  ],
  [
    'many keys that a broken reference may evaluate',
    { allOf: Array.from({ length: 100 }, () => ({ $ref: '#/nowhere' })), unevaluatedProperties: false },
    keys(100_000),
  ],
  [
    'a long text in nested lists without repeated items',
    { $defs: { L: { anyOf: [{ type: ['string', 'integer'] }, list.anyOf[1]] } }, $ref: '#/$defs/L' },
    nested('x'.repeat(999_000), 150),
  ],
  [
    'the length of a long text, in many ways',
    { allOf: Array.from({ length: 50 }, (_, index) => ({ minLength: index })) },
    'x'.repeat(999_000),
  ],
  [
    'a large default in many items',
    { items: { properties: { a: { default: Array.from({ length: 2_000 }) } } } },
    Array.from({ length: 300_000 }, () => ({})),
  ],
  ['a copy of very many empty objects', {}, Array.from({ length: 330_000 }, () => ({}))],
])('The budget pays for %s', (_, schema, input) => {
  expect(check(schema, input)).toMatchObject({
    type: 'invalid',
    message: expect.stringContaining('takes too long to be checked'),
  });
});

test('An excerpt reads only the parts of a value that it shows', () => {
  let reads = 0;
  const counted = (value: object): object =>
    new Proxy(value, {
      get: (target, key) => {
        reads += 1;
        const part: unknown = Reflect.get(target, key);
        return typeof part === 'object' && part !== null ? counted(part) : part;
      },
    });
  const items = Array.from({ length: 100_000 }, () => ({ a: [1, 2, 3] }));
  expect(excerpt(counted(items))).toHaveLength(60);
  expect(excerpt(counted({ items }))).toHaveLength(60);
  expect(reads).toBeLessThan(2_000);
});

test('A problem in nested alternatives stays short', () => {
  const $defs = {
    B: alternatives(2, (index) => ({
      properties: { [`b${'x'.repeat(50)}`]: { $ref: '#/$defs/B' } },
      required: [`b${'x'.repeat(50)}`, `${index}`],
    })),
  };
  const input = Array.from({ length: 12 }).reduce<object>((value) => ({ [`b${'x'.repeat(50)}`]: value }), {});
  const checked = check({ $defs, $ref: '#/$defs/B' }, input);
  expect(checked.type === 'invalid' && checked.message.length).toBeLessThan(2_000);
});

test('A body of 8,000 rows is within the budget', () => {
  const optional = Array.from({ length: 30 }, (_, index) => [`extra${index}`, { type: ['string', 'null'] }]);
  const properties = {
    id: { type: 'integer', minimum: 0 },
    name: { type: 'string', maxLength: 200 },
    state: { enum: ['open', 'closed', 'draft'] },
    page: { type: 'integer', default: 1 },
    ...Object.fromEntries(optional),
  };
  const schema = { items: { $ref: '#/$defs/Row' }, $defs: { Row: { required: ['id'], properties } } };
  const row = (id: number) => ({
    id,
    name: `A person with the number ${id}`,
    state: 'open',
    extra1: 'x'.repeat(20),
  });
  expect(
    check(
      schema,
      Array.from({ length: 8_000 }, (_, index) => row(index)),
    ).type,
  ).toBe('valid');
});
