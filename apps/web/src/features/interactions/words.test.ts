import type { Interaction } from '@executor/protocol';
import { expect, test } from 'vitest';
import { settledSentence, settledWord, summaryOf } from './words.ts';

const asked: Interaction = {
  id: 'int_1',
  kind: 'approval',
  prompt: 'Allow notes.add?',
  url: 'http://127.0.0.1/approvals/int_1',
  status: 'resolved',
  executionId: 'exe_1',
  tool: { path: 'notes.add', input: { text: 'x' }, effect: 'write' },
  actions: ['approve', 'deny'],
  createdAt: '2026-01-01T00:00:00.000Z',
};

test('who answered, and how far it reaches, is told', () => {
  const approved = { action: 'approve', actorId: 'act_1', scope: 'identical', policyId: 'pol_1' } as const;
  expect(settledSentence({ ...asked, resolution: approved }, 'act_1')).toBe(
    'You approved it, and all identical calls in this run, and a rule was saved.',
  );
  expect(settledSentence({ ...asked, resolution: { action: 'deny', actorId: 'act_2' } }, 'act_1')).toBe(
    'act_2 denied it.',
  );
});

test('what nobody can answer any more is told as that', () => {
  expect(settledSentence({ ...asked, status: 'expired' }, 'act_1')).toContain('This expired');
  expect(settledSentence({ ...asked, status: 'withdrawn' }, 'act_1')).toContain('not asked any more');
  expect(settledWord({ ...asked, status: 'withdrawn' }).word).toBe('Withdrawn');
});

test('a call is summed up by where it goes and with what, a question by its words', () => {
  expect(summaryOf({ ...asked, request: { method: 'PUT', url: 'https://a.test/b' } })).toEqual({
    address: 'PUT https://a.test/b',
    text: '{"text":"x"}',
  });
  expect(summaryOf({ ...asked, tool: { path: 'notes.clear', input: {}, effect: 'destructive' } })).toEqual(
    {},
  );
  expect(summaryOf({ ...asked, kind: 'elicitation' })).toEqual({ text: 'Allow notes.add?' });
});
