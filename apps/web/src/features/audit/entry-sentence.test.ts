import { expect, test } from 'vitest';
import { entrySentence } from './entry-sentence.ts';

const entry = (action: string, details: Record<string, unknown>, target = 'x_1') =>
  entrySentence(
    {
      id: 'aud_1',
      at: '2026-11-15T12:00:00.000Z',
      action,
      actorId: 'act_1',
      credential: 'session',
      credentialId: 'key_1',
      target,
      details,
    },
    (id) => (id === 'key_1' ? 'editor' : undefined),
  );

test('An audit entry is shown as a sentence', () => {
  expect([
    entry('settings.changed', { workspaceName: { from: 'a', to: 'b' } }),
    entry('settings.changed', { 'limits.cpuMs': { from: 1, to: 2 }, retentionDays: { from: 30, to: 7 } }),
    entry('interaction.resolved', { action: 'approve', path: 'github.issues.create' }),
    entry('policy.created', { after: { decision: 'deny', pattern: 'github.**' } }),
    entry('policy.created', { after: { decision: 'requireApproval', pattern: 'github.**' } }),
    entry('execution.cancelled', {}, 'exe_1'),
    entry('something.new', {}, 'y_2'),
    entry('apiKey.created', { name: 'a', kind: 'agent', allowDialog: false }),
    entry('apiKey.created', { name: 'a', kind: 'agent', allowDialog: true }),
    entry('apiKey.changed', { allowDialog: true }, 'key_1'),
    entry('apiKey.changed', { allowDialog: false }, 'key_2'),
    entry('oauth.clientAdmitted', { clientId: 'c', subject: 's', issuer: 'https://i.test' }),
    entry('interaction.resolved', { action: 'approve', path: 'notes.add', through: 'dialog' }),
  ]).toEqual([
    'Renamed the workspace from “a” to “b”',
    'Changed limits.cpuMs from “1” to “2”, retentionDays from “30” to “7”',
    'Answered “approve” to github.issues.create',
    'Added the rule “deny github.**”',
    'Added the rule “ask github.**”',
    'Cancelled the run exe_1',
    'something.new y_2',
    'Created the agent key “a”',
    'Created the agent key “a”, which may approve in its client’s dialog',
    'Allowed the key “editor” to approve in its client’s dialog',
    'Stopped allowing the key key_2 to approve in its client’s dialog',
    'The OAuth client “c” of “s” (https://i.test) connected for the first time',
    'The dialog of a client answered “approve” to notes.add, with the key “editor”',
  ]);
});
