import { expect, test } from 'vitest';
import { entrySentence } from './entry-sentence.ts';

const entry = (action: string, details: Record<string, unknown>, target = 'x_1') =>
  entrySentence({
    id: 'aud_1',
    at: '2026-11-15T12:00:00.000Z',
    action,
    actorId: 'act_1',
    credential: 'session',
    target,
    details,
  });

test('an entry is told in words', () => {
  expect([
    entry('settings.changed', { workspaceName: { from: 'a', to: 'b' } }),
    entry('settings.changed', { 'limits.cpuMs': { from: 1, to: 2 }, retentionDays: { from: 30, to: 7 } }),
    entry('interaction.resolved', { action: 'approve', path: 'github.issues.create' }),
    entry('policy.created', { after: { decision: 'deny', pattern: 'github.**' } }),
    entry('execution.cancelled', {}, 'exe_1'),
    entry('something.new', {}, 'y_2'),
  ]).toEqual([
    'Renamed the workspace from “a” to “b”',
    'Changed limits.cpuMs from “1” to “2”, retentionDays from “30” to “7”',
    'Answered “approve” to github.issues.create',
    'Added the rule “deny github.**”',
    'Cancelled the run exe_1',
    'something.new y_2',
  ]);
});
