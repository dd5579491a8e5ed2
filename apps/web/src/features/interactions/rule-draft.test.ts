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
    { field: 'state', notEquals: 'closed' },
    { field: 'tags', contains: 'a' },
    { field: 'count', greaterThan: 0 },
    { field: 'count', greaterThanOrEqual: 1 },
    { field: 'count', lessThan: 9.5 },
    { field: 'count', lessThanOrEqual: 9 },
    { field: 'owner', exists: true },
    { field: 'secret', exists: false },
  ],
  decision: 'allow',
  note: 'Why',
};

const change = (changes: Partial<RuleDraft>) => readRule({ ...draftOf(proposed), ...changes }, proposed);

test('A rule that was not edited is saved unchanged', () => {
  expect(change({})).toEqual({ type: 'rule', rule: proposed });
});

test('Fields without a condition are listed, also after a condition is removed', () => {
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

test('Invisible characters are shown as escapes and keep their meaning', () => {
  const rule = { ...proposed, conditions: [{ field: 'to', equals: 'a\u202eb\u{e0061}' }] };
  const draft = draftOf(rule);
  expect(draft.conditions[0]?.value).toBe('"a\\u202eb\\udb40\\udc61"');
  expect(readRule(draft, rule)).toEqual({ type: 'rule', rule });
});

test('An edited rule is saved as edited', () => {
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

test('An invalid rule is explained', () => {
  const condition = { key: 0, field: 'repo', comparison: 'equals' as const, value: 'executor' };
  for (const [changes, words] of [
    [{ pattern: 'github..x' }, 'must be a tool path'],
    [{ conditions: [condition] }, 'repo: Enter JSON'],
    [{ conditions: [{ ...condition, field: ' ' }] }, 'Enter the name of a field'],
    [{ conditions: [{ ...condition, comparison: 'oneOf' as const, value: '[]' }] }, 'JSON list'],
    [{ conditions: [{ ...condition, comparison: 'lessThan' as const, value: '"5"' }] }, 'Enter a number'],
    [
      { conditions: [{ ...condition, comparison: 'prefix' as const, value: '' }] },
      'Enter the text that it begins with',
    ],
  ] as const)
    expect(change(changes as Partial<RuleDraft>)).toMatchObject({
      type: 'problem',
      problem: expect.stringContaining(words),
    });
});
