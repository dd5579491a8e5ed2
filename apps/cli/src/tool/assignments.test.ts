import { expect, test } from 'vitest';
import { inputFromAssignments, isAssignment } from './assignments.ts';

const inputSchema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    amount: { type: 'number' },
    count: { type: 'integer' },
    paid: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    customer: { $ref: '#/$defs/Customer' },
    size: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    mode: { enum: ['fast', 'slow'] },
    'dotted.name': { type: 'integer' },
  },
};
const definitions = {
  Customer: { type: 'object', properties: { name: { type: 'string' }, age: { type: 'integer' } } },
};
const read = (...words: string[]) => inputFromAssignments(words, { inputSchema, definitions });

test('Values have the types of the schema', () => {
  expect(
    read('id=5', 'amount=5', 'count=-2', 'paid=true', 'tags=["a","b"]', 'size=null', 'mode=fast'),
  ).toEqual({
    id: '5',
    amount: 5,
    count: -2,
    paid: true,
    tags: ['a', 'b'],
    size: null,
    mode: 'fast',
  });
  expect(read('id=a=b', 'other=7', 'text=seven', 'filter[x]=')).toEqual({
    id: 'a=b',
    other: 7,
    text: 'seven',
    'filter[x]': '',
  });
});

test('A field cannot be set twice', () => {
  expect(() => read('id=a', 'id=b')).toThrow('id is set twice. Set each field once.');
  expect(() => read('customer.name=Ada', 'customer.name=Eve')).toThrow('customer.name is set twice.');
  expect(() => read('customer.name=Ada', 'customer={}')).toThrow('customer is set twice.');
});

test('An integer that a number would round remains text', () => {
  expect(read('count=9007199254740993', 'other=-9007199254740993')).toEqual({
    count: '9007199254740993',
    other: '-9007199254740993',
  });
});

test('A schema may contain itself', () => {
  const Pet = { oneOf: [{ $ref: '#/$defs/Cat' }] };
  const Cat = { allOf: [{ $ref: '#/$defs/Pet' }, { properties: { lives: { type: 'integer' } } }] };
  const schemas = {
    inputSchema: { properties: { pet: { $ref: '#/$defs/Pet' } } },
    definitions: { Pet, Cat },
  };
  expect(inputFromAssignments(['pet.lives=9', 'pet.name=Tom'], schemas)).toEqual({
    pet: { lives: 9, name: 'Tom' },
  });
  expect(inputFromAssignments(['pet=Tom'], schemas)).toEqual({ pet: 'Tom' });
});

test('A dot selects a field of an object, unless it is part of a field name', () => {
  expect(read('customer.name=7', 'customer.age=7', 'dotted.name=1', '__proto__.x=1')).toEqual({
    customer: { name: '7', age: 7 },
    'dotted.name': 1,
    ['__proto__']: { x: 1 },
  });
});

test.each([
  ['amount=five', 'amount must be a number, got "five".'],
  ['amount=1e400', 'amount must be a number, got "1e400".'],
  ['count=1.5', 'count must be a whole number, got "1.5".'],
  ['paid=yes', 'paid must be true or false, got "yes".'],
  ['tags=a', 'tags must be a JSON array, such as ["a","b"], got "a".'],
  ['customer.age=old', 'customer.age must be a whole number, got "old".'],
  ['size=big', 'size must be a whole number or null, got "big".'],
])('%s is rejected with the field, the expected type and the typed value', (word, message) => {
  expect(() => read(word)).toThrow(expect.objectContaining({ code: 'usage', message }));
});

test('JSON, files and standard input are not assignments', () => {
  for (const word of ['{"a":"b=c"}', '@file=x', '-', '"a=b"', '[1]']) expect(isAssignment(word)).toBe(false);
  expect(() => read('id=1', '{}')).toThrow('Input is JSON or field=value words, got "{}" among them.');
});
