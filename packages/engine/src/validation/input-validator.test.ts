import { describe, expect, test } from 'vitest';
import type { JsonSchema } from '../ports/source.ts';
import { type CheckedInput, InputValidator } from './input-validator.ts';

const validator = new InputValidator();
const check = (inputSchema: unknown, input: unknown): CheckedInput =>
  validator.check({ path: 'a.b', version: '1', inputSchema: inputSchema as JsonSchema }, input);
const messageOf = (inputSchema: unknown, input: unknown) => {
  const checked = check(inputSchema, input);
  return checked.type === 'invalid' ? checked.message : 'valid';
};
const json = (text: string): unknown => JSON.parse(text);

const issue = {
  type: 'object',
  properties: {
    title: { type: 'string', minLength: 1 },
    state: { enum: ['open', 'closed'], default: 'open' },
    labels: { type: 'array', items: { type: 'string' } },
    repo: {
      type: 'object',
      properties: { owner: { type: 'string' }, private: { type: 'boolean', default: true } },
    },
  },
  required: ['title'],
  additionalProperties: false,
};

describe('An error names the field, the expected and the received value', () => {
  test.each([
    [{ titel: 'x' }, 'input.title is missing (string); input.titel is unknown; did you mean title?'],
    [{ title: 3 }, 'input.title must be a string, but is 3'],
    [{ title: '' }, 'input.title must have at least 1 character, but has 0'],
    [{ title: 'x', labels: ['a', {}] }, 'input.labels[1] must be a string, but is an object'],
    [
      { title: 'x', state: 'opne' },
      'input.state must be one of "open", "closed", but is "opne"; did you mean "open"?',
    ],
    [{ title: 'x', 'a b': 1 }, 'input["a b"] is unknown; known are title, state, labels, repo'],
    [null, 'input must be an object, but is null'],
    ['title', 'input must be an object, but is the string "title"'],
    [[], 'input must be an object, but is an array'],
  ])('%j', (input, message) => {
    expect(messageOf(issue, input)).toBe(message);
  });

  test('has every problem as data', () => {
    expect(check(issue, { title: 3, repo: { owner: null } })).toEqual({
      type: 'invalid',
      message: 'input.title must be a string, but is 3; input.repo.owner must be a string, but is null',
      details: {
        problems: [
          { field: 'input.title', problem: 'must be a string, but is 3' },
          { field: 'input.repo.owner', problem: 'must be a string, but is null' },
        ],
      },
    });
  });

  test('finds a misspelt field even if unknown fields are accepted', () => {
    const open = { type: 'object', properties: { userId: { type: 'string' } }, required: ['userId'] };
    expect(messageOf(open, { user_id: 'x' })).toBe(
      'input.userId is missing (string); is it what user_id was meant to be?',
    );
  });

  test('names a missing field that accepts several types', () => {
    const missing = (schema: unknown) =>
      messageOf({ type: 'object', properties: { title: schema }, required: ['title'] }, {});
    expect(missing({ oneOf: [{ type: 'string' }, { type: 'integer' }] })).toBe(
      'input.title is missing (string or integer)',
    );
    expect(missing({ type: ['string', 'null'] })).toBe('input.title is missing (string or null)');
    expect(missing({ anyOf: [{ type: 'string' }, { $ref: '#/x' }] })).toBe('input.title is missing');
  });

  test('reports the alternative that was meant', () => {
    const form = (kind: string, field: string) => ({
      type: 'object',
      properties: { kind: { const: kind }, [field]: { type: 'string' } },
      required: ['kind', field],
    });
    const forms = { oneOf: [form('text', 'body'), form('file', 'path'), { type: 'null' }] };
    expect(messageOf(forms, { kind: 'file', body: 'x' })).toBe(
      'input fits none of its 3 allowed forms. In the nearest form, input.path is missing (string)',
    );
    expect(messageOf({ anyOf: [{ type: 'string' }, { type: ['array', 'null'] }] }, 3)).toBe(
      'input must be a string, an array or null, but is 3',
    );
  });

  test('is short for a huge input', () => {
    const message = messageOf(
      { items: { type: 'string' } },
      Array.from({ length: 100_000 }, () => 1),
    );
    expect(message.split('; ')).toHaveLength(10);
    expect(messageOf({ type: 'number' }, 'x'.repeat(1_000_000)).length).toBeLessThan(200);
  });
});

describe('Defaults', () => {
  test('are filled in on a copy, through references and in lists', () => {
    const schema = {
      type: 'object',
      properties: {
        limit: { type: 'integer', default: 50 },
        filter: { $ref: '#/$defs/filter' },
        sort: { $ref: '#/$defs/sort' },
        items: { type: 'array', items: { $ref: '#/$defs/filter' } },
      },
      $defs: {
        filter: { type: 'object', properties: { state: { default: 'open' } } },
        sort: { type: 'object', default: {}, properties: { by: { default: ['id'] } } },
      },
    };
    const input = { filter: {}, items: [{}, { state: 'closed' }] };
    const expected = {
      limit: 50,
      filter: { state: 'open' },
      sort: { by: ['id'] },
      items: [{ state: 'open' }, { state: 'closed' }],
    };
    expect(check(schema, input)).toEqual({ type: 'valid', input: expected });
    expect(input).toEqual({ filter: {}, items: [{}, { state: 'closed' }] });
  });

  test('are never shared between two inputs', () => {
    const schema = { properties: { tags: { default: [] } } };
    const first = check(schema, {});
    if (first.type === 'valid') (first.input as { tags: string[] }).tags.push('x');
    expect(check(schema, {})).toEqual({ type: 'valid', input: { tags: [] } });
  });

  test('that their own schema rejects are ignored', () => {
    const schema = { properties: { name: { type: 'string', default: null } } };
    expect(check(schema, {})).toEqual({ type: 'valid', input: {} });
  });

  test('cannot reach a prototype', () => {
    const schema = json(
      '{"properties":{"__proto__":{"properties":{"polluted":{"default":true}},"default":{}},"constructor":{"type":"object","properties":{"prototype":{"properties":{"polluted":{"default":true}}}}}}}',
    );
    const checked = check(schema, {});
    expect(checked.type === 'valid' && JSON.stringify(checked.input)).toBe('{"__proto__":{"polluted":true}}');
    expect(Object.getPrototypeOf((checked as { input: object }).input)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect((Object as unknown as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('and checks use own properties only', () => {
    expect(messageOf({ required: ['toString'] }, {})).toBe('input.toString is missing');
    expect(messageOf({ properties: { constructor: { type: 'string' } } }, {})).toBe('valid');
    const input = json('{"__proto__":{"title":"x"}}');
    expect(messageOf({ required: ['title'] }, input)).toBe('input.title is missing');
    expect(messageOf({ additionalProperties: false }, input)).toBe('input.__proto__ is unknown');
  });
});

describe('An untrusted schema', () => {
  test.each([
    ['null', null],
    ['a string', 'type'],
    ['an unknown type', { type: 'file' }],
    ['a reference elsewhere', { $ref: 'https://example.com/schema.json' }],
    ['a reference to nothing', { $ref: '#/$defs/nothing' }],
    ['a reference into a prototype', { $ref: '#/constructor/prototype' }],
    ['a reference to itself', { $ref: '#' }],
    [
      'references to each other',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    ],
    [
      'a part with its own address',
      { $ref: '#/$defs/a', $defs: { a: { $id: 'https://example.com/a', type: 'null' } } },
    ],
    ['look-ahead', { properties: { a: { pattern: '^(?!x)' } } }],
    ['a broken pattern', { properties: { a: { pattern: '(' } } }],
  ])('with %s is not checked there, with a note', (_, schema) => {
    expect(check(schema, { a: 'x' })).toEqual({
      type: 'valid',
      input: { a: 'x' },
      notes: [expect.stringMatching(/checked\.$/)],
    });
  });

  test('with invalid keywords is checked by the others', () => {
    const nonsense = {
      type: 'object',
      required: 'a',
      properties: { a: 3, b: { type: 'string', maxLength: '1); process.exit(1); (' } },
      patternProperties: [],
      allOf: {},
      anyOf: [],
      items: 7,
      enum: null,
      if: 'x',
      minProperties: true,
    };
    expect(messageOf(nonsense, { a: 1, b: 2 })).toBe('input.b must be a string, but is 2');
  });

  test('with a pattern that takes exponential time elsewhere is matched in linear time', () => {
    const evil = `${'a'.repeat(10_000)}!`;
    for (const pattern of ['(a+)+$', '^(a|aa|a?)+$', '(x+x+)+y', '([a-z]+)*=', '^(a?){20}a{20}$']) {
      expect(messageOf({ pattern }, evil)).toMatch(/^input must match/);
    }
  });

  test('that takes too long to check rejects the input', () => {
    const $defs: Record<string, unknown> = { d60: { type: 'object' } };
    for (let level = 0; level < 60; level++) {
      const next = { $ref: `#/$defs/d${level + 1}` };
      $defs[`d${level}`] = { allOf: [next, next], properties: { a: next } };
    }
    const tooLong = /takes too long to be checked/;
    expect(messageOf({ $defs, $ref: '#/$defs/d0' }, {})).toMatch(tooLong);
    expect(messageOf({ pattern: '^(a?){300}a{300}$' }, 'a'.repeat(1_000_000))).toMatch(tooLong);
    const longBase64 = { pattern: '^[A-Za-z0-9+/]*={0,2}$' };
    expect(messageOf(longBase64, 'abcd'.repeat(250_000))).toBe('valid');
    const items = Array.from({ length: 40_000 }, (_, index) => ({ index }));
    expect(messageOf({ uniqueItems: true }, items)).toBe('valid');
    expect(messageOf({ uniqueItems: true }, [...items, { index: 7 }])).toBe(
      'input must not repeat an item, but [7] and [40000] are the same',
    );
  });

  test('or input that is nested deeper than the stack does not crash', () => {
    let schema: unknown = {};
    let input: unknown = {};
    for (let level = 0; level < 100_000; level++) {
      schema = { properties: { a: schema } };
      input = { a: input };
    }
    expect(messageOf(schema, { a: { a: {} } })).toBe('valid');
    expect(messageOf({ properties: { a: { $ref: '#' } } }, input)).toBe(
      'input is nested deeper than 200 levels',
    );
    let deep: unknown = { type: 'string' };
    for (let level = 0; level < 100_000; level++) deep = { allOf: [deep] };
    expect(messageOf(deep, 3)).toMatch(/takes too long to be checked|must be a string/);
  });

  test('that is huge costs only what the input needs', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, index) => [`field${index}`, { type: 'string' }]),
    );
    expect(messageOf({ properties, additionalProperties: false }, { field9: 1 })).toBe(
      'input.field9 must be a string, but is 1',
    );
  });
});

describe('For tools that take large integers as text', () => {
  const id = { type: 'integer', minimum: 1 };
  const schema = {
    largeIntegers: 'text',
    properties: {
      id,
      ids: { type: ['array', 'null'], items: { $ref: '#/$defs/id' } },
      ratio: { type: 'number' },
    },
    $defs: { id },
  };

  test('digits count as an integer in every keyword', () => {
    const input = { id: '9007199254740993', ids: ['9223372036854775807', 7], ratio: '12345678901234567890' };
    expect(check(schema, input)).toEqual({ type: 'valid', input });
  });

  test.each([
    [
      { id: 9007199254740992 },
      'input.id must be exact, but 9007199254740992 is beyond 2^53, where numbers are rounded; give the text of its digits instead',
    ],
    [{ id: '12' }, 'input.id must be an integer, but is the string "12"'],
    [{ id: '-9007199254740993' }, 'input.id must be an integer, but is the string "-9007199254740993"'],
    [{ ratio: 1e300 }, 'valid'],
  ])('%j: %s', (input, expected) => {
    expect(messageOf(schema, input)).toBe(expected);
  });

  test('integers of other tools are unchanged', () => {
    const { largeIntegers: _, ...plain } = schema;
    expect(messageOf(plain, { id: 9007199254740992 })).toBe('valid');
    expect(messageOf(plain, { id: '9007199254740993' })).toMatch(/must be an integer/);
  });
});
