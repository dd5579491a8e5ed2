import { expect, test } from 'vitest';
import { advance, noProgress, progressLine } from './progress.ts';

const event = { id: '1', seq: 1, executionId: 'exe_1', at: '2026-01-01T00:00:00.000Z' };

function after(...events: [type: string, data: Record<string, unknown>][]) {
  return events.reduce(
    (progress, [type, data], index) =>
      advance(progress, { ...event, id: String(index + 1), seq: index + 1, type, data }),
    noProgress,
  );
}

const read = { index: 0, path: 'demo.read' };
const write = { index: 1, path: 'demo.write' };

test('The line shows the newest call in flight and the number of others', () => {
  expect(progressLine(after())).toBe('running');
  expect(progressLine(after(['call.requested', read]))).toBe('demo.read');
  const both = after(['call.requested', read], ['call.requested', write], ['call.dispatched', { index: 1 }]);
  expect(progressLine(both)).toBe('demo.write (and 1 more)');
});

test('The line does not show completed calls', () => {
  expect(progressLine(after(['call.requested', read], ['call.completed', { index: 0 }]))).toBe('running');
  expect(progressLine(after(['call.requested', read], ['execution.completed', {}]))).toBe('running');
});

test('The line prefers a call in flight to a call that waits for approval', () => {
  const asked = after(['call.requested', write], ['interaction.requested', { index: 1 }]);
  expect(progressLine(asked)).toBe('demo.write waits for approval');
  const other = after(
    ['call.requested', write],
    ['interaction.requested', { index: 1 }],
    ['call.requested', { index: 2, path: 'demo.read' }],
  );
  expect(progressLine(other)).toBe('demo.read (and 1 more)');
  const answered = after(
    ['call.requested', write],
    ['interaction.requested', { index: 1 }],
    ['interaction.resolved', { index: 1 }],
  );
  expect(progressLine(answered)).toBe('demo.write');
});

test('A timer shows the remaining time', () => {
  const sleeping = after(['timer.set', { index: 0, until: 100_000 }]);
  expect(progressLine(sleeping, 70_000)).toBe('sleeping 30 s more');
  expect(progressLine(after(['timer.set', { index: 0, until: 7_200_000 }]), 0)).toBe('sleeping 2 h more');
});

test('A timer is not shown once the run has continued', () => {
  const set: [string, Record<string, unknown>] = ['timer.set', { index: 0, until: 100_000 }];
  const called = after(set, ['call.requested', write]);
  expect(progressLine(called, 0)).toBe('demo.write');
  const completed = after(set, ['call.requested', write], ['call.completed', { index: 1 }]);
  expect(progressLine(completed, 0)).toBe('running');
  const asked = after(set, ['call.requested', write], ['interaction.requested', { index: 1 }]);
  expect(progressLine(asked, 0)).toBe('demo.write waits for approval');
  const again = after(set, ['timer.set', { index: 1, until: 30_000 }]);
  expect(progressLine(again, 0)).toBe('sleeping 30 s more');
  expect(progressLine(after(set), 100_000)).toBe('running');
});

test('A timer is shown once older calls have completed', () => {
  const beside = after(['call.requested', read], ['timer.set', { index: 1, until: 60_000 }]);
  expect(progressLine(beside, 0)).toBe('demo.read (and 1 more)');
  const alone = advance(beside, { ...event, type: 'call.completed', data: { index: 0 } });
  expect(progressLine(alone, 0)).toBe('sleeping 60 s more');
});
