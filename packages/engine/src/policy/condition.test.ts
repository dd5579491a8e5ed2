import type { PolicyCondition } from '@executor/protocol';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../store/test/seeded-random.ts';
import { conditionFailure, conditionHolds, unknownInput } from './condition.ts';

const inAllow = (condition: PolicyCondition, input: unknown) => conditionHolds(condition, input, 'allow');
const inDeny = (condition: PolicyCondition, input: unknown) => conditionHolds(condition, input, 'deny');
/** The result in an allow rule and in a deny rule. They agree unless there is a doubt. */
const both = (condition: PolicyCondition, input: unknown) => [
  inAllow(condition, input),
  inDeny(condition, input),
];
const yes = [true, true];
const no = [false, false];
const doubt = [false, true];

describe('a condition', () => {
  test('compares numbers', () => {
    const amount = 'amount';
    expect(both({ field: amount, lessThan: 100 }, { amount: 99.5 })).toEqual(yes);
    expect(both({ field: amount, lessThan: 100 }, { amount: 100 })).toEqual(no);
    expect(both({ field: amount, lessThanOrEqual: 100 }, { amount: 100 })).toEqual(yes);
    expect(both({ field: amount, lessThanOrEqual: 100 }, { amount: 100.01 })).toEqual(no);
    expect(both({ field: amount, greaterThan: 0 }, { amount: 1e-9 })).toEqual(yes);
    expect(both({ field: amount, greaterThan: 0 }, { amount: -0 })).toEqual(no);
    expect(both({ field: amount, greaterThanOrEqual: -5 }, { amount: -5 })).toEqual(yes);
    expect(both({ field: amount, greaterThanOrEqual: -5 }, { amount: -5.1 })).toEqual(no);
  });

  test('compares with a value of the same type for notEquals', () => {
    expect(both({ field: 'state', notEquals: 'closed' }, { state: 'open' })).toEqual(yes);
    expect(both({ field: 'state', notEquals: 'closed' }, { state: 'closed' })).toEqual(no);
    expect(both({ field: 'state', notEquals: 'closed' }, { state: null })).toEqual(doubt);
    expect(both({ field: 'tags', notEquals: ['a'] }, { tags: ['b'] })).toEqual(yes);
    expect(both({ field: 'tags', notEquals: [] }, { tags: {} })).toEqual(doubt);
    expect(both({ field: 'id', notEquals: 9_007_199_254_740_992 }, { id: '9007199254740993' })).toEqual(
      doubt,
    );
    const nested: PolicyCondition = { field: 'o', notEquals: { id: '9007199254740993' } };
    expect(both(nested, { o: { id: 9_007_199_254_740_992 } })).toEqual(doubt);
  });

  test('finds a part of a text or an item of a list for contains', () => {
    expect(both({ field: 'title', contains: 'secret' }, { title: 'a secret plan' })).toEqual(yes);
    expect(both({ field: 'title', contains: 'secret' }, { title: 'a Secret plan' })).toEqual(no);
    expect(both({ field: 'labels', contains: 'bug' }, { labels: ['bug', 'ui'] })).toEqual(yes);
    expect(both({ field: 'labels', contains: 'bug' }, { labels: ['bugs'] })).toEqual(no);
    expect(both({ field: 'ids', contains: { a: 1 } }, { ids: [{ a: 1 }] })).toEqual(yes);
    expect(both({ field: 'title', contains: 1 }, { title: '1' })).toEqual(doubt);
    expect(both({ field: 'title', contains: '1' }, { title: 1 })).toEqual(doubt);
    expect(both({ field: 'title', contains: 'a' }, { title: { a: 1 } })).toEqual(doubt);
  });

  test('checks whether a field exists, also with null in it', () => {
    expect(both({ field: 'a', exists: true }, { a: null })).toEqual(yes);
    expect(both({ field: 'a', exists: true }, {})).toEqual(no);
    expect(both({ field: 'a', exists: false }, {})).toEqual(yes);
    expect(both({ field: 'a.b', exists: false }, { a: { b: 0 } })).toEqual(no);
    expect(both({ field: 'a.b', exists: false }, { 'a.b': 0 })).toEqual(no);
    expect(both({ field: 'toString', exists: true }, {})).toEqual(no);
  });

  test('needs all meanings of a field with a dot in an allow rule, and any in a stricter one', () => {
    const two = { 'pay.amount': 5, pay: { amount: 5_000 } };
    expect(both({ field: 'pay.amount', lessThanOrEqual: 100 }, two)).toEqual(doubt);
    expect(both({ field: 'pay.amount', greaterThan: 100 }, two)).toEqual(doubt);
  });

  test('counts an object on the path that lacks the field as a missing value', () => {
    const cap: PolicyCondition = { field: 'pay.amount', lessThanOrEqual: 100 };
    for (const pay of [{}, { amounts: 1 }, [], [{ amount: 5 }]]) {
      expect(both(cap, { pay })).toEqual(doubt);
      // A key with a dot in it does not stand in for the field that the tool reads.
      expect(both(cap, { 'pay.amount': 5, pay })).toEqual(doubt);
      expect(both({ field: 'pay.amount', exists: true }, { 'pay.amount': 5, pay })).toEqual(doubt);
      expect(both({ field: 'pay.amount', equals: 5 }, { 'pay.amount': 5, pay })).toEqual(doubt);
    }
    expect(both(cap, { 'pay.amount': 5, pay: 'by card' })).toEqual(yes);
    expect(both(cap, { 'pay.amount': 5, pay: null })).toEqual(yes);
    for (const pay of [null, 'x', 5]) expect(both(cap, { pay })).toEqual(doubt);
  });

  test.each([
    ['null', null],
    ['NaN', Number.NaN],
    ['a large integer as text', '9007199254740993'],
    ['a number as text', '5'],
    ['an empty text', ''],
    ['true', true],
    ['an array of one number', [5]],
    ['an object', { valueOf: 5 }],
  ])('does not compare %s as a number', (_, n) => {
    for (const limit of [-1e300, 0, 5, 1e300])
      for (const condition of conditionsOn(limit))
        if (!('contains' in condition || 'notEquals' in condition))
          for (const input of [{ f: n }, { o: { f: n } }])
            expect(both({ ...condition, field: 'o' in input ? 'o.f' : 'f' }, input)).toEqual(doubt);
  });

  test('compares integers beyond 2^53 that are written as numbers', () => {
    const large = 9_007_199_254_740_992;
    expect(both({ field: 'f', greaterThan: 5 }, { f: large })).toEqual(yes);
    expect(both({ field: 'f', lessThan: large }, { f: large })).toEqual(no);
    expect(both({ field: 'f', contains: large }, { f: ['9007199254740993'] })).toEqual(doubt);
  });

  test('never holds for an unknown input', () => {
    for (const condition of [...conditionsOn(1), ...conditionsOn('a')])
      expect(both(condition, unknownInput)).toEqual(no);
  });

  test('says why it does not hold', () => {
    const why = (condition: PolicyCondition, input: unknown) => conditionFailure(condition, input, 'allow');
    expect(why({ field: 'n', lessThanOrEqual: 5 }, { n: 6 })).toBe('n is not a number of at most 5');
    expect(why({ field: 'n', greaterThan: 5 }, { n: '6' })).toBe('n is not a number above 5');
    expect(why({ field: 'n', notEquals: 'a' }, { n: 'a' })).toBe('n is "a", or not a string');
    expect(why({ field: 'n', contains: 'a' }, { n: 'b' })).toBe('n does not contain "a"');
    expect(why({ field: 'n', exists: true }, {})).toBe('the input has no n');
    expect(why({ field: 'n', exists: false }, { n: 1 })).toBe('the input has n');
    expect(why({ field: 'n', lessThan: 5 }, unknownInput)).toBe('it depends on n');
  });
});

/** One condition of each kind that can be in doubt. */
function conditionsOn(value: string | number): PolicyCondition[] {
  const field = 'f';
  const limit = typeof value === 'number' ? value : value.length;
  return [
    { field, lessThan: limit },
    { field, lessThanOrEqual: limit },
    { field, greaterThan: limit },
    { field, greaterThanOrEqual: limit },
    { field, notEquals: value },
    { field, contains: value },
  ];
}

describe('for any condition and any value', () => {
  const random = seededRandom(20_261_118);
  const pick = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random() * values.length)] as Value;
  const number = () => Math.round((random() - 0.5) * 20) / 2;
  const text = () => pick([String(number()), '', ' 5', '5.0', '0x5', '5e0', 'Infinity', 'true', 'null', 'a']);
  const scalar = () => pick<() => unknown>([number, text, () => true, () => false, () => null])();
  const anyValue = () => pick<() => unknown>([scalar, () => [scalar()], () => ({ f: scalar() })])();
  const anyCondition = () => pick(conditionsOn(pick([number(), text()])));
  const samples = Array.from({ length: 20_000 }, () => ({ condition: anyCondition(), value: anyValue() }));

  test('a comparison of anything but a number fails in an allow rule and holds in ask and deny rules', () => {
    for (const { condition, value } of samples) {
      if (typeof value === 'number' || 'notEquals' in condition || 'contains' in condition) continue;
      expect(both(condition, { f: value }), JSON.stringify([condition, value])).toEqual(doubt);
      expect(conditionHolds(condition, { f: value }, 'requireApproval')).toBe(true);
    }
  });

  test('a comparison of numbers is the same in every rule', () => {
    for (const { condition, value } of samples) {
      if (typeof value !== 'number' || 'notEquals' in condition || 'contains' in condition) continue;
      expect(inAllow(condition, { f: value })).toBe(inDeny(condition, { f: value }));
    }
  });

  test('a value that only looks like the text or number of the condition is in doubt', () => {
    for (const { value } of samples) {
      if (typeof value !== 'string' && typeof value !== 'number') continue;
      const other = typeof value === 'string' ? Number(value) || 0 : String(value);
      expect(both({ field: 'f', notEquals: other }, { f: value })).toEqual(doubt);
      expect(both({ field: 'f', contains: other }, { f: value })).toEqual(doubt);
    }
  });

  test('a missing field fails in an allow rule and holds in a stricter one', () => {
    for (const { condition, value } of samples)
      for (const input of [{}, { g: value }, value === null || typeof value !== 'object' ? value : []])
        expect(both(condition, input)).toEqual(doubt);
  });

  test('a condition that holds in an allow rule holds in a stricter one', () => {
    for (const { condition, value } of samples)
      if (inAllow(condition, { f: value })) expect(inDeny(condition, { f: value })).toBe(true);
  });
});
