import type { PolicyCondition } from '@executor/protocol';
import { describe, expect, test } from 'vitest';
import { conditionText, parseCondition } from './condition.ts';

describe('parseCondition parses', () => {
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
    ['state!=closed', { field: 'state', notEquals: 'closed' }],
    ['state!="a,b"', { field: 'state', notEquals: 'a,b' }],
    ['state!=null', { field: 'state', notEquals: null }],
    ['labels*=bug', { field: 'labels', contains: 'bug' }],
    ['ids*=3', { field: 'ids', contains: 3 }],
    ['amount<100', { field: 'amount', lessThan: 100 }],
    ['amount<=100', { field: 'amount', lessThanOrEqual: 100 }],
    ['amount > 1.5', { field: 'amount', greaterThan: 1.5 }],
    ['amount>=-2', { field: 'amount', greaterThanOrEqual: -2 }],
    ['amount exists', { field: 'amount', exists: true }],
    ['repo.owner missing', { field: 'repo.owner', exists: false }],
    ['text=a<b', { field: 'text', equals: 'a<b' }],
    ['text=it exists', { field: 'text', equals: 'it exists' }],
    ['"a=b"=c', { field: 'a=b', equals: 'c' }],
    ['"a b" exists', { field: 'a b', exists: true }],
  ];
  for (const [text, condition] of cases) {
    test(text, () => expect(parseCondition(text)).toEqual(condition));
  }

  const wrong = ['repo', '=x', 'repo=', '^=x', '', '<5', 'amount<', 'amount<=many', 'amount<"5"', 'exists'];
  for (const text of [...wrong, 'amount<9007199254740993', 'state!=a,b']) {
    test(`"${text}" is rejected`, () =>
      expect(() => parseCondition(text)).toThrow(expect.objectContaining({ code: 'usage' })));
  }
});

test('A printed condition parses to the same condition', () => {
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
  const others: PolicyCondition[] = [
    ...more.flatMap((value) => [
      { field: 'a', notEquals: value },
      { field: 'a', contains: value },
    ]),
    ...[0, -1, 0.5, 1e-7].flatMap((limit) => [
      { field: 'a', lessThan: limit },
      { field: 'a', lessThanOrEqual: limit },
      { field: 'a', greaterThan: limit },
      { field: 'a', greaterThanOrEqual: limit },
    ]),
    { field: 'a', exists: true },
    { field: 'a', exists: false },
    ...['a=b', 'a<b', 'a"b', 'a exists', 'a!', '"', '*'].map((field) => ({ field, equals: 1 })),
  ];
  for (const condition of others)
    expect(parseCondition(conditionText(condition)), conditionText(condition)).toEqual(condition);
  for (const prefix of values.filter((value) => typeof value === 'string' && value !== '')) {
    const condition = { field: 'a', prefix: prefix as string };
    expect(parseCondition(conditionText(condition))).toEqual(condition);
  }
});
