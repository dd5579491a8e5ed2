import type { PolicyCondition } from '@executor/protocol';
import { describe, expect, test } from 'vitest';
import { conditionText, parseCondition } from './condition.ts';

describe('a condition is read as it is typed', () => {
  const cases: [string, PolicyCondition][] = [
    ['repo=executor', { field: 'repo', equals: 'executor' }],
    ['repo.owner=me', { field: 'repo.owner', equals: 'me' }],
    ['draft=true', { field: 'draft', equals: true }],
    ['count=3', { field: 'count', equals: 3 }],
    ['count=9007199254740993', { field: 'count', equals: '9007199254740993' }],
    ['count="3"', { field: 'count', equals: '3' }],
    ['text=a=b', { field: 'text', equals: 'a=b' }],
    ['repo=one,other', { field: 'repo', oneOf: ['one', 'other'] }],
    ['repo=one, "two, three",4', { field: 'repo', oneOf: ['one', 'two, three', 4] }],
    ['title="a, b"', { field: 'title', equals: 'a, b' }],
    ['tags=["a","b"]', { field: 'tags', equals: ['a', 'b'] }],
    ['title^=Draft', { field: 'title', prefix: 'Draft' }],
    ['title^="1"', { field: 'title', prefix: '1' }],
    ['title^=1', { field: 'title', prefix: '1' }],
  ];
  for (const [text, condition] of cases) {
    test(text, () => expect(parseCondition(text)).toEqual(condition));
  }

  for (const text of ['repo', '=x', 'repo=', '^=x', '']) {
    test(`"${text}" is none`, () =>
      expect(() => parseCondition(text)).toThrow(expect.objectContaining({ code: 'usage' })));
  }
});

test('what is printed is read back as the same condition', () => {
  const values = [
    'x',
    'a b',
    ' a',
    'a,b',
    '"',
    '\\',
    'true',
    '1',
    'null',
    '',
    '[',
    '{}',
    'a=b',
    '^',
    'ü',
    1,
    true,
    null,
  ];
  const more = [...values, ['a', 'b,c'], { a: 'b,c' }];
  for (const value of more) {
    const equals = { field: 'a.b', equals: value };
    expect(parseCondition(conditionText(equals))).toEqual(equals);
    for (const other of values) {
      const oneOf = { field: 'a', oneOf: [value, other] };
      expect(parseCondition(conditionText(oneOf)), conditionText(oneOf)).toEqual(oneOf);
    }
  }
  for (const prefix of values.filter((value) => typeof value === 'string' && value !== '')) {
    const condition = { field: 'a', prefix: prefix as string };
    expect(parseCondition(conditionText(condition))).toEqual(condition);
  }
});
