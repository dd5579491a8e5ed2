import type { Interaction } from '@executor/protocol';
import { expect, test } from 'vitest';
import { ownerPhrase, settledSentence, settledWord, summaryOf } from './words.ts';

const asked: Interaction = {
  id: 'int_1',
  kind: 'approval',
  prompt: 'Allow notes.add?',
  url: 'http://127.0.0.1/approvals/int_1',
  status: 'resolved',
  executionId: 'exe_1',
  askedBy: { kind: 'agent', ownerId: 'key_1', keyName: 'editor' },
  tool: { path: 'notes.add', input: { text: 'x' }, effect: 'write' },
  actions: ['approve', 'deny'],
  createdAt: '2026-01-01T00:00:00.000Z',
};

const reader = { actorId: 'act_1', keyNames: (id: string) => (id === 'key_1' ? 'editor' : undefined) };

test('The sentence names who answered, and the scope', () => {
  const approved = { action: 'approve', actorId: 'act_1', scope: 'identical', policyId: 'pol_1' } as const;
  expect(settledSentence({ ...asked, resolution: approved }, reader)).toBe(
    'You approved it, and all identical calls in this run, and a rule was saved.',
  );
  expect(settledSentence({ ...asked, resolution: { action: 'deny', actorId: 'act_2' } }, reader)).toBe(
    'act_2 denied it.',
  );
});

test('An answer from the dialog of a client is not shown as the reader’s own', () => {
  const approved = { action: 'approve', actorId: 'act_1', dialogOf: 'key_1' } as const;
  expect(settledSentence({ ...asked, resolution: approved }, reader)).toBe(
    'The dialog of the client with the key “editor” (key_1) approved it.',
  );
});

test('The owner of a run is a key, an OAuth client or a user', () => {
  const owners = ['key_1', 'key_2', 'oauth_1', 'act_1', 'agents-of-act_1'];
  expect(owners.map((owner) => ownerPhrase(owner, reader.keyNames))).toEqual([
    'the key “editor” (key_1)',
    'the key key_2',
    'the OAuth client oauth_1',
    'a user’s own credential',
    'a user’s own credential',
  ]);
});

test('An expired or withdrawn question says so', () => {
  expect(settledSentence({ ...asked, status: 'expired' }, reader)).toContain('This question expired');
  expect(settledSentence({ ...asked, status: 'withdrawn' }, reader)).toContain('was withdrawn');
  expect(settledWord({ ...asked, status: 'withdrawn' }).word).toBe('Withdrawn');
});

test('The summary of a call has its address and input, that of a question its prompt', () => {
  expect(summaryOf({ ...asked, request: { method: 'PUT', url: 'https://a.test/b' } })).toEqual({
    address: 'PUT https://a.test/b',
    text: '{"text":"x"}',
  });
  expect(summaryOf({ ...asked, tool: { path: 'notes.clear', input: {}, effect: 'destructive' } })).toEqual(
    {},
  );
  expect(summaryOf({ ...asked, kind: 'elicitation' })).toEqual({ text: 'Allow notes.add?' });
});
