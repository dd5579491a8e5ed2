import { expect, test } from 'vitest';
import { advance, noProgress, progressLine } from './progress.ts';

function after(...events: [type: string, data: Record<string, unknown>][]) {
  return events.reduce(
    (progress, [type, data], index) =>
      advance(progress, {
        id: String(index + 1),
        seq: index + 1,
        executionId: 'exe_1',
        at: '2026-01-01T00:00:00.000Z',
        type,
        data,
      }),
    noProgress,
  );
}

const read = { index: 0, path: 'demo.read' };
const write = { index: 1, path: 'demo.write' };

test('the newest call that is under way is named, with how many others there are', () => {
  expect(progressLine(after())).toBe('running');
  expect(progressLine(after(['call.requested', read]))).toBe('demo.read');
  const both = after(['call.requested', read], ['call.requested', write], ['call.dispatched', { index: 1 }]);
  expect(progressLine(both)).toBe('demo.write (and 1 more)');
});

test('a call that came back or was given up is not named any more', () => {
  expect(progressLine(after(['call.requested', read], ['call.completed', { index: 0 }]))).toBe('running');
  expect(progressLine(after(['call.requested', read], ['call.abandoned', { index: 0 }]))).toBe('running');
  expect(progressLine(after(['call.requested', read], ['execution.completed', {}]))).toBe('running');
});

test('a call that waits for a person gives way to one that does not', () => {
  const asked = after(['call.requested', write], ['interaction.requested', { index: 1 }]);
  expect(progressLine(asked)).toBe('demo.write waits for a person');
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

test('a timer tells how long is left', () => {
  const sleeping = after(['timer.set', { index: 0, until: 100_000 }]);
  expect(progressLine(sleeping, 70_000)).toBe('sleeping 30 s more');
  expect(progressLine(after(['timer.set', { index: 0, until: 7_200_000 }]), 0)).toBe('sleeping 2 h more');
});
