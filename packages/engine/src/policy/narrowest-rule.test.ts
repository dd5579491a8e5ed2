import { routes } from '@executor/protocol';
import { expect, test } from 'vitest';
import type { PolicyRow } from '../ports/policy-store.ts';
import { decide, type RuledCall } from './decide.ts';
import { narrowestRule } from './narrowest-rule.ts';

const at = new Date('2026-11-15T12:00:00.000Z');
const call = (input: unknown, clientId: string | undefined = 'robot'): RuledCall => ({
  caller: { actorId: 'act_ada', clientId },
  tool: { path: 'github.issues.create', effect: 'write' },
  input,
});
const row = (rule: Pick<PolicyRow, 'scope' | 'pattern' | 'decision'> & Partial<PolicyRow>): PolicyRow => ({
  id: 'pol_1',
  workspaceId: 'ws_1',
  conditions: [],
  createdBy: 'act_ada',
  createdAt: at,
  updatedAt: at,
  ...rule,
});

test('covers this tool, this actor and the present value of each field', () => {
  const input = { repo: 'a', count: 3, draft: false, owner: null, labels: ['x'], meta: { a: { b: 1 } } };
  const rule = narrowestRule([], call(input));
  expect(rule).toEqual({
    scope: { type: 'actor', actorId: 'act_ada' },
    pattern: 'github.issues.create',
    conditions: Object.entries(input).map(([field, equals]) => ({ field, equals })),
    decision: 'allow',
    note: 'Remembered with an approval. Fields without a condition may have any value.',
  });
  const rules = [row({ ...rule, conditions: rule?.conditions ?? [] } as PolicyRow)];
  expect(decide(rules, call(input)).decision).toBe('allow');
  for (const [field, value] of Object.entries(input)) {
    const other = { ...input, [field]: value === 'a' ? 'b' : 'other' };
    expect(decide(rules, call(other)).decision).toBe('requireApproval');
  }
});

test('is never for a client, because another client may use the same name', () => {
  expect(narrowestRule([], call({}, 'robot'))?.scope).toEqual({ type: 'actor', actorId: 'act_ada' });
});

test('names the fields without a condition: long texts, and more than a rule can hold', () => {
  const fields = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`field${index}`, index]));
  const rule = narrowestRule([], call({ body: 'x'.repeat(2_000), ...fields }));
  expect(rule?.conditions).toHaveLength(20);
  expect(rule?.note).toBe(
    'Remembered with an approval. Fields without a condition may have any value, here: body, field20, field21, field22, field23, field24.',
  );
  expect(routes.policies.create.body.parse(rule)).toEqual(rule);
});

test('is for the workspace if a rule of the workspace asks', () => {
  const rules = [row({ scope: { type: 'workspace' }, pattern: 'github.**', decision: 'requireApproval' })];
  expect(narrowestRule(rules, call({ repo: 'a' }))?.scope).toEqual({ type: 'workspace' });
});

test('is undefined if no rule could allow the call', () => {
  const actor = { type: 'actor' as const, actorId: 'act_ada' };
  const rules = [
    row({ scope: { type: 'workspace' }, pattern: 'github.**', decision: 'requireApproval' }),
    row({ id: 'pol_2', scope: actor, pattern: '**', decision: 'requireApproval' }),
  ];
  expect(narrowestRule(rules, call({ repo: 'a' }))).toBeUndefined();
  expect(narrowestRule([], { ...call({}), tool: { path: 'a.b c', effect: 'write' } })).toBeUndefined();
  expect(narrowestRule([], { ...call({}), tool: { path: 'a.*', effect: 'write' } })).toBeUndefined();
});

test('covers its call for any input', () => {
  const inputs = [
    JSON.parse('{"__proto__":{"a":1},"constructor":"x"}'),
    { 'repo.owner': 'ada', repo: { owner: 'mallory' } },
    { '': 'empty', ['k'.repeat(300)]: 1 },
    { text: 'a\u0000b', half: '\ud800' },
    null,
    ['list'],
    'text',
  ];
  for (const input of inputs) {
    const rule = narrowestRule([], call(input));
    expect(routes.policies.create.body.parse(rule)).toEqual(rule);
    expect(decide([row(rule as PolicyRow)], call(input)).decision).toBe('allow');
  }
});
