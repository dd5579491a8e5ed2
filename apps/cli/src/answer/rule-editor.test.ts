import type { NewPolicy } from '@executor/protocol';
import { expect, test } from 'vitest';
import { changeRule } from './rule-editor.ts';

const rule: NewPolicy = {
  scope: { type: 'workspace' },
  pattern: 'mail.send',
  conditions: [
    { field: 'to', equals: 'me' },
    { field: 'draft', equals: true },
  ],
  decision: 'allow',
};

test('Changing one part of a rule keeps the others', () => {
  expect(changeRule(rule, 'pattern', ' mail.* ')).toEqual({ ...rule, pattern: 'mail.*' });
  expect(changeRule(rule, 'condition:0', 'to^=team@').conditions).toEqual([
    { field: 'to', prefix: 'team@' },
    { field: 'draft', equals: true },
  ]);
  expect(changeRule(rule, 'condition:0', ' ').conditions).toEqual([{ field: 'draft', equals: true }]);
  expect(changeRule(rule, 'add', 'cc=you').conditions).toHaveLength(3);
  expect(changeRule(rule, 'add', '').conditions).toEqual(rule.conditions);
  expect(rule.conditions).toHaveLength(2);
  const noted = changeRule({ ...rule, note: 'any value, so here: cc.' }, 'add', 'cc=you');
  expect(noted.note).not.toContain('cc');
});
