import { expect, test } from 'vitest';
import { callKey, OpenCalls } from './open-calls.ts';

const request = { ownerId: 'key_1', sessionId: 's', requestId: 1 };

test('A call is cancelled by its own request only, and no longer when it has ended', () => {
  const calls = new OpenCalls();
  const call = new AbortController();
  const forget = calls.add(callKey(request), call);
  for (const other of [{ ownerId: 'key_2' }, { sessionId: '' }, { requestId: '1' }, { requestId: 2 }]) {
    calls.cancel(callKey({ ...request, ...other }));
  }
  expect(call.signal.aborted).toBe(false);
  calls.cancel(callKey(request));
  expect(call.signal.aborted).toBe(true);
  forget();
  const ended = new AbortController();
  calls.add(callKey(request), ended)();
  calls.cancel(callKey(request));
  expect(ended.signal.aborted).toBe(false);
});

test('A cancellation before its call counts in a session, but not without one', () => {
  const calls = new OpenCalls();
  for (const [sessionId, expected] of [
    ['s', true],
    ['', false],
  ] as const) {
    const call = new AbortController();
    calls.cancel(callKey({ ...request, sessionId }));
    calls.add(callKey({ ...request, sessionId }), call);
    expect(call.signal.aborted).toBe(expected);
  }
});

test('Without a session a call is cancelled only if no other client uses its id', () => {
  let now = 0;
  const calls = new OpenCalls(() => now);
  const open = callKey({ ...request, sessionId: '' });
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
