import { expect, test } from 'vitest';
import { OpenCall, OpenCalls } from './open-calls.ts';

const request = { ownerId: 'key_1', sessionId: 's', requestId: 1 };

function recorded() {
  const cancelled: string[] = [];
  return { cancelled, call: new OpenCall((id) => cancelled.push(id)) };
}

test('A call is cancelled once, whether its run has started or not', () => {
  const calls = new OpenCalls();
  const { call, cancelled } = recorded();
  calls.add(request, call);
  calls.cancel(request);
  expect(cancelled).toEqual([]);
  call.began('exe_1');
  calls.cancel(request);
  expect(cancelled).toEqual(['exe_1']);
});

test('Another key, session or id cancels nothing, and neither does a finished call', () => {
  const calls = new OpenCalls();
  const { call, cancelled } = recorded();
  const forget = calls.add(request, call);
  call.began('exe_1');
  for (const other of [{ ownerId: 'key_2' }, { sessionId: '' }, { requestId: '1' }, { requestId: 2 }]) {
    calls.cancel({ ...request, ...other });
  }
  forget();
  calls.cancel(request);
  expect(cancelled).toEqual([]);
});

test('A cancellation before its call counts in a session, but not without one', () => {
  const calls = new OpenCalls();
  for (const [sessionId, expected] of [
    ['s', ['exe_1']],
    ['', []],
  ] as const) {
    const { call, cancelled } = recorded();
    calls.cancel({ ...request, sessionId });
    calls.add({ ...request, sessionId }, call);
    call.began('exe_1');
    expect(cancelled).toEqual(expected);
  }
});

test('Long ids are not kept for later', () => {
  const calls = new OpenCalls();
  const { call, cancelled } = recorded();
  const long = { ...request, requestId: 'x'.repeat(1_000_000) };
  calls.cancel(long);
  calls.add(long, call);
  call.began('exe_1');
  expect(cancelled).toEqual([]);
  calls.cancel(long);
  expect(cancelled).toEqual(['exe_1']);
});

test('Without a session a call is cancelled only if no other client uses its id', () => {
  let now = 0;
  const calls = new OpenCalls(() => now);
  const open = { ...request, sessionId: '' };
  const begin = () => {
    const { call, cancelled } = recorded();
    calls.saw(open);
    const forget = calls.add(open, call);
    call.began('exe_1');
    return { cancelled, forget };
  };
  const alone = begin();
  calls.cancel(open);
  expect(alone.cancelled).toEqual(['exe_1']);
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
  expect([...mine.cancelled, ...another.cancelled]).toEqual([]);
});
