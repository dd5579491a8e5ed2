import { expect, test } from 'vitest';
import { OpenCalls } from './open-calls.ts';

const request = { ownerId: 'key_1', sessionId: 's', requestId: 1 };

test('A call is cancelled by its own request only, and no longer when it has ended', () => {
  const calls = new OpenCalls();
  const call = new AbortController();
  const forget = calls.add(request, call);
  for (const other of [{ ownerId: 'key_2' }, { sessionId: '' }, { requestId: '1' }, { requestId: 2 }]) {
    calls.cancel({ ...request, ...other });
  }
  expect(call.signal.aborted).toBe(false);
  calls.cancel(request);
  expect(call.signal.aborted).toBe(true);
  forget();
  const ended = new AbortController();
  calls.add(request, ended)();
  calls.cancel(request);
  expect(ended.signal.aborted).toBe(false);
});

test('A cancellation before its call counts in a session, but not without one', () => {
  const calls = new OpenCalls();
  for (const [sessionId, expected] of [
    ['s', true],
    ['', false],
  ] as const) {
    const call = new AbortController();
    calls.cancel({ ...request, sessionId });
    calls.add({ ...request, sessionId }, call);
    expect(call.signal.aborted).toBe(expected);
  }
});

test('Long ids are not kept for later', () => {
  const calls = new OpenCalls();
  const call = new AbortController();
  const long = { ...request, requestId: 'x'.repeat(1_000_000) };
  calls.cancel(long);
  calls.add(long, call);
  expect(call.signal.aborted).toBe(false);
  calls.cancel(long);
  expect(call.signal.aborted).toBe(true);
});

test('Without a session a call is cancelled only if no other client uses its id', () => {
  let now = 0;
  const calls = new OpenCalls(() => now);
  const open = { ...request, sessionId: '' };
  const begin = () => {
    const call = new AbortController();
    calls.saw(open);
    return { call, forget: calls.add(open, call) };
  };
  const alone = begin();
  calls.cancel(open);
  expect(alone.call.signal.aborted).toBe(true);
  alone.forget();

  now += 3_600_000;
  const mine = begin();
  // Another client's request with the same id finishes before it is cancelled.
  now += 300_000;
  calls.saw(open);
  calls.cancel(open);
  const another = begin();
  calls.cancel(open);
  mine.forget();
  calls.cancel(open);
  expect([mine, another].map(({ call }) => call.signal.aborted)).toEqual([false, false]);
});
