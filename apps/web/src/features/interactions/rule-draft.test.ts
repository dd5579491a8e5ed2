import type { NewPolicy } from '@executor/protocol';
import { expect, test } from 'vitest';
import { draftOf, openFields, type RuleDraft, readRule } from './rule-draft.ts';

const proposed: NewPolicy = {
  scope: { type: 'actor', actorId: 'act_1' },
  pattern: 'github.issues.create',
  conditions: [
    { field: 'repo', equals: 'executor' },
    { field: 'labels', oneOf: ['bug', 1] },
    { field: 'title', prefix: 'Draft' },
  ],
  decision: 'allow',
  note: 'Why',
};

const change = (changes: Partial<RuleDraft>) => readRule({ ...draftOf(proposed), ...changes }, proposed);

test('a rule that is not touched stays what it was', () => {
  expect(change({})).toEqual({ type: 'rule', rule: proposed });
});

test('the fields that a rule does not look at are named, also when a condition is taken away', () => {
  const input = { repo: 'executor', labels: [1], title: 'Draft', body: 'long' };
  const draft = draftOf(proposed);
  expect(openFields(input, draft)).toEqual(['body']);
  expect(openFields(input, { ...draft, conditions: draft.conditions.slice(0, 1) })).toEqual([
    'labels',
    'title',
    'body',
  ]);
  expect(openFields(['a'], draft)).toEqual([]);
});

test('what could not be seen in a field is written out, and means the same', () => {
  const rule = { ...proposed, conditions: [{ field: 'to', equals: 'a\u202eb\u{e0061}' }] };
  const draft = draftOf(rule);
  expect(draft.conditions[0]?.value).toBe('"a\\u202eb\\udb40\\udc61"');
  expect(readRule(draft, rule)).toEqual({ type: 'rule', rule });
});

test('what was edited is what is saved', () => {
  const edited = change({
    pattern: ' github.issues.* ',
    scope: 'workspace',
    conditions: [{ key: 0, field: 'repo', comparison: 'oneOf', value: '["executor", "website"]' }],
    note: '',
  });
  expect(edited).toEqual({
    type: 'rule',
    rule: {
      scope: { type: 'workspace' },
      pattern: 'github.issues.*',
      conditions: [{ field: 'repo', oneOf: ['executor', 'website'] }],
      decision: 'allow',
    },
  });
});

test('what is not right is said', () => {
  const condition = { key: 0, field: 'repo', comparison: 'equals' as const, value: 'executor' };
  for (const [changes, words] of [
    [{ pattern: 'github..x' }, 'must be a tool path'],
    [{ conditions: [condition] }, 'repo: It must be JSON'],
    [{ conditions: [{ ...condition, field: ' ' }] }, 'needs the name of a field'],
    [{ conditions: [{ ...condition, comparison: 'oneOf' as const, value: '[]' }] }, 'JSON list'],
    [{ conditions: [{ ...condition, comparison: 'prefix' as const, value: '' }] }, 'needs a beginning'],
  ] as const)
    expect(change(changes as Partial<RuleDraft>)).toMatchObject({
      type: 'problem',
      problem: expect.stringContaining(words),
    });
});
